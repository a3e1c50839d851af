import { expect, test } from 'vitest';
import { fromFailure, toFailure } from '../../../src/engine/threads/thread-messages.ts';
import { BloomError, ClosedPipe, UnreadableInput } from '../../../src/errors.ts';

/** An error as it arrives from another thread. */
const fromAnother = (error: unknown) => fromFailure(structuredClone(toFailure(error)));

test.each([
  new ClosedPipe(false),
  new UnreadableInput('cannot read a.txt', 'name another file'),
  new UnreadableInput('cannot read a.txt', undefined, 'a.txt'),
  new BloomError('input', 'cannot read a.bloom'),
  new BloomError('format', 'a.bloom is damaged', 'build it again'),
  new Error('a mistake'),
])('an error keeps its class and its texts between threads: %s', (error) => {
  const arrived = fromAnother(error);
  expect(arrived.constructor).toBe(error.constructor);
  expect(arrived).toMatchObject({ ...error, message: error.message });
});

test('a thrown value that is not an error becomes one', () => {
  expect(fromAnother('nothing')).toEqual(new Error('nothing'));
});

test('a failed system call keeps its name and its cause', () => {
  const error = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });
  expect(fromAnother(error)).toEqual(new BloomError('internal', 'cannot write: input/output error'));
});
