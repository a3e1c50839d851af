// What is added and looked up for networks: the blocks around them, markers, and what a table knows of an address. FORMAT.md describes it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMarked,
  createVariants,
  encodedLengths,
  type KeyVariants,
  lengthsOf,
} from '../../src/engine/input/key-variants.ts';
import { NETWORKS } from '../../src/formats/description.ts';
import { network } from '../../src/web/parts/index.ts';
import { inLongRuns } from '../long.ts';
import { digestOf } from '../reference/digests.ts';
import { encoded } from '../reference/encodings.ts';
import { usedKernel } from './kernels.ts';
import { PLAIN_RULES } from './scanning.ts';

/** The keys that a query looks up for some texts, or that a build adds: the owner of each, and its bytes in hexadecimal. */
type Keys = readonly (readonly [owner: number, key: string])[];

const kernel = usedKernel();
const SPACE = 2 ** 16;
const [spans, owners, intoSpans, intoOwners] = [8, 4, 8, 4].map((bytes) => kernel.reserve(bytes * SPACE)) as [
  number,
  number,
  number,
  number,
];
const texts = kernel.reserve(SPACE);

/** The variants of texts. The owner of text i is i / 2, rounded down. */
function written({ write }: KeyVariants, all: readonly string[]): Keys {
  let at = texts;
  for (const [i, text] of all.entries()) {
    const bytes = Buffer.from(text);
    kernel
      .bytes(at, bytes.length + 1)
      .fill(0x39)
      .set(bytes);
    new Uint32Array(kernel.memory.buffer, spans + 8 * i, 2).set([at, bytes.length]);
    new Uint32Array(kernel.memory.buffer, owners + 4 * i, 1).set([i >> 1]);
    at += bytes.length + 1;
  }
  kernel.exports.clearRecords();
  const count = write(spans, owners, all.length, intoSpans, intoOwners, 50);
  const found = new Uint32Array(kernel.memory.buffer, intoSpans, 2 * count);
  return Array.from(new Uint32Array(kernel.memory.buffer, intoOwners, count), (owner, i) => [
    owner,
    Buffer.from(kernel.bytes(found[2 * i] ?? 0, found[2 * i + 1] ?? 0)).toString('hex'),
  ]);
}

/** The block that a text is: its address, and its length. */
function blockOf(text: string): { address: Uint8Array; length: number } | undefined {
  const bytes = encoded('network', Buffer.from(text.replace(/^[ \t]+|[ \t]+$/g, '')));
  return bytes && { address: bytes.subarray(0, -1), length: bytes.at(-1) ?? 0 };
}

/** The key of the block of a length around an address. */
function keyOf(address: Uint8Array, length: number): string {
  const kept = address.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))));
  return Buffer.from([...kept, length]).toString('hex');
}

const markerOf = (address: Uint8Array, length: number) =>
  Buffer.from([...address.subarray(0, 2), 0, 0, 128 + length]).toString('hex');

/** Lengths of blocks as a header has them, and the sets of bits in it. */
const lengths = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  fc
    .tuple(fc.array(fc.nat(31), { maxLength: 5 }), fc.array(fc.integer({ min: 32, max: 127 }), { maxLength: 5 }))
    .map((bits) => bits.flat().reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n)),
);

function blocksAround(all: readonly string[], stated: bigint): Keys {
  const { v4, v6 } = lengthsOf(stated);
  return all.flatMap((text, i) => {
    const block = blockOf(text);
    if (block === undefined) return [];
    const around = (block.address.length === 4 ? v4 : v6).filter((length) => length <= block.length);
    return around.map((length) => [i >> 1, keyOf(block.address, length)] as const);
  });
}

const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 9, 10, 99, 100, 199, 200, 255));
const v4 = fc
  .tuple(fc.constantFrom(0, 10, 127, 192, 255), fc.constantFrom(0, 1, 168), byte, byte)
  .map((numbers) => numbers.join('.'));
const group = fc.oneof(
  fc.nat(0xffff).map((some) => some.toString(16)),
  fc.constantFrom('0', 'FFFF', 'ffff', '00f'),
);
const v6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc
    .tuple(fc.array(group, { maxLength: 4 }), fc.array(group, { maxLength: 4 }))
    .map(([before, after]) => `${before.join(':')}::${after.join(':')}`),
  v4.map((address) => `::ffff:${address}`),
  v4.map((address) => `64:ff9b::${address}`),
  fc.tuple(fc.array(group, { minLength: 5, maxLength: 7 }), v4).map(([some, last]) => `${some.join(':')}:${last}`),
);
/** Texts that are almost addresses. */
const other = fc.oneof(
  fc
    .array(fc.oneof(byte.map(String), fc.constantFrom('', '256', '999', '01', '00', '1000')), {
      minLength: 2,
      maxLength: 5,
    })
    .map((numbers) => numbers.join('.')),
  fc
    .tuple(v4, fc.constantFrom('/', '.', ':', 'a', '/8/', '/+8', '/8 8'), fc.boolean())
    .map(([address, more, isAfter]) => (isAfter ? `${address}${more}` : `${more}${address}`)),
  fc
    .array(fc.constantFrom('', '', '1', 'f', '12345', 'g', '1.2.3.4', '1.2.3'), { maxLength: 10 })
    .map((groups) => groups.join(':')),
  fc.constantFrom(
    '',
    ' ',
    '1',
    '::',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8::',
    '%',
    'fe80::1%',
    'fe80::1%%',
    '1.2.3.4%eth0',
    '::1%a/128',
    '::1/129',
    '::/0',
  ),
);
const length = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 5, arbitrary: fc.nat(33).map((some) => `/${some}`) },
  { weight: 2, arbitrary: fc.integer({ min: 30, max: 130 }).map((some) => `/${some}`) },
  { weight: 1, arbitrary: fc.constantFrom('/', '/08', '/-1', '/x', '/1000', '%eth0', '%eth0/64') },
);
const blanks = fc.constantFrom('', '', '', ' ', '\t ', '    ');
const text = fc
  .tuple(
    blanks,
    fc.oneof({ weight: 4, arbitrary: v4 }, { weight: 3, arbitrary: v6 }, { weight: 1, arbitrary: other }),
    length,
    blanks,
  )
  .map((parts) => parts.join(''));
const someTexts = fc.array(text, { maxLength: 60, size: 'max' });

test('a query looks up the blocks of the stated lengths around an address, in the kernel and in browsers', () => {
  const property = fc.property(someTexts, lengths, (all, stated) => {
    const expected = blocksAround(all, stated);
    const variants = createVariants(kernel, { ...PLAIN_RULES, ...NETWORKS, lengths: stated });
    expect(variants && written(variants, all)).toEqual(expected);
    const inBrowsers = all.flatMap((one, i) =>
      (network.network?.(Buffer.from(one), stated) ?? []).map((key) => [i >> 1, Buffer.from(key).toString('hex')]),
    );
    expect(inBrowsers).toEqual(expected);
  });
  fc.assert(property, { seed: 4632, numRuns: inLongRuns(800, 60) });
});

test('a build adds each block, with its marker if its length has markers, and notes the lengths', () => {
  const property = fc.property(someTexts, fc.nat(2 ** 16 - 1), (all, marked) => {
    kernel.exports.clearLengths();
    const found = written(createMarked(kernel, marked), all);
    const expected = all.flatMap((one, i) => {
      const block = blockOf(one);
      if (block === undefined) return [];
      const key = [i >> 1, keyOf(block.address, block.length)] as const;
      const isMarked = block.address.length === 4 && block.length > 16 && ((marked >> (block.length - 17)) & 1) === 1;
      return isMarked ? [key, [i >> 1, markerOf(block.address, block.length)] as const] : [key];
    });
    expect(found).toEqual(expected);
    const noted = lengthsOf(encodedLengths(kernel));
    for (const block of all.map(blockOf))
      if (block !== undefined) expect(block.address.length === 4 ? noted.v4 : noted.v6).toContain(block.length);
    const blocks = all.map(blockOf).filter((block) => block !== undefined);
    const of = (bytes: number) =>
      new Set(blocks.filter(({ address }) => address.length === bytes).map((block) => block.length));
    // Two lengths share a bit: 0 and 1, 65 and 66, 67 and 68, and so on.
    const withShared = (some: Set<number>, from: number) =>
      noted[from === 4 ? 'v4' : 'v6'].filter(
        (one) =>
          some.has(one) || (one < 2 ? some.has(1 - one) : one > 64 && some.has(one % 2 === 1 ? one + 1 : one - 1)),
      );
    expect(noted).toEqual({ v4: withShared(of(4), 4), v6: withShared(of(16), 16) });
  });
  fc.assert(property, { seed: 4291, numRuns: inLongRuns(800, 60) });
});

test('with known answers, a record keeps a block in the set if it has one, and no key is looked up that is not a block', () => {
  const property = fc.property(
    fc.array(someTexts, { minLength: 1, maxLength: 3 }),
    fc.array(text, { maxLength: 30 }),
    fc.nat(2 ** 16 - 1),
    lengths,
    (queries, members, marked, more) => {
      const blocks = members.map(blockOf).filter((block) => block !== undefined);
      const added = blocks.flatMap(({ address, length: long }) => {
        const isMarked = address.length === 4 && long > 16 && ((marked >> (long - 17)) & 1) === 1;
        return isMarked ? [keyOf(address, long), markerOf(address, long)] : [keyOf(address, long)];
      });
      const bitOf = ({ address, length: long }: { address: Uint8Array; length: number }) =>
        address.length === 4 ? Math.max(0, long - 1) : long > 64 ? 32 + ((long - 65) >> 1) : 64 + Math.max(0, long - 1);
      const stated = blocks.reduce((sum, block) => sum | (1n << BigInt(bitOf(block))), more);
      const rules = { ...PLAIN_RULES, ...NETWORKS, lengths: stated, marked };
      const set = new Set(added);
      const digests = new Set(added.map((key) => digestOf(Buffer.from(key, 'hex'), PLAIN_RULES)));
      const answers = kernel.reserve(SPACE);
      let asked = 0;
      const variants = createVariants(kernel, rules, {
        version: () => 1,
        hits({ address, count }, to) {
          asked += count;
          const some = new BigUint64Array(kernel.memory.buffer, address, count);
          kernel.bytes(answers, count).set(Array.from(some, (digest) => Number(digests.has(digest))));
          to(answers);
        },
      });
      for (const all of queries) {
        const found = variants === undefined ? [] : written(variants, all);
        const around = blocksAround(all, stated);
        const keys = new Set(around.map(String));
        expect(found.filter((key) => !keys.has(String(key)))).toEqual([]);
        const ownersIn = (some: Keys) => [...new Set(some.filter(([, key]) => set.has(key)).map(([owner]) => owner))];
        expect(ownersIn(found)).toEqual(ownersIn(around));
        const keyed = new Set(all.flatMap((one, i) => (blockOf(one) === undefined ? [] : [i >> 1])));
        expect(variants?.saved?.()).toEqual({ keys: expect.any(Number), keyed: keyed.size });
      }
      // The same queries again: the table answers.
      const before = asked;
      for (const all of queries) if (variants !== undefined) written(variants, all);
      expect(asked).toBe(before);
    },
  );
  fc.assert(property, { seed: 17, numRuns: inLongRuns(300, 60) });
});
