// An error that no code awaits gives one line and status 2, never a stack or status 1, and leaves no temporary file.

import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, shell } = scratch();

/** Code that runs in a command while it syncs the filter that it builds. */
const lostWhileSyncing = (lose: string) =>
  writeFileSync(path('lost.cjs'), `require('node:fs').fsync = () => { ${lose}; setInterval(() => {}, 1000); };`);

test.each([
  ['a rejection', `Promise.reject(new Error('lost'))`, 'internal error: lost; this is a bug in bloom'],
  [
    'a thrown error',
    `setImmediate(() => { throw new Error('lost'); })`,
    'internal error: lost; this is a bug in bloom',
  ],
  ['what is no error', 'Promise.reject(7)', 'internal error: '],
  [
    'a failed system call',
    `setImmediate(() => { require('node:fs').readFileSync('nowhere'); })`,
    'cannot open nowhere: no such file or folder',
  ],
])('%s', (_, lose, message) => {
  lostWhileSyncing(lose);
  const { stdout, stderr, status } = shell('echo a | NODE_OPTIONS="--require ./lost.cjs" $BLOOM build -o new.bloom');
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toMatch(/^bloom: [^\n]*\n$/);
  expect(stderr).toContain(message);
  expect(readdirSync(path('.'))).toEqual(['lost.cjs']);
});
