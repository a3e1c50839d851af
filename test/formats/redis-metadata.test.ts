// The header, the values and the dumps of RedisBloom against a model of rebloom.c, sb.c, rdb.c and liblzf: random numbers in every form
// that Redis has for them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Description } from '../../src/formats/description.ts';
import { blueprintOf, commands, emptied, raw } from '../../src/formats/redisbloom/blueprint.ts';
import { decodeCuckoo } from '../../src/formats/redisbloom/cuckoo-dump.ts';
import { lengthsOf } from '../../src/formats/redisbloom/cuckoo-head.ts';
import { decodeBloom } from '../../src/formats/redisbloom/dump.ts';
import { decodeHeader, encodeHeader, headerBytes } from '../../src/formats/redisbloom/header.ts';
import { isLikely } from '../../src/formats/redisbloom/header-layouts.ts';
import type { ChangeableLinks, RedisLink } from '../../src/formats/redisbloom/links.ts';
import { mergingOf } from '../../src/formats/redisbloom/merging.ts';
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

describe('a filter that is written', () => {
  const described = () => ({}) as Description;
  const key = Buffer.from('k');
  const links = (...all: readonly Partial<RedisLink>[]): ChangeableLinks => {
    const one = { bytes: 3, bits: 24, k: 2, capacity: 9, fpr: 0.5, bitsPerKey: 2, power: 0, items: 4 };
    return { items: 4 * all.length, options: 5, growth: 2, links: all.map((changed) => ({ ...one, ...changed })) };
  };

  test.each([
    [3, 2 ** 24, 2 ** 25, 2 ** 24 + 1],
    [1, 2 ** 24 - 1],
  ])('as commands has chunks of at most 16 MiB, and states in each where it ends: arrays of %d bytes', (...arrays) => {
    const made = links(...arrays.map((bytes) => ({ bytes })));
    const { pieces } = commands(key)(made);
    const texts = pieces.map((piece) => (piece instanceof Uint8Array ? Buffer.from(piece).toString('latin1') : piece));
    const head = Buffer.from(encodeHeader(made)).toString('latin1');
    const command = (n: number, bytes: number) =>
      `*4\r\n$12\r\nBF.LOADCHUNK\r\n$1\r\nk\r\n$${`${n}`.length}\r\n${n}\r\n$${bytes}\r\n`;
    const expected: unknown[] = [command(1, head.length), head, '\r\n'];
    let end = 1;
    for (const [array, bytes] of arrays.entries()) {
      for (let from = 0; from < bytes; from += 2 ** 24) {
        const length = Math.min(2 ** 24, bytes - from);
        end += length;
        expected.push(command(end, length), { array, from, bytes: length }, '\r\n');
      }
    }
    expect(texts).toEqual(expected);
  });

  test('has the keys that were added to each of its arrays', () => {
    const { pieces } = blueprintOf(links({}, { items: 1 }), raw, described).written([2, 3], () => 0);
    const [head = new Uint8Array()] = pieces.filter((piece) => piece instanceof Uint8Array);
    const found = decodeHeader(viewOf(head), 'x');
    expect([found.items, ...found.links.map(({ items }) => items)]).toEqual([8 + 5, 6, 4]);
    expect(pieces.slice(1)).toEqual([0, 1].map((array) => ({ array, from: 0, bytes: 3 })));
  });

  test.each([
    ['5 of 9 keys', { items: 4 }, 5, 5],
    ['as many as it was sized for', { items: 9 }, 5, 0],
    ['more', { items: 10 }, 5, 0],
    ['5 of 9 keys, and does not grow', { items: 4 }, 5 + 8, 5],
  ])('has room for the rest of its capacity if it has %s', (_, changed, options, rest) => {
    const { remaining, growth } = blueprintOf({ ...links(changed), options }, raw, described);
    expect([remaining, growth?.remaining]).toEqual(options === 5 ? [undefined, rest] : [rest, undefined]);
  });

  test('like another has the first of its arrays, without keys', () => {
    expect(emptied(links({ bytes: 7 }, { bytes: 9 }))).toEqual({ ...links({ bytes: 7, items: 0 }), items: 0 });
  });

  test('from several is one of like arrays if its capacity is that of all, and a chain otherwise', () => {
    const mergingFor = (made: ChangeableLinks) => ({
      description: described(),
      arrays: [],
      merging: mergingOf(made, raw, described),
    });
    const union = (...all: readonly ChangeableLinks[]) => {
      const [first, ...others] = all.map(mergingFor);
      const found = first?.merging.unionWith(others);
      const [head] = found?.written([]).pieces ?? [];
      const { items, links: chain } = decodeHeader(viewOf(head as Uint8Array), 'x');
      return { items, each: chain.map((one) => one.items), from: found?.arrays.map(({ from }) => from) };
    };
    const alone = [0, 1].map((file) => [{ file, array: 0 }]);
    expect(union(links({}), links({}))).toEqual({ items: 8, each: [8], from: [alone.flat()] });
    expect(union(links({ capacity: 8 }), links({ capacity: 8 })).each).toEqual([8]);
    expect(union(links({ capacity: 7 }), links({ capacity: 7 }))).toEqual({ items: 8, each: [4, 4], from: alone });
    for (const other of [{ bytes: 4 }, { k: 3 }, { capacity: 10 }, { power: 4, bits: 16 }])
      expect(union(links({}), links(other)).from).toEqual(alone);
    expect(union(links({}), links({}, {}))).toEqual({
      items: 12,
      each: [4, 4, 4],
      from: [...alone, [{ file: 1, array: 1 }]],
    });
    expect(union(links({}, {}), links({})).from).toEqual([
      [{ file: 0, array: 0 }],
      [{ file: 0, array: 1 }],
      [{ file: 1, array: 0 }],
    ]);
  });
});

describe('cuckoo filters', () => {
  const head = (changed: {
    items?: bigint;
    buckets?: bigint;
    removals?: bigint;
    filters?: bigint;
    slots?: number;
    expansion?: number;
  }) => {
    const { items = 0n, buckets = 8n, removals = 0n, filters = 1n, slots = 2, expansion = 1 } = changed;
    const view = new DataView(new ArrayBuffer(38));
    for (const [i, value] of [items, buckets, removals, filters].entries()) view.setBigUint64(8 * i, value, true);
    view.setUint16(32, slots, true);
    view.setUint16(34, 500, true);
    view.setUint16(36, expansion, true);
    return view;
  };

  test.each([
    ['of one array', {}, [16]],
    ['that grows by 3', { filters: 4n, expansion: 3 }, [16, 48, 144, 432]],
    ['with as many keys as slots', { items: 16n }, [16]],
    ['with more keys than slots', { items: 17n }, undefined],
    ['with keys for all arrays', { items: 64n, filters: 2n, expansion: 3 }, [16, 48]],
    ['without buckets', { buckets: 0n }, undefined],
    ['with 6 buckets', { buckets: 6n }, undefined],
    ['with one bucket', { buckets: 1n }, [2]],
    ['without arrays', { filters: 0n }, undefined],
    ['with 1,025 arrays', { filters: 1025n }, undefined],
    ['without slots', { slots: 0 }, undefined],
    ['with 2^48 removals', { removals: 2n ** 48n }, [16]],
    ['with more removals', { removals: 2n ** 48n + 1n }, undefined],
    ['of 2^40 slots', { buckets: 2n ** 39n }, [2 ** 40]],
    ['of 2^41 slots', { buckets: 2n ** 40n }, undefined],
    ['whose second array has none', { filters: 2n, expansion: 0 }, undefined],
    ['whose second array is too large', { filters: 2n, buckets: 2n ** 38n, expansion: 4 }, undefined],
  ])('%s', (_, changed, expected) => expect(lengthsOf(head(changed))).toEqual(expected));

  test('have 1,024 arrays at most', () => expect(lengthsOf(head({ filters: 1024n }))).toHaveLength(1024));

  const values = (numbers: readonly number[], arrays: readonly (readonly [buckets: number, slots: number])[]) =>
    Buffer.concat([
      ...numbers.map((number) => Buffer.from(wholeValue(number))),
      ...arrays.flatMap(([buckets, slots]) => [
        wholeValue(buckets),
        stringBefore(slots),
        new Uint8Array(slots).fill(buckets),
      ]),
      Buffer.of(0),
    ]);

  test('have the values of the model', () => {
    // Arrays, buckets, items, removals, slots per bucket, iterations, growth.
    const found = decodeCuckoo(
      values(
        [2, 4, 7, 1, 3, 20, 2],
        [
          [4, 12],
          [8, 24],
        ],
      ),
      4,
      'x',
    );
    expect({ ...found, arrays: found.arrays.map((one) => [...one]) }).toEqual({
      items: 7n,
      bucketSlots: 3,
      arrays: [Array(12).fill(4), Array(24).fill(8)],
    });
  });

  test.each([
    ['without arrays', values([0, 4, 7, 1, 3, 20, 2], []), 'it states 0 arrays and 3 slots per bucket'],
    ['with 1,025 arrays', values([1025, 4, 7, 1, 3, 20, 2], []), 'it states 1025 arrays and 3 slots per bucket'],
    ['without slots', values([1, 4, 7, 1, 0, 20, 2], [[4, 0]]), 'it states 1 arrays and 0 slots per bucket'],
    ['with 256 slots in a bucket', values([1, 1, 7, 1, 256, 20, 2], [[1, 256]]), 'it states 1 arrays and 256 slots'],
    [
      'with a slot too many',
      values([1, 4, 7, 1, 3, 20, 2], [[4, 13]]),
      'the length of an array does not fit its buckets',
    ],
    ['without buckets', values([1, 4, 7, 1, 3, 20, 2], [[0, 0]]), 'the length of an array does not fit its buckets'],
  ])('%s are refused', (_, bytes, message) => expect(() => decodeCuckoo(bytes, 4, 'x')).toThrow(message));

  test.each([3, 5])('of version %d are refused', (version) => {
    expect(() => decodeCuckoo(values([1, 4, 7, 1, 3, 20, 2], [[4, 12]]), version, 'x')).toThrow(
      `in version ${version}, and`,
    );
  });

  test('may have 255 slots in a bucket', () => {
    expect(decodeCuckoo(values([1, 1, 7, 1, 255, 20, 2], [[1, 255]]), 4, 'x').bucketSlots).toBe(255);
  });
});
