// Loaded before a command, this removes what only some systems have. The rest is what other systems offer.

const fs = require('node:fs');
const { resolve } = require('node:path');

const failure = (code) => Object.assign(new Error(code), { code });
const isOfLinux = (name) => typeof name === 'string' && /^\/(proc|dev\/(?!shm))\//.test(name);
const wrapped = (name, replacement) => {
  const original = fs[name];
  fs[name] = (...parameters) => replacement(original, ...parameters);
};

for (const name of ['readFileSync', 'readlinkSync', 'openSync', 'statSync'])
  wrapped(name, (original, file, ...rest) => {
    if (!isOfLinux(file)) return original(file, ...rest);
    if (rest[0]?.throwIfNoEntry === false) return undefined;
    throw failure('ENOENT');
  });
// A folder cannot be opened. An owner or a link cannot be set.
wrapped('openSync', (original, file, ...rest) => {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw failure('EPERM');
  return original(file, ...rest);
});
for (const name of ['fchownSync', 'linkSync', 'symlinkSync'])
  wrapped(name, () => {
    throw failure('ENOSYS');
  });
// An open file is not replaced. This process may have it open, or another process until the third attempt.
const opened = new Map();
wrapped('openSync', (original, file, ...rest) => {
  const fd = original(file, ...rest);
  if (typeof file === 'string') opened.set(fd, resolve(file));
  return fd;
});
wrapped('closeSync', (original, fd) => {
  opened.delete(fd);
  return original(fd);
});
let attempts = 0;
wrapped('renameSync', (original, from, to) => {
  const isOpen = [...opened.values()].includes(resolve(to));
  if (isOpen || (fs.existsSync(to) && ++attempts < 3)) throw failure('EPERM');
  return original(from, to);
});
// The system knows nothing about a standard stream that is neither a file nor a pipe nor a terminal.
wrapped('fstatSync', (original, fd, ...rest) => {
  if (fd <= 2 && process.env.ODD_STREAMS) throw failure('EBADF');
  return original(fd, ...rest);
});
Object.defineProperty(process, 'platform', { value: 'win32' });
for (const name of ['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups']) process[name] = undefined;
