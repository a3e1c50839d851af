// Why a program that decompresses cannot start, and what to do about it.

import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { programDecoder } from '../../src/io/program.ts';

let cause: NodeJS.ErrnoException = new Error();

vi.mock('node:child_process', () => ({
  spawn() {
    const child = new EventEmitter();
    setImmediate(() => child.emit('error', cause));
    return child;
  },
}));

test.each([
  [-2, 'ENOENT', 'there is no program xz', 'install xz'],
  [-24, 'EMFILE', 'too many open files', 'allow more with ulimit -n'],
  [-13, 'EACCES', '', 'make xz executable'],
])('error %d, %s', async (errno, code, why, remedy) => {
  cause = Object.assign(new Error(`spawn xz ${code}`), { errno, code, syscall: 'spawn xz' });
  const message = `cannot read a.xz, which is compressed with xz: ${why}`;
  await expect(programDecoder({ name: 'a.xz', content: 'records', compression: 'xz' })).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining(message),
    hint: `${remedy}, or pipe the decompressed records in`,
  });
  await expect(programDecoder({ name: 'a.xz', content: 'filter', compression: 'xz' })).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining(message),
    hint: `${remedy}, or decompress it first`,
  });
});
