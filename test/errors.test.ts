import { getSystemErrorName } from 'node:util';
import { describe, expect, test } from 'vitest';
import { asBloomError, BloomError, causeOf, errno, harmless, printable } from '../src/errors.ts';

/** A failed system call, as Node throws it. */
function failed(number: number, words = 'words of libuv'): Error {
  const code = getSystemErrorName(-number);
  return Object.assign(new Error(`${code}: ${words}, write`), { code, errno: -number, syscall: 'write' });
}

/** The numbers of errno(3) on Linux, which does not use 41 and 58. */
const NUMBERS = Array.from({ length: 133 }, (_, i) => i + 1).filter((number) => number !== 41 && number !== 58);

describe.runIf(process.platform === 'linux')('the cause of a failed system call on Linux', () => {
  test.each([
    [122, 'EDQUOT', 'disk quota exceeded'],
    [116, 'ESTALE', 'the file on the network file system is gone'],
    [117, 'EUCLEAN', 'the file system is damaged'],
    [123, 'ENOMEDIUM', 'the drive is empty'],
    [5, 'EIO', 'input/output error'],
    [26, 'ETXTBSY', 'words of libuv'],
  ])('%d, %s', (number, code, words) => {
    expect([errno(failed(number)), causeOf(failed(number))]).toEqual([code, words]);
  });

  test('is known by its number too', () => {
    const error = Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -122 });
    expect([errno(error), causeOf(error)]).toEqual(['EDQUOT', 'disk quota exceeded']);
  });

  test('never says "Unknown"', () => {
    const said = NUMBERS.map((number) => causeOf(failed(number)));
    expect(said.filter((words) => /unknown/i.test(words))).toEqual([]);
  });
});

describe('an error that no code expects', () => {
  test('names the system call and the file', () => {
    const { message, hint } = asBloomError(Object.assign(failed(5), { path: '/a/b' }));
    expect([message, hint]).toEqual(['cannot write /a/b: input/output error', undefined]);
  });

  test('is a bug if it is not a failed system call', () => {
    expect(asBloomError(new TypeError('x is no y'))).toMatchObject({
      message: 'internal error: x is no y',
      hint: 'this is a bug in bloom',
    });
  });

  test('is unchanged if it is a BloomError', () => {
    const error = new BloomError('input', 'no');
    expect(asBloomError(error)).toBe(error);
  });
});

describe('names in messages', () => {
  test.each([
    ['as it is', 'as it is'],
    ['"quoted" \\ too', '"quoted" \\ too'],
    ['a\nb', '"a\\nb"'],
    ['\u001b[31m', '"\\u001b[31m"'],
    ['a\u007fb', '"a\\u007fb"'],
    ['\u0085', '"\\u0085"'],
    ['left\u202eright', '"left\\u202eright"'],
    ['\u{e0001}', '"\\udb40\\udc01"'],
  ])('%j is shown as %s', (name, shown) => expect(printable(name)).toBe(shown));

  test('lose no more than their control characters in a message of several lines', () => {
    expect(harmless('a\u001b[31m\n"b"\t\u202e\r')).toBe('a\\u001b[31m\n"b"\\u0009\\u202e\\u000d');
  });
});
