// Several arrays that share memories, any of which may have a key.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pagesIn } from '../../../src/engine/store/bit-array-pages.ts';
import {
  bitArrayScratch,
  createBitArrayPayloads,
  PAGE_BITS,
  PAGE_BYTES,
} from '../../../src/engine/store/bit-array-payload.ts';
import { openArraysInMemory } from '../../../src/engine/store/open-arrays.ts';
import type { StoredBits } from '../../../src/formats/format.ts';
import { closePositioned, openPositioned } from '../../../src/io/positioned.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { placed } from '../../formats/bloomery/files.ts';
import { inLongRuns } from '../../long.ts';
import {
  addDigests,
  type BitArrayBytes,
  type BitArrayRules,
  hasDigest,
  onesOf,
} from '../../reference/bit-array-bits.ts';
import { answersOf, drawnDigests, shapeOf } from './bit-arrays.ts';

const rulesOf = fc.record({
  bits: fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 3 * PAGE_BITS })),
  k: fc.integer({ min: 1, max: 20 }),
  order: fc.constantFrom('bytes', 'be64'),
});

/** An array with some digests, and the bytes of all its words. */
function filled(rules: BitArrayRules, seed: number, count: number) {
  const bytes: BitArrayBytes = new Map();
  const members = drawnDigests(seed, count);
  addDigests(bytes, members, rules);
  const words = new Uint8Array(8 * Math.ceil(rules.bits / 64));
  for (const [byte, value] of bytes) words[byte] = value;
  return { rules, bytes, members, words };
}

/** A file with other bytes before each part of the bits of arrays, and the positions of the parts. */
function storedIn(arrays: readonly Uint8Array[], partBytes: number) {
  const pieces: Buffer[] = [];
  let end = 0;
  const parts = arrays.map((words) => {
    const of: { offset: number; bytes: number }[] = [];
    for (let start = 0; start < words.length; start += partBytes) {
      const part = words.subarray(start, start + partBytes);
      pieces.push(Buffer.from('some'), Buffer.from(part));
      of.push({ offset: end + 4, bytes: part.length });
      end += 4 + part.length;
    }
    return of;
  });
  const file = openPositioned(placed(Buffer.concat(pieces)), 'filter');
  if (file === undefined) throw new Error('there is no file');
  return { file, stored: parts.map((parts): StoredBits => ({ file, parts })) };
}

test('have a key if any of them has it, in any memories and from any parts of files', () => {
  const count = fc.integer({ min: 0, max: 150 });
  const property = fc.property(
    fc.array(fc.tuple(rulesOf, count), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(undefined, 1, 2, 3),
    fc.constantFrom(1000, PAGE_BYTES, 3 * PAGE_BYTES + 8, 2 ** 24),
    (drawn, pagesEach, partBytes) => {
      const arrays = drawn.map(([rules, members], i) => filled(rules, i, members));
      const shapes = arrays.map(({ rules }) => shapeOf(rules));
      const pages = shapes.reduce((sum, { bits }) => sum + Math.ceil(bits / PAGE_BITS), 0);
      const scratch = Math.max(...shapes.map((shape) => bitArrayScratch(shape, 0, pages).end));
      const limit = pagesEach && 65_536 + scratch + 64 + pagesEach * PAGE_BYTES;
      const payloads = createBitArrayPayloads(shapes, 1, limit);
      expect(payloads[0]?.memories.length).toBe(pagesEach === undefined ? 1 : Math.ceil(pages / pagesEach));
      const { file, stored } = storedIn(
        arrays.map(({ words }) => words),
        partBytes,
      );
      const own = loadKernel();
      const united = payloads.map((payload, i) => {
        const bits = stored[i];
        return { payload, read: bits && pagesIn(bits, own) };
      });
      const union = openArraysInMemory(united, own, 0);
      const asked = [...arrays.flatMap(({ members }) => members), ...drawnDigests(99, 100)];
      const expected = asked.map((digest) => arrays.some(({ bytes, rules }) => hasDigest(bytes, digest, rules)));
      expect(answersOf({ array: union, own }, asked)).toEqual(expected);
      expect(union.arrays.map((array) => array.ones())).toEqual(arrays.map(({ bytes }) => onesOf(bytes)));
      closePositioned(file);
    },
  );
  fc.assert(property, { seed: 1, numRuns: inLongRuns(200, 8) });
});
