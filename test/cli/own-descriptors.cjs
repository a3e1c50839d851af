// Loaded before a command, this gives each thread descriptors of its own, as in Deno. Those of other threads are invalid there.

const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');

Object.defineProperty(process, 'versions', { value: { ...process.versions, deno: '2.0.0' } });
const own = new Set([0, 1, 2]);
const { openSync } = fs;
fs.openSync = (...parameters) => {
  const fd = openSync(...parameters);
  own.add(fd);
  return fd;
};
for (const name of isMainThread ? [] : ['readSync', 'fstatSync', 'closeSync']) {
  const original = fs[name];
  fs[name] = (fd, ...rest) => {
    if (own.has(fd)) return original(fd, ...rest);
    throw Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF' });
  };
}
