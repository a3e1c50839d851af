import { beforeEach, describe, expect, test } from 'vitest';
import { ClosedPipe } from '../../src/errors.ts';
import { print, tell } from '../../src/io/sink.ts';
import { replaceCalls } from '../replaced-calls.ts';

/** The bytes written to each descriptor, and the next results: the code of a failure, or the most bytes. */
const system = { written: [] as [fd: number, text: string][], answers: [] as (string | number)[] };

replaceCalls(() => ({
  writeSync(fd: number, bytes: Uint8Array, from: number): number {
    const next = system.answers.shift() ?? bytes.length;
    if (typeof next === 'string') throw Object.assign(new Error(next), { code: next });
    const part = bytes.subarray(from, from + next);
    system.written.push([fd, Buffer.from(part).toString()]);
    return part.length;
  },
}));

beforeEach(() => {
  system.written.length = 0;
  system.answers.length = 0;
});

const text = () => system.written.map(([, part]) => part).join('');

test.each([
  ['short', [1, 3, 2]],
  ['not taken for now', ['EAGAIN', 4, 'EAGAIN', 'EAGAIN', 1]],
])('results whose writes are %s are written completely', (_, answers) => {
  system.answers.push(...answers);
  print('a line of results\n');
  expect(text()).toBe('a line of results\n');
  expect(system.written.every(([fd]) => fd === 1)).toBe(true);
});

describe('results that cannot be written are', () => {
  test('not an error if the reader has ended', () => {
    system.answers.push(2, 'EPIPE');
    expect(() => print('results')).toThrow(ClosedPipe);
  });

  test('an error otherwise', () => {
    system.answers.push(2, 'ENOSPC');
    expect(() => print('results')).toThrow(
      expect.objectContaining({ code: 'output', message: expect.stringContaining('no space left') }),
    );
  });
});

test('a message that cannot be written does not end the work', () => {
  system.answers.push('EAGAIN', 3, 'EPIPE');
  tell('a message');
  tell('another');
  expect(system.written).toEqual([
    [2, 'a m'],
    [2, 'another\n'],
  ]);
});
