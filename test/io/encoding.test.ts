// What the first bytes of a file show.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryOf } from '../../src/io/binary.ts';
import { alternatesWithNul, mayAlternateWithNul } from '../../src/io/encoding.ts';
import { bears, mayBear, signatureOf } from '../../src/io/signature.ts';
import { inLongRuns } from '../long.ts';

const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

test.each(['le', 'be'] as const)('UTF-16 without a mark shows from four characters on, order %s', (order) => {
  expect(alternatesWithNul(utf16('abc', order))).toBe(false);
  expect(alternatesWithNul(utf16('abcd', order))).toBe(true);
  expect(alternatesWithNul(utf16('abcd', order).subarray(0, 7))).toBe(false);
  expect(alternatesWithNul(Buffer.concat([utf16('abcd', order), Buffer.of(0x61)]))).toBe(true);
  // Three of four letters are Latin, two are not enough.
  expect(alternatesWithNul(utf16('abc\u0416', order))).toBe(true);
  expect(alternatesWithNul(utf16('ab\u0416\u0416', order))).toBe(false);
  expect(alternatesWithNul(Buffer.from('abcdefgh'))).toBe(false);
  expect(alternatesWithNul(Buffer.from('a\0b\0c\0d\0\0e'))).toBe(false);
  expect(alternatesWithNul(Buffer.alloc(8))).toBe(false);
});

test('fewer bytes with a NUL in turn may become UTF-16', () => {
  for (const order of ['le', 'be'] as const) {
    const bytes = utf16('abcd', order);
    const may = Array.from(bytes, (_, length) => mayAlternateWithNul(bytes.subarray(0, length + 1)));
    expect(may).toEqual([order === 'be', true, true, true, true, true, true, false]);
  }
  expect(mayAlternateWithNul(Buffer.from('abc'))).toBe(false);
  expect(mayAlternateWithNul(Buffer.of(0, 0))).toBe(false);
  expect(mayAlternateWithNul(Buffer.of())).toBe(false);
});

test.each([
  ['a zip archive', 'PK\x03\x04', 0],
  ['a tar archive', 'ustar', 257],
  ['a 7z archive', "7z\xbc\xaf'\x1c", 0],
  ['a RAR archive', 'Rar!\x1a\x07', 0],
  ['a PDF document', '%PDF-', 0],
  ['a PNG picture', '\x89PNG\r\n\x1a\n', 0],
  ['a JPEG picture', '\xff\xd8\xff', 0],
  ['a program (ELF)', '\x7fELF', 0],
  ['a SQLite database', 'SQLite format 3\0', 0],
])('%s shows by its first bytes', (name, letters, at) => {
  const bytes = Buffer.concat([Buffer.alloc(at, 'x'), Buffer.from(letters, 'latin1')]);
  expect(binaryOf(bytes)).toBe(name);
  expect(binaryOf(bytes.subarray(0, -1))).toBeUndefined();
  expect(binaryOf(Buffer.concat([Buffer.of(0x78), bytes]))).toBeUndefined();
});

test('a signature is compared byte by byte, and a question mark is any byte', () => {
  const character = fc.constantFrom(...'ab?');
  const text = (maxLength: number) => fc.array(character, { maxLength }).map((all) => all.join(''));
  const property = fc.property(text(4), text(6), fc.nat(3), (signature, head, at) => {
    const pattern = new RegExp(`^.{${at}}${signature.replaceAll('?', '.')}`, 's');
    expect(bears(Buffer.from(head), signatureOf(signature), at)).toBe(pattern.test(head));
    const isShorter = head.length < signature.length;
    const isBeginning = [...head].every((letter, i) => signature[i] === '?' || signature[i] === letter);
    expect(mayBear(Buffer.from(head), signatureOf(signature))).toBe(isShorter && isBeginning);
  });
  fc.assert(property, { numRuns: inLongRuns(5000, 300) });
});
