// What the kernel writes into a JSON string, against JSON.stringify of what Node decodes.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usedKernel } from './kernels.ts';

const kernel = usedKernel();
const ROOM = 20_000;
const from = kernel.reserve(ROOM) + 64;
const out = kernel.reserve(8 * ROOM);

/** Escapes bytes, in pieces that end soon after so many. */
function escaped(bytes: Uint8Array, piece: number, around = 0): string {
  kernel.bytes(from - 64, bytes.length + 128).fill(around);
  kernel.bytes(from, bytes.length).set(bytes);
  const parts: Buffer[] = [];
  const to = from + bytes.length;
  for (let at = from; at < to; at = kernel.run.escapedTo.value >>> 0) {
    const end = kernel.run.writeEscaped(out, at, to, out + piece) >>> 0;
    expect(end - out).toBeLessThan(piece + 22);
    parts.push(Buffer.from(kernel.bytes(out, end - out)));
  }
  return Buffer.concat(parts).toString();
}

const expected = (bytes: Uint8Array) => JSON.stringify(Buffer.from(bytes).toString()).slice(1, -1);

test('every byte between others, at every place of a vector', () => {
  for (let byte = 0; byte < 256; byte++) {
    for (let before = 0; before < 34; before++) {
      const bytes = Uint8Array.from([...Array<number>(before).fill(0x61), byte, 0x62, byte]);
      expect(escaped(bytes, ROOM), `${byte} after ${before}`).toBe(expected(bytes));
    }
  }
});

test('every two bytes', () => {
  for (let first = 0x7f; first < 256; first++) {
    const bytes = Uint8Array.from(Array.from({ length: 256 }, (_, second) => [first, second, 0x20]).flat());
    expect(escaped(bytes, ROOM), String(first)).toBe(expected(bytes));
  }
});

describe('characters of any length, whole or cut, and bytes that are none', () => {
  const character = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((text) => [...Buffer.from(text)]),
    },
    { weight: 2, arbitrary: fc.stringMatching(/^[a-z"\\]{1,40}$/).map((text) => [...Buffer.from(text)]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom([0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xf4, 0x90], [0xc0, 0xaf]),
    },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 0x7e, max: 0xff }), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.nat(255), { minLength: 1, maxLength: 3 }) },
  );
  const text = fc.array(character, { maxLength: 60 }).map((parts) => Uint8Array.from(parts.flat()));

  test.each([1, 17, 256, ROOM])('in pieces of %d', (piece) => {
    const property = fc.property(text, fc.constantFrom(0, 0x80, 0xbf, 0xff), (bytes, around) => {
      expect(escaped(bytes, piece, around)).toBe(expected(bytes));
    });
    fc.assert(property, { seed: 9, numRuns: 5000 });
  });
});
