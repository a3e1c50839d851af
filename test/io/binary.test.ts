import { expect, test } from 'vitest';
import { binaryOf } from '../../src/io/binary.ts';

/** The control characters of ASCII without NUL, those of text (tab to carriage return) and escape. */
const CONTROLS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8],
  ...[0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1c, 0x1d, 0x1e, 0x1f],
  0x7f,
];

/** A beginning with a NUL, and with this byte so many times among letters. */
function beginning(length: number, byte: number, times: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x61);
  bytes[9] = 0;
  return bytes.fill(byte, 10, 10 + times);
}

test('three control characters of a hundred make a file binary', () => {
  const binary = Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => binaryOf(beginning(300, byte, 9)) === 'a binary file',
  );
  expect(binary).toEqual(CONTROLS);
  expect(binaryOf(beginning(300, 1, 8))).toBeUndefined();
});

test('a file without NUL, or of a few bytes, may be of any keys', () => {
  expect(binaryOf(beginning(256, 1, 50))).toBe('a binary file');
  expect(binaryOf(beginning(255, 1, 50))).toBeUndefined();
  expect(binaryOf(beginning(300, 1, 50).fill(1, 9, 10))).toBeUndefined();
});
