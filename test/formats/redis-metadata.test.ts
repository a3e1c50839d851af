// The header, the values and the dumps of RedisBloom against a model of rebloom.c, sb.c, rdb.c and liblzf: random numbers in every form
// that Redis has for them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBloom } from '../../src/formats/redisbloom/dump.ts';
import { decodeHeader, encodeHeader, headerBytes } from '../../src/formats/redisbloom/header.ts';
import { isLikely } from '../../src/formats/redisbloom/header-layouts.ts';
import { createValues, doubleValue, fromLzf, stringBefore, wholeValue } from '../../src/formats/redisbloom/values.ts';
import { inLongRuns } from '../long.ts';

const RUNS = inLongRuns(2000, 40);

/** An array. `isPower` is whether positions reach the largest power of two of its bits. */
interface Link {
  readonly bytes: number;
  readonly isPower: boolean;
  readonly k: number;
  readonly capacity: number;
  readonly fpr: number;
  readonly bitsPerKey: number;
  readonly items: number;
}

interface Filter {
  readonly items: number;
  readonly options: number;
  readonly growth: number;
  readonly links: readonly Link[];
}

const link: fc.Arbitrary<Link> = fc.record({
  bytes: fc.integer({ min: 1, max: 2 ** 37 }),
  isPower: fc.boolean(),
  k: fc.integer({ min: 1, max: 64 }),
  capacity: fc.nat({ max: 2 ** 31 }),
  fpr: fc.double({ min: 1e-9, max: 0.99, noNaN: true }),
  bitsPerKey: fc.double({ min: 0.1, max: 40, noNaN: true }),
  items: fc.nat({ max: 2 ** 40 }),
});

const powerOf = ({ bytes, isPower }: Link) => (isPower ? Math.floor(Math.log2(8 * bytes)) : 0);
const reachOf = (one: Link) => (one.isPower ? 2 ** powerOf(one) : 8 * one.bytes);

/** What is read of an array. */
const readLink = (one: Link) => {
  const { isPower: _, ...fields } = one;
  return { ...fields, bits: reachOf(one), power: powerOf(one) };
};

const filter: fc.Arbitrary<Filter> = fc.record({
  items: fc.nat({ max: 2 ** 50 }),
  options: fc.nat({ max: 15 }),
  growth: fc.nat({ max: 2 ** 32 - 1 }),
  links: fc.array(link, { minLength: 1, maxLength: 4 }),
});

/** The header of a version: 2.2.1 and later, 2.2, or before it. */
function header({ items, options, growth, links }: Filter, version: 0 | 1 | 2) {
  const [begin, each] = [version === 2 ? 16 : 20, version === 0 ? 53 : 49];
  const bytes = Buffer.alloc(begin + each * links.length);
  bytes.writeBigUInt64LE(BigInt(items), 0);
  bytes.writeUInt32LE(links.length, 8);
  bytes.writeUInt32LE(options, 12);
  if (version < 2) bytes.writeUInt32LE(growth, 16);
  for (const [i, one] of links.entries()) {
    const at = begin + each * i;
    bytes.writeBigUInt64LE(BigInt(one.bytes), at);
    // Before version 2.2, a power of two has no other number of bits.
    bytes.writeBigUInt64LE(version === 2 && one.isPower ? 0n : BigInt(8 * one.bytes), at + 8);
    bytes.writeBigUInt64LE(BigInt(one.items), at + 16);
    bytes.writeDoubleLE(one.fpr, at + 24);
    bytes.writeDoubleLE(one.bitsPerKey, at + 32);
    bytes.writeUInt32LE(one.k, at + 40);
    if (version === 0) bytes.writeBigUInt64LE(BigInt(one.capacity), at + 44);
    else bytes.writeUInt32LE(one.capacity, at + 44);
    bytes.writeUInt8(powerOf(one), at + each - 1);
  }
  return bytes;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

test('a header has the numbers of the model in all versions, and is written in the latest', () => {
  const property = fc.property(filter, fc.constantFrom<0 | 1 | 2>(0, 1, 2), (made, version) => {
    const bytes = header(made, version);
    const links = made.links.map(readLink);
    const growth = version === 0 ? made.growth : undefined;
    expect(decodeHeader(viewOf(bytes), 'x')).toEqual({ items: made.items, options: made.options, growth, links });
    const latest = encodeHeader({ ...made, links });
    expect(Buffer.from(latest).equals(header(made, 0))).toBe(true);
    for (const length of [0, 15, 16, 20, bytes.length - 1, bytes.length + 1])
      expect(() => decodeHeader(viewOf(Buffer.concat([bytes, bytes]).subarray(0, length)), 'x')).toThrow(
        'x is damaged: the length of its header does not fit its links',
      );
  });
  fc.assert(property, { numRuns: RUNS });
});

describe('the first array tells a header', () => {
  const fpr = 0.001;
  const bitsPerKey = -Math.log(fpr) / Math.log(2) ** 2;
  const usual = { bytes: 200n, bits: 1600n, k: 10n, capacity: 100n, fpr, bitsPerKey, power: 0n, items: 0n };
  test.each([
    ['as RedisBloom makes it', {}, true],
    ['of one byte', { bytes: 1n, bits: 8n }, true],
    ['without bytes', { bytes: 0n, bits: 0n }, false],
    ['with a bit too many', { bits: 1601n }, false],
    ['with a bit too few', { bits: 1599n }, false],
    ['with no bits, and all that 2^10 need', { bits: 0n, power: 10n, bytes: 128n }, true],
    ['with no bits, and a byte less', { bits: 0n, power: 10n, bytes: 127n }, false],
    ['with no bits, and no power of two', { bits: 0n }, false],
    ['for 2^32 - 1 keys', { capacity: 2n ** 32n - 1n }, true],
    ['for 2^32 keys', { capacity: 2n ** 32n }, false],
    ['with a rate of 0', { fpr: 0 }, false],
    ['with a rate of 1', { fpr: 1, bitsPerKey: 0 }, false],
    ['with bits per key that are off by 1e-8', { bitsPerKey: bitsPerKey * (1 + 1e-8) }, false],
    ['with bits per key that are off by -1e-8', { bitsPerKey: bitsPerKey * (1 - 1e-8) }, false],
    ['with bits per key that are off by 1e-10', { bitsPerKey: bitsPerKey * (1 + 1e-10) }, true],
    ['with a probe too many', { k: 11n }, false],
    ['with a probe too few', { k: 9n }, false],
  ])('%s', (_, changed, isHeader) => expect(isLikely({ ...usual, ...changed })).toBe(isHeader));

  test('and how long it is; a number of arrays that is none is refused', () => {
    const one = { bytes: 200, isPower: false, k: 10, capacity: 100, fpr, bitsPerKey, items: 7 };
    const made = { items: 7, options: 5, growth: 2, links: [one, one, one] };
    expect([0, 1, 2].map((version) => headerBytes(viewOf(header(made, version as 0 | 1 | 2)), 'x'))).toEqual([
      20 + 3 * 53,
      20 + 3 * 49,
      16 + 3 * 49,
    ]);
    const stated = (count: number) => {
      const bytes = header(made, 0);
      bytes.writeUInt32LE(count, 8);
      return () => headerBytes(viewOf(bytes), 'x');
    };
    expect(stated(2 ** 16)()).toBe(20 + 53 * 2 ** 16);
    for (const count of [0, 2 ** 16 + 1])
      expect(stated(count)).toThrow('x is damaged: its header is not one that RedisBloom writes');
  });
});

/** A length of Redis, in the shortest form and longer ones. */
function lengths(value: bigint): Buffer[] {
  const wide = Buffer.alloc(9, 0x81);
  wide.writeBigUInt64BE(value, 1);
  const forms = [wide];
  if (value < 2n ** 32n)
    forms.push(Buffer.from([0x80, 24, 16, 8, 0].map((by, i) => (i === 0 ? by : Number(value >> BigInt(by)) & 255))));
  if (value < 2n ** 14n) forms.push(Buffer.of(0x40 + Number(value >> 8n), Number(value) & 255));
  if (value < 64n) forms.push(Buffer.of(Number(value)));
  return forms.reverse();
}

const anyLength = fc
  .tuple(
    fc.oneof(fc.bigInt(0n, 70n), fc.bigInt(0n, 2n ** 15n), fc.bigInt(0n, 2n ** 33n), fc.bigInt(0n, 2n ** 64n - 1n)),
    fc.nat(3),
  )
  .map(([value, form]) => {
    const forms = lengths(value);
    return { value, bytes: forms[form % forms.length] ?? Buffer.of() };
  });

/** Packed bytes, and what they mean: literals, and copies of what was before. */
const packed = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      fc.record({ count: fc.integer({ min: 3, max: 264 }), back: fc.integer({ min: 1, max: 8192 }) }),
    ),
    { maxLength: 20 },
  )
  .map((steps) => {
    const bytes: number[] = [];
    const meaning: number[] = [];
    for (const step of steps) {
      if (step instanceof Uint8Array) {
        bytes.push(step.length - 1, ...step);
        meaning.push(...step);
      } else if (meaning.length > 0) {
        const distance = Math.min(step.back, meaning.length) - 1;
        const [count, high] = [step.count - 2, distance >> 8];
        bytes.push(...(count < 7 ? [32 * count + high] : [0xe0 + high, count - 7]), distance & 255);
        for (let i = 0; i < step.count; i++) meaning.push(meaning[meaning.length - distance - 1] ?? 0);
      }
    }
    return { bytes: Uint8Array.from(bytes), meaning: Uint8Array.from(meaning) };
  });

const text = fc.oneof(
  fc
    .uint8Array({ maxLength: 300 })
    .map((value) => ({ value, bytes: Buffer.concat([lengths(BigInt(value.length))[0] ?? Buffer.of(), value]) })),
  fc.constantFrom(1, 2, 4).chain((bytes) => {
    const most = 2 ** (8 * bytes - 1);
    return fc.integer({ min: -most, max: most - 1 }).map((number) => {
      const stored = Buffer.alloc(1 + bytes, 0xbf + { 1: 1, 2: 2, 4: 3 }[bytes as 1 | 2 | 4]);
      stored.writeIntLE(number, 1, bytes);
      return { value: Buffer.from(`${number}`), bytes: stored };
    });
  }),
  packed.map(({ bytes, meaning }) => {
    const [size = Buffer.of(), whole = Buffer.of()] = [bytes, meaning].map(({ length }) => lengths(BigInt(length))[0]);
    return { value: meaning, bytes: Buffer.concat([Buffer.of(0xc3), size, whole, bytes]) };
  }),
);

test('LZF is what the model says, and no other length is', () => {
  const property = fc.property(packed, ({ bytes, meaning }) => {
    expect(Buffer.compare(fromLzf(bytes, meaning.length) ?? Buffer.of(1), meaning)).toBe(0);
    expect(fromLzf(bytes, meaning.length + 1)).toBeUndefined();
    if (meaning.length > 0) expect(fromLzf(bytes, meaning.length - 1)).toBeUndefined();
    if (bytes.length > 0) expect(fromLzf(bytes.subarray(0, -1), meaning.length)).toBeUndefined();
  });
  fc.assert(property, { numRuns: RUNS });
  // A copy from before the beginning.
  expect(fromLzf(Uint8Array.of(0, 9, 0x20, 1), 4)).toBeUndefined();
  // Two literals are announced, and there is one.
  expect(fromLzf(Uint8Array.of(1, 9), 1)).toBeUndefined();
  expect(Array.from(fromLzf(Uint8Array.of(0, 9, 0x20, 0), 4) ?? [])).toEqual([9, 9, 9, 9]);
});

test('values of any form are those of the model, and cut ones are refused', () => {
  const value = fc.oneof(
    anyLength.map(({ value, bytes }) => ({
      method: 'whole' as const,
      value,
      bytes: Buffer.concat([Buffer.of(Number(value % 2n) + 1), bytes]),
    })),
    fc.double().map((value) => ({ method: 'double' as const, value, bytes: Buffer.from(doubleOf(value)) })),
    text.map(({ value, bytes }) => ({
      method: 'string' as const,
      value: Buffer.from(value),
      bytes: Buffer.concat([Buffer.of(5), bytes]),
    })),
    text.map(({ value, bytes }) => ({ method: 'untyped' as const, value: Buffer.from(value), bytes })),
  );
  const property = fc.property(
    fc.array(value, { maxLength: 6 }),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    (all, share) => {
      const bytes = Buffer.concat([...all.map((one) => one.bytes), Buffer.of(0)]);
      const read = (content: Uint8Array) => {
        const values = createValues(content, 'x');
        const found = all.map(({ method }) => values[method]());
        values.end();
        return found.map((one) => (one instanceof Uint8Array ? Buffer.from(one) : one));
      };
      expect(read(bytes)).toEqual(all.map((one) => one.value));
      expect(() => read(bytes.subarray(0, Math.floor(share * bytes.length)))).toThrow('x is damaged: ');
      expect(() => read(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('it has more values after those of a filter');
    },
  );
  fc.assert(property, { numRuns: RUNS });
});

function doubleOf(value: number): Buffer {
  const bytes = Buffer.alloc(9, 4);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

test('whole numbers are written in the shortest form', () => {
  for (const value of [0, 1, 63, 64, 255, 256, 2 ** 14 - 1, 2 ** 14, 2 ** 16, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1]) {
    const [shortest = Buffer.of()] = lengths(BigInt(value));
    expect([...wholeValue(value)]).toEqual([2, ...shortest]);
    expect([...stringBefore(value)]).toEqual([5, ...shortest]);
  }
  expect([...doubleValue(-0.1)]).toEqual([...doubleOf(-0.1)]);
});

describe('values are refused', () => {
  test.each([
    ['of another type', (all: Uint8Array) => createValues(all, 'x').whole(), [5, 1, 97], 'do not describe a filter'],
    ['without a length', (all: Uint8Array) => createValues(all, 'x').untyped(), [0x82, 1], 'has no length'],
    [
      'longer than there are bytes',
      (all: Uint8Array) => createValues(all, 'x').untyped(),
      [3, 97, 98],
      'it ends within its values',
    ],
    [
      'of 2^64 - 1 bytes',
      (all: Uint8Array) => createValues(all, 'x').untyped(),
      [0x81, ...Array(8).fill(255)],
      'ends within',
    ],
    [
      'of 89 bytes in one',
      (all: Uint8Array) => createValues(all, 'x').untyped(),
      [0xc3, 1, 0x40, 89, 0],
      'is impossibly long',
    ],
    [
      'of 88 bytes in one',
      (all: Uint8Array) => createValues(all, 'x').untyped(),
      [0xc3, 1, 0x40, 88, 0],
      'cannot be decompressed',
    ],
    [
      'with a number for the end',
      (all: Uint8Array) => createValues(all, 'x').end(),
      [2, 0],
      'do not describe a filter',
    ],
  ] as const)('%s', (_, read, bytes, message) => expect(() => read(Uint8Array.from(bytes))).toThrow(message));
});

/** The values of a filter in a version of the module's format. */
function bloomValues(made: Filter, version: number, bits: readonly Uint8Array[]) {
  const whole = (value: number) => Buffer.from(wholeValue(value));
  return Buffer.concat([
    whole(made.items),
    whole(made.links.length),
    ...(version >= 2 ? [whole(made.options)] : []),
    ...(version >= 4 ? [whole(made.growth)] : []),
    ...made.links.flatMap((one, i) => [
      whole(one.capacity),
      doubleOf(one.fpr),
      whole(one.k),
      doubleOf(one.bitsPerKey),
      ...(version >= 1 ? [whole(8 * one.bytes), whole(powerOf(one))] : []),
      Buffer.from(stringBefore(one.bytes)),
      bits[i] ?? Buffer.of(),
      whole(one.items),
    ]),
    Buffer.of(0),
  ]);
}

test('the values of a filter are those of the model in all versions', () => {
  const small = link.map((one) => ({ ...one, bytes: 1 + (one.bytes % 300) }));
  const made = filter.chain((one) =>
    fc.array(small, { minLength: 1, maxLength: 3 }).map((links) => ({ ...one, links })),
  );
  const property = fc.property(made, fc.nat(4), (one, version) => {
    // Version 0 has no number of bits: capacity times bits per key.
    const links =
      version > 0
        ? one.links
        : one.links.map((each) => ({ ...each, isPower: false, capacity: 10 * each.bytes, bitsPerKey: 0.55 }));
    const bits = links.map(({ bytes }, i) => new Uint8Array(bytes).fill(i + 1));
    const found = decodeBloom(bloomValues({ ...one, links }, version, bits), version, 'x');
    expect(found.links).toEqual({
      items: one.items,
      options: version >= 2 ? one.options : 0,
      growth: version >= 4 ? one.growth : undefined,
      links: links.map((each) => ({
        ...readLink(each),
        ...(version === 0 && { bits: Math.trunc(each.capacity * 0.55) }),
      })),
    });
    expect(found.bits.map((each) => Buffer.from(each).toString('hex'))).toEqual(
      bits.map((each) => Buffer.from(each).toString('hex')),
    );
  });
  fc.assert(property, { numRuns: RUNS });
  const none = bloomValues({ items: 0, options: 0, growth: 2, links: [] }, 4, []);
  expect(() => decodeBloom(none, 4, 'x')).toThrow('x is damaged: it has no array of bits');
  expect(() => decodeBloom(none, 5, 'x')).toThrow('x is damaged: its version 5 is unknown');
});
