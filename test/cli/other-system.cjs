// Loaded before a command, this takes away what only some systems have: what is left is what others give.

const fs = require('node:fs');

const failure = (code) => Object.assign(new Error(code), { code });
const isOfLinux = (name) => typeof name === 'string' && /^\/(proc|dev)\//.test(name);
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
// A folder cannot be opened, nor an owner or a link be given.
wrapped('openSync', (original, file, ...rest) => {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw failure('EPERM');
  return original(file, ...rest);
});
for (const name of ['fchownSync', 'linkSync', 'symlinkSync'])
  wrapped(name, () => {
    throw failure('ENOSYS');
  });
// Whoever reads a file keeps it from being replaced, until the third attempt.
let attempts = 0;
wrapped('renameSync', (original, from, to) => {
  if (fs.statSync(to, { throwIfNoEntry: false }) !== undefined && ++attempts < 3) throw failure('EPERM');
  return original(from, to);
});
for (const name of ['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups']) process[name] = undefined;
