// Bit arrays, in which a key has positions anywhere. Their bits and answers are those of the oracle, for any size, any number of
// memories, and any source.

import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pagesIn, type ReadPage, readBits } from '../../../src/engine/store/bit-array-pages.ts';
import { createBitArrayPayload, PAGE_BITS, PAGE_BYTES } from '../../../src/engine/store/bit-array-payload.ts';
import { closePositioned, openPositioned } from '../../../src/io/positioned.ts';
import { placed } from '../../formats/bloomery/files.ts';
import { usedKernel } from '../../kernel/kernels.ts';
import { IS_LONG, inLongRuns } from '../../long.ts';
import {
  addDigests,
  type BitArrayBytes,
  type BitArrayRules,
  doublePositions,
  hasDigest,
  hasPosition,
  onesOf,
  setPosition,
  type TwoWords,
} from '../../reference/bit-array-bits.ts';
import { answersOf, brought, drawnDigests, expectBits, openEmpty, pageOf, shapeOf } from './bit-arrays.ts';

const ORDERS = ['bytes', 'be64'] as const;

/** The array with these digests, compared with the oracle, and the bytes of the oracle. */
function filled(rules: BitArrayRules, digests: readonly TwoWords[], pagesEach?: number) {
  const opened = openEmpty(rules, pagesEach);
  const bytes: BitArrayBytes = new Map();
  expect(opened.array.add(brought(opened.own, digests))).toBe(addDigests(bytes, digests, rules));
  expectBits(opened.array, opened.payload, bytes);
  return { ...opened, bytes };
}

const EXTREMES: readonly TwoWords[] = [
  [0n, 0n],
  [2n ** 64n - 1n, 2n ** 64n - 1n],
  [0n, 1n],
  [1n, 2n ** 63n],
];

describe.each(ORDERS)('an array whose order is %s', (order) => {
  const word = fc.bigInt(0n, 2n ** 64n - 1n);
  const rulesOf = fc.record({
    bits: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 3 * PAGE_BITS })),
    k: fc.integer({ min: 1, max: 64 }),
    order: fc.constant(order),
  });

  test('has the bits and gives the answers of the oracle, in one memory or several', () => {
    const added = fc.array(fc.tuple(word, word), { maxLength: 200 });
    fc.assert(
      fc.property(rulesOf, added, fc.constantFrom(undefined, 1, 2), (rules, digests, pagesEach) => {
        const members = [...EXTREMES, ...digests, ...digests.slice(0, 9)];
        const opened = filled(rules, members, pagesEach);
        expect(opened.payload.memories.length).toBe(
          pagesEach === undefined ? 1 : Math.ceil(rules.bits / PAGE_BITS / pagesEach),
        );
        expect(answersOf(opened, members)).toEqual(members.map(() => true));
        const nonMembers = drawnDigests(rules.bits, 100);
        expect(answersOf(opened, nonMembers)).toEqual(
          nonMembers.map((digest) => hasDigest(opened.bytes, digest, rules)),
        );
        expect(opened.array.ones()).toBe(onesOf(opened.bytes));
      }),
      { seed: 1, numRuns: inLongRuns(100, 3) },
    );
  });

  // By default all have one order. The order only changes where a bit is.
  const ks = [1, 2, 3, 5, 17, 18, 19, 64];
  test.each(IS_LONG || order === ORDERS[0] ? ks : [3, 18])(
    'answers for half full arrays and k = %d, batch after batch',
    (k) => {
      const rules = { bits: 80_009, k, order };
      const members = drawnDigests(k, Math.round(inLongRuns(56_000, 20_000) / k));
      const opened = filled(rules, members);
      const asked = [...drawnDigests(k + 100, 3000), ...members.slice(0, 1000)];
      const expected = asked.map((digest) => hasDigest(opened.bytes, digest, rules));
      expect(answersOf(opened, asked)).toEqual(expected);
      if (k < 6) expect(new Set(expected.slice(0, 3000)).size).toBe(2);
    },
  );

  test.each([2 ** 32 + 1, 2 ** 33 + 12_345])('of %d bits needs memory only for touched pages', (bits) => {
    const before = process.memoryUsage().rss;
    const rules = { bits, k: 7, order };
    const members = [...EXTREMES, ...drawnDigests(3, 50)];
    const opened = filled(rules, members);
    const highest = Math.max(...members.flatMap((digest) => doublePositions(digest, rules)));
    expect(highest).toBeGreaterThan(0.9 * bits);
    const asked = [...members, ...drawnDigests(4, 500)];
    expect(answersOf(opened, asked)).toEqual(asked.map((digest) => hasDigest(opened.bytes, digest, rules)));
    expect(process.memoryUsage().rss - before).toBeLessThan(bits / 8 / 4);
  });
});

test('arrays that are too large for all memories are refused, and so are too many probes', () => {
  const rules = { bits: 2 ** 50, k: 3, order: 'bytes' } as const;
  expect(() => createBitArrayPayload(shapeOf(rules), 1)).toThrow(expect.objectContaining({ code: 'memory' }));
  expect(() => createBitArrayPayload(shapeOf({ ...rules, bits: 100, k: 2 ** 15 + 1 }), 1)).toThrow('probes');
});

describe('pages that are read on demand', () => {
  const rules: BitArrayRules = { bits: 40 * PAGE_BITS + 77, k: 6, order: 'bytes' };
  const members = drawnDigests(5, 30);
  const bytes: BitArrayBytes = new Map();
  addDigests(bytes, members, rules);
  const pagesOf = (positions: readonly number[]) =>
    [...new Set(positions.map((position) => Math.floor(position / PAGE_BITS)))].sort((a, b) => a - b);
  const recording = (pagesEach?: number) => {
    const read: number[] = [];
    const opened = openEmpty(rules, pagesEach, (page, into) => {
      read.push(page);
      into.set(pageOf(bytes, page));
    });
    return { ...opened, read };
  };
  const [member = [0n, 0n]] = members;

  test.each([undefined, 7])('are those of the probes, each once (pages of a memory: %s)', (pagesEach) => {
    const opened = recording(pagesEach);
    const expected = pagesOf(doublePositions(member, rules));
    expect(answersOf(opened, [member])).toEqual([true]);
    expect(opened.read.toSorted((a, b) => a - b)).toEqual(expected);
    expect(answersOf(opened, [member, member])).toEqual([true, true]);
    expect(opened.read.length).toBe(expected.length);
  });

  test('are only those of the first two probes, if these show that a key is absent', () => {
    const isAbsent = (digest: TwoWords) =>
      doublePositions(digest, { ...rules, k: 2 }).some((position) => !hasPosition(bytes, position, rules));
    const nonMember = drawnDigests(6, 10).find(isAbsent) ?? member;
    const opened = recording();
    expect(answersOf(opened, [nonMember])).toEqual([false]);
    expect(opened.read).toEqual(pagesOf(doublePositions(nonMember, { ...rules, k: 2 })));
  });

  test.each([undefined, 7])('are read before bits are set in them (pages of a memory: %s)', (pagesEach) => {
    const opened = recording(pagesEach);
    const more = drawnDigests(7, 20);
    const together: BitArrayBytes = new Map(bytes);
    const added = addDigests(together, [...members.slice(0, 3), ...more], rules);
    expect(opened.array.add(brought(opened.own, [...members.slice(0, 3), ...more]))).toBe(added);
    expectBits(opened.array, opened.payload, together);
    expect(opened.array.ones()).toBe(onesOf(together));
    expect(opened.read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, i) => i));
  });

  test('are read again if that failed, and not otherwise', () => {
    let fails = true;
    const read: number[] = [];
    const { array } = openEmpty(rules, undefined, (page) => {
      read.push(page);
      if (fails) throw new Error('not this time');
    });
    expect(() => array.find(3)).toThrow('not this time');
    fails = false;
    array.find(3);
    array.find(3);
    array.ones(2, 5);
    expect(read).toEqual([3, 3, 2, 4]);
  });
});

test.each(ORDERS)('the last page keeps no bit past the end, whatever was in its memory (order %s)', (order) => {
  for (const bits of [1, 63, 64, 65, 200, 5003, PAGE_BITS - 1, PAGE_BITS].map((size) => PAGE_BITS + size)) {
    const page = new Uint8Array(PAGE_BYTES).fill(255);
    readBits(shapeOf({ bits, k: 3, order }), 1, () => 0, page);
    const expected = new Uint8Array(PAGE_BYTES);
    for (let i = 0; i < bits - PAGE_BITS; i++) {
      const byte = order === 'be64' ? (i >> 3) ^ 7 : i >> 3;
      expected[byte] = (expected[byte] ?? 0) | (1 << (i & 7));
    }
    expect(Buffer.compare(page, expected)).toBe(0);
  }
});

describe('an array in a file', () => {
  /** A file of ones, except for the bits of the array, which are zeros. */
  const fileOf = (rules: BitArrayRules, offset: number, missing = 0) => {
    const content = new Uint8Array(offset + 8 * Math.ceil(rules.bits / 64) + 100 - missing).fill(0xff);
    for (let position = 0; position < rules.bits; position++) {
      const zeros: BitArrayBytes = new Map();
      setPosition(zeros, position, rules);
      for (const [byte, mask] of zeros) content[offset + byte] = (content[offset + byte] ?? 0) & ~mask;
    }
    const name = placed(Buffer.from(content));
    const file = openPositioned(name, 'filter');
    if (file === undefined) throw new Error('there is no file');
    return { name, file };
  };

  test.each(ORDERS)('has only its own bits, in the order %s', (order) => {
    for (const bits of [1, 7, 8, 9, 63, 64, 65, 100, 127, 128, 1000, PAGE_BITS - 1, PAGE_BITS, PAGE_BITS + 1]) {
      const rules = { bits, k: 1, order };
      const { file } = fileOf(rules, 13);
      const read = pagesIn({ file, parts: [{ offset: 13, bytes: 8 * Math.ceil(bits / 64) }] }, usedKernel());
      expect(openEmpty(rules, undefined, read).array.ones(), `${bits} bits`).toBe(0);
      const united = openEmpty(rules);
      // The positions of earlier digests must not count as read bits.
      answersOf(united, drawnDigests(bits, 1000));
      united.array.orFrom(read);
      expect(united.array.ones(), `${bits} bits`).toBe(0);
      closePositioned(file);
    }
  });

  test('that ends before its bits is refused', () => {
    const rules = { bits: PAGE_BITS + 64, k: 1, order: 'bytes' } as const;
    const { name, file } = fileOf(rules, 5);
    writeFileSync(name, new Uint8Array(5 + PAGE_BYTES + 7));
    const { array } = openEmpty(
      rules,
      undefined,
      pagesIn({ file, parts: [{ offset: 5, bytes: PAGE_BYTES + 8 }] }, usedKernel()),
    );
    array.find(0);
    expect(() => array.find(1)).toThrow(expect.objectContaining({ code: 'format' }));
    closePositioned(file);
  });
});

describe('the OR of two arrays', () => {
  const rules: BitArrayRules = { bits: 5 * PAGE_BITS + 9, k: 4, order: 'be64' };
  const [a, b] = [drawnDigests(8, 300), drawnDigests(9, 300)];

  test.each([undefined, 2])('has the bits of both (pages of a memory: %s)', (pagesEach) => {
    const { array, payload, bytes } = filled(rules, a, pagesEach);
    const other: BitArrayBytes = new Map();
    addDigests(other, b, rules);
    const read: ReadPage = (page, into) => into.set(pageOf(other, page));
    const first = new Map([...other].filter(([byte]) => byte >= PAGE_BYTES && byte < 3 * PAGE_BYTES));
    const union = (more: BitArrayBytes) =>
      new Map([...bytes, ...[...more].map(([byte, value]) => [byte, value | (bytes.get(byte) ?? 0)] as const)]);
    array.orFrom(read, 1, 3);
    expectBits(array, payload, union(first));
    array.orFrom(read);
    expectBits(array, payload, union(other));
    const stored = openEmpty(rules, pagesEach, (page, into) => into.set(pageOf(bytes, page)));
    stored.array.orFrom(read);
    expectBits(stored.array, stored.payload, union(other));
  });
});
