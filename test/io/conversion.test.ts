// Bytes that are converted or joined while they are written come out as from one piece.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asWhole, type Conversion, toBase64, toHex } from '../../src/io/conversion.ts';
import { inLargePieces } from '../../src/io/large-pieces.ts';
import { inLongRuns } from '../long.ts';

const PIECE = 2 ** 18;

/** The pieces that a conversion appends. The given pieces are overwritten once they are taken, as their memory is used again. */
async function converted(conversion: Conversion, pieces: readonly Uint8Array[]): Promise<Buffer[]> {
  const appended: Buffer[] = [];
  const { append, end } = conversion(async (bytes) => void appended.push(Buffer.from(bytes)));
  for (const piece of pieces) {
    const passing = Buffer.from(piece);
    await append(passing);
    passing.fill(255);
  }
  await end();
  return appended;
}

const small = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 });

test.each([
  ['base64', toBase64, (all: Buffer) => all.toString('base64')],
  ['hexadecimal digits', toHex, (all: Buffer) => all.toString('hex')],
  [
    'what a function makes of all bytes',
    asWhole((all) => Buffer.from(all).reverse()),
    (all: Buffer) => Buffer.from(all).reverse().toString('latin1'),
  ],
] as const)('to %s', async (_, conversion, expected) => {
  const property = fc.asyncProperty(small, async (pieces) => {
    const all = Buffer.concat(pieces);
    expect(Buffer.concat(await converted(conversion, pieces)).toString('latin1')).toBe(expected(all));
  });
  await fc.assert(property, { numRuns: inLongRuns(1000, 40) });
});

test('to pieces of 256 KiB, of which only those before a large one and the last are smaller', async () => {
  const length = fc.oneof(fc.nat(1000), fc.constantFrom(0, 1, PIECE - 1, PIECE, PIECE + 1, PIECE / 2), fc.nat(PIECE));
  const property = fc.asyncProperty(fc.array(length, { maxLength: 6 }), async (lengths) => {
    const pieces = lengths.map((bytes, i) => Buffer.alloc(bytes, i + 1));
    const appended = await converted(inLargePieces, pieces);
    expect(Buffer.concat(appended).equals(Buffer.concat(pieces))).toBe(true);
    let held = 0;
    const expected: number[] = [];
    const end = () => {
      if (held > 0) expected.push(held);
      held = 0;
    };
    for (const bytes of lengths) {
      if (held + bytes > PIECE) end();
      if (bytes > PIECE) expected.push(bytes);
      else held += bytes;
    }
    end();
    expect(appended.map((piece) => piece.length)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: inLongRuns(300, 20) });
});
