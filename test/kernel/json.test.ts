// The kernel's JSON strings against JSON.stringify, and its base64 against Node's.

import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { usedKernel } from './kernels.ts';
import { anyCharacter } from './texts.ts';

const kernel = usedKernel();
const ROOM = 20_000;
const from = kernel.reserve(ROOM) + 64;
const out = kernel.reserve(8 * ROOM);

function put(bytes: Uint8Array, around: number) {
  kernel.bytes(from - 64, bytes.length + 128).fill(around);
  kernel.bytes(from, bytes.length).set(bytes);
}

/** Escapes bytes up to the first that is not UTF-8, in pieces that end soon after `piece` bytes. */
function escaped(bytes: Uint8Array, piece: number, around = 0): { text: string; length: number } {
  put(bytes, around);
  const parts: Buffer[] = [];
  const to = from + bytes.length;
  let at = from;
  for (let before = -1; at < to && before !== at; ) {
    before = at;
    const end = kernel.exports.writeEscaped(out, at, to, out + piece) >>> 0;
    if (end - out >= piece + 22) throw new Error(`${end - out} bytes were written, ${piece} were asked for`);
    parts.push(Buffer.from(kernel.bytes(out, end - out)));
    at = kernel.exports.escapedTo.value >>> 0;
  }
  return { text: Buffer.concat(parts).toString(), length: at - from };
}

/** The longest prefix that is UTF-8, as a JSON string. */
function expected(bytes: Uint8Array): { text: string; length: number } {
  let length = bytes.length;
  if (!isUtf8(bytes)) {
    for (length = 0; ; ) {
      const next = [1, 2, 3, 4].find(
        (more) => length + more <= bytes.length && isUtf8(bytes.subarray(length, length + more)),
      );
      if (next === undefined) break;
      length += next;
    }
  }
  return { text: JSON.stringify(Buffer.from(bytes.subarray(0, length)).toString()).slice(1, -1), length };
}

test('every byte between others, at every place of a vector', () => {
  for (let before = 0; before < 34; before++) {
    const all = Array.from({ length: 256 }, (_, byte) =>
      Uint8Array.from([...Array<number>(before).fill(0x61), byte, 0x62, byte]),
    );
    expect(
      all.map((bytes) => escaped(bytes, ROOM)),
      `after ${before}`,
    ).toEqual(all.map(expected));
  }
});

/** The default run has some second bytes, of every range that begins or continues characters. */
const STEP = inLongRuns(1, 5);

test('every two bytes, and what might be a third and a fourth', () => {
  const endings = [[0x20], [0x80], [0xbf, 0x80], [0x80, 0x7f]];
  const wrong: string[] = [];
  for (let first = 0x7f; first < 256; first++) {
    for (let second = 0; second < 256; second += STEP) {
      for (const ending of endings) {
        const bytes = Uint8Array.from([first, second, ...ending]);
        put(bytes, 0x80);
        kernel.exports.writeEscaped(out, from, from + bytes.length, out + ROOM);
        if ((kernel.exports.escapedTo.value >>> 0) - from !== expected(bytes).length) wrong.push(String(bytes));
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('base64 of every length and every byte', () => {
  const every = Uint8Array.from({ length: 256 * 3 }, (_, i) => (i * 89) % 256);
  for (let length = 0; length < every.length; length++) {
    const bytes = every.subarray(length % 5, length);
    put(bytes, 0xff);
    const end = kernel.exports.writeBase64(out, from, from + bytes.length) >>> 0;
    expect(Buffer.from(kernel.bytes(out, end - out)).toString()).toBe(Buffer.from(bytes).toString('base64'));
  }
});

describe('characters of any length, whole or cut, and bytes that are none', () => {
  const character = fc.oneof(
    {
      weight: 4,
      arbitrary: anyCharacter.map((text) => [...Buffer.from(text)]),
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
      expect(escaped(bytes, piece, around)).toEqual(expected(bytes));
    });
    fc.assert(property, { seed: 9, numRuns: inLongRuns(1200, 100) });
  });
});
