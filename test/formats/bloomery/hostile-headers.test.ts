// An attacker can write any header with a correct checksum. A reader accepts it only if FORMAT.md allows it, and rejects it
// before it uses any of the fields.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../../src/errors.ts';
import { KINDS, PROTECTED_KINDS, requireShape } from '../../../src/filters/registry.ts';
import { descriptionOf } from '../../../src/formats/bloomery/bloomery.ts';
import { decodeHeader } from '../../../src/formats/bloomery/header.ts';
import { portableChecksum } from '../../../src/formats/checksum.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { rangeOf } from '../../../src/sizing/share.ts';
import { loadFilter } from '../../engine/loading.ts';
import { inLongRuns } from '../../long.ts';
import { sealHeader } from '../../reference/bloom-file.ts';
import { isLegalHeader } from '../../reference/header-rules.ts';
import { type PartNumber, segmentsOfPart } from '../../reference/parts.ts';
import { fewKeysOfEveryKind, KIND_NAMES } from './every-kind.ts';
import { loading, outcome, placed, readingHeader, withField } from './files.ts';
import { headerIn } from './opened.ts';

type Write = (header: DataView) => void;

const fileOfKind = fewKeysOfEveryKind();

/** Decodes a header alone, as a reader of its filter does. */
async function judged(bytes: Uint8Array): Promise<void> {
  const header = await decodeHeader(bytes, 'x', portableChecksum);
  requireShape(descriptionOf(header, 'x'), 'x');
}

async function expectRefusal(file: Uint8Array): Promise<void> {
  const header = file.slice(0, 128);
  expect(isLegalHeader(header)).toBe(false);
  expect(await outcome(judged(header))).toBe('format');
  expect(await loading(file)).toBe('format');
}

test.each(KIND_NAMES)('the header of a %s filter is accepted', async (kind) => {
  const header = fileOfKind(kind).slice(0, 128);
  expect(isLegalHeader(header)).toBe(true);
  expect(await outcome(judged(header))).toBe('accepted');
});

/** Sets all fields that depend on the segments. */
function shape(segments: number, segmentBits: number): Write {
  return (header) => {
    const bits = BigInt(segments) * BigInt(segmentBits);
    header.setBigUint64(32, bits, true);
    header.setUint32(40, segments, true);
    header.setUint32(44, segmentBits, true);
    header.setBigUint64(72, bits / 8n, true);
  };
}

const both =
  (...writes: readonly Write[]): Write =>
  (header) => {
    for (const write of writes) write(header);
  };
const k =
  (k: number): Write =>
  (header) =>
    header.setUint32(20, k, true);
const byte =
  (at: number, value: number): Write =>
  (header) =>
    header.setUint8(at, value);
const big =
  (at: number, value: bigint): Write =>
  (header) =>
    header.setBigUint64(at, value, true);
const rate =
  (value: number): Write =>
  (header) =>
    header.setFloat64(56, value, true);

/** The least number that is not a kind. */
const UNKNOWN = 1 + Math.max(...[...KINDS, ...PROTECTED_KINDS].map(({ id }) => id));

const ANY_KIND: readonly [string, Write][] = [
  ['k = 0', k(0)],
  ['k = 65', k(65)],
  ['k = 2^32 - 1', k(2 ** 32 - 1)],
  ['no bits', shape(1, 0)],
  ['no segments', shape(0, 512)],
  ['segments of half a line', shape(2, 256)],
  ['2^21 + 1 segments', shape(2 ** 21 + 1, 2 ** 22)],
  ['2^32 - 1 segments', shape(2 ** 32 - 1, 512)],
  ['2^32 - 1 segments of 2^32 - 512 bits', shape(2 ** 32 - 1, 2 ** 32 - 512)],
  ['2^53 bits', shape(2 ** 21 + 1, 2 ** 32 - 512)],
  ['2^21 segments of one line', shape(2 ** 21, 512)],
  ['a segment of 2^32 - 512 bits', shape(1, 2 ** 32 - 512)],
  ['bits that overflow', big(32, 2n ** 64n - 512n)],
  ['a payload that overflows', big(72, 2n ** 64n - 64n)],
  ['the payload length in bits', (header) => header.setBigUint64(72, header.getBigUint64(32, true), true)],
  ['2^53 keys of capacity', big(48, 2n ** 53n)],
  ['2^64 - 1 keys of capacity', big(48, 2n ** 64n - 1n)],
  ['2^53 keys', big(64, 2n ** 53n)],
  ['2^64 - 1 keys', big(64, 2n ** 64n - 1n)],
  ['a rate of 0', rate(0)],
  ['a rate of -0', rate(-0)],
  ['a rate of 1', rate(1)],
  ['a negative rate', rate(-0.01)],
  ['an infinite rate', rate(Number.POSITIVE_INFINITY)],
  ['a rate of minus infinity', rate(Number.NEGATIVE_INFINITY)],
  ['no number for a rate', rate(Number.NaN)],
  ['kind 0', (header) => header.setUint16(12, 0, true)],
  ['the first kind that is none', (header) => header.setUint16(12, UNKNOWN, true)],
  ['kind 65535', (header) => header.setUint16(12, 65535, true)],
  ['a last parameter', byte(119, 1)],
];

describe.each(KIND_NAMES)('the header of a %s filter is refused with', (kind) => {
  test.each(ANY_KIND)('%s', async (_, write) => {
    await expectRefusal(withField(fileOfKind(kind), write));
  });

  const isScalable = kind === 'scalable';
  test(isScalable ? 'no chain' : 'a chain', async () => {
    const parameters = fileOfKind(isScalable ? 'bloom' : 'scalable').subarray(80, 120);
    expect(parameters.every((value) => value === 0)).toBe(isScalable);
    const write: Write = ({ buffer, byteOffset }) => new Uint8Array(buffer, byteOffset).set(parameters, 80);
    await expectRefusal(withField(fileOfKind(kind), write));
  });
});

/** Turns a header into that of a part, which has `held` of the filter's `segments` segments. */
const partOf = (which: PartNumber, segments: number, held: number): Write =>
  both(shape(segments, 2 ** 22), (header) => {
    header.setUint32(16, header.getUint32(16, true) | 4, true);
    header.setUint32(80, which[0], true);
    header.setUint32(84, which[1], true);
    header.setBigUint64(72, BigInt(held) * 2n ** 19n, true);
  });

describe('the header of a part', () => {
  test.each<[PartNumber, number, number]>([
    [[1, 2], 2, 1],
    [[2, 3], 8, 3],
    [[3, 3], 8, 3],
    [[1000, 1000], 1000, 1],
    [[2 ** 21, 2 ** 21], 2 ** 21, 1],
  ])('%j of a filter of %d segments has %d of them', async (which, segments, held) => {
    const header = withField(fileOfKind('bloom'), partOf(which, segments, held)).slice(0, 128);
    expect(isLegalHeader(header)).toBe(true);
    expect(await outcome(judged(header))).toBe('accepted');
    const description = descriptionOf(await decodeHeader(header, 'x', portableChecksum), 'x');
    const [first, end] = segmentsOfPart(segments, which);
    expect(rangeOf(description.shape)).toMatchObject({ first, count: end - first, of: segments });
  });

  test.each<[string, Write]>([
    ['part 0', partOf([0, 2], 4, 2)],
    ['part 3 of 2', partOf([3, 2], 4, 2)],
    ['part 2^32 - 1 of 2^32 - 1', partOf([2 ** 32 - 1, 2 ** 32 - 1], 4, 1)],
    ['1 part', partOf([1, 1], 4, 4)],
    ['no parts', partOf([1, 0], 4, 4)],
    ['nothing said', partOf([0, 0], 4, 4)],
    ['more parts than segments', partOf([1, 5], 4, 1)],
    ['a part of no segment', partOf([1, 5], 4, 0)],
    ['the segments of the whole filter', partOf([1, 2], 4, 4)],
    ['a segment too many', partOf([1, 3], 4, 2)],
    ['a part of one segment', partOf([1, 2], 1, 1)],
    ['2^21 + 1 segments', partOf([1, 2 ** 21], 2 ** 21 + 1, 1)],
    ['something behind the part', both(partOf([1, 2], 4, 2), byte(88, 1))],
    ['something at the end', both(partOf([1, 2], 4, 2), byte(119, 1))],
    ['another flag', both(partOf([1, 2], 4, 2), byte(16, 12))],
    ['no flag', both(partOf([1, 2], 4, 2), byte(16, 0))],
    ['segments that are too small', both(shape(4, 2 ** 14), byte(16, 4), byte(80, 1), byte(84, 2), big(72, 2n ** 12n))],
    ['kind scalable', both(partOf([1, 2], 4, 2), (header) => header.setUint16(12, 7, true))],
  ])('is refused with %s', async (_, write) => {
    await expectRefusal(withField(fileOfKind('bloom'), write));
  });

  test('is refused in a scalable filter, whatever its chain is', async () => {
    const isPart: Write = (header) => header.setUint32(16, 4, true);
    await expectRefusal(withField(fileOfKind('scalable'), isPart));
  });
});

/** A quotient filter of `count` blocks with remainders of r bits. */
const blocks = (count: number, r: number) => both(k(r), shape(1, count * 64 * (r + 3)));

describe.each<[string, readonly [string, Write][]]>([
  [
    'blocked',
    [
      ['k = 7', k(7)],
      ['k = 9', k(9)],
      ['k = 64', k(64)],
    ],
  ],
  [
    'cuckoo',
    [
      ['fingerprints of 33 bits', k(33)],
      ['fingerprints of 64 bits', k(64)],
    ],
  ],
  [
    'quotient',
    [
      ['remainders of 33 bits', blocks(16, 33)],
      ['remainders of 61 bits', blocks(16, 61)],
      ['remainders of 64 bits', blocks(16, 64)],
      ['8 blocks, all of them behind the last quotient', blocks(8, 7)],
      ['more slots than the table can count', blocks(2 ** 18, 7)],
      ['a part of a block', both(k(7), shape(1, 20 * 512 + 512))],
      ['the remainders of another r', k(6)],
      ['half of its bits', both(k(7), shape(1, 512))],
    ],
  ],
  [
    'ribbon',
    [
      ['fingerprints of 33 bits', both(k(33), shape(1, 2 ** 20))],
      ['fingerprints of 64 bits', both(k(64), shape(1, 2 ** 20))],
      ['no block', both(k(32), shape(1, 512))],
      ['1 block', both(k(4), shape(1, 512))],
      ['2 blocks', both(k(3), shape(1, 512))],
    ],
  ],
  [
    'scalable',
    [
      ['no slices', byte(80, 0)],
      ['19 slices', byte(80, 19)],
      ['255 slices', byte(80, 255)],
      ['a slice that is not there', byte(80, 2)],
      ['growth 0', byte(81, 0)],
      ['growth 1', byte(81, 1)],
      ['growth 3', byte(81, 3)],
      ['growth 255', byte(81, 255)],
      ['tightening 0', (header) => header.setUint16(82, 0, true)],
      ['tightening 1', (header) => header.setUint16(82, 10_000, true)],
      ['tightening 6.5', (header) => header.setUint16(82, 65_535, true)],
      ['a slice of more segments', byte(84, 1)],
      ['a slice of 2^32 segments', byte(84, 32)],
      ['a slice of 2^255 segments', byte(84, 255)],
      ['a slice of 2^31 segments, as many as it says', both(byte(84, 31), shape(2 ** 31, 512))],
      ['a slice of k = 0', both(byte(85, 0), k(0))],
      ['a slice of k = 65', both(byte(85, 65), k(65))],
      ['a first slice of another k', byte(85, 1)],
      ['two slices, the second of k = 0', both(byte(80, 2), shape(2, 512))],
      ['two slices, the second of k = 255', both(byte(80, 2), byte(87, 255), shape(2, 512))],
      ['bytes behind its slices', byte(86, 1)],
    ],
  ],
])('the header of a %s filter is refused with', (kind, cases) => {
  test.each(cases)('%s', async (_, write) => {
    await expectRefusal(withField(fileOfKind(kind), write));
  });
});

/** Returns whether a kind has small segments on request. */
const mayBeFine = (kind: string) => !['cuckoo', 'quotient', 'scalable'].includes(kind);

/** The number of which a segment's bits are a multiple. */
const unitOf = (kind: string) =>
  kind === 'quotient' ? 512 * (new DataView(fileOfKind(kind).buffer).getUint32(20, true) + 3) : 512;
/** The chain of a scalable filter with one slice of 2^`exponent` segments; other kinds have none. */
const slice = (kind: string, exponent: number): Write => byte(84, kind === 'scalable' ? exponent : 0);
const headerOf = (kind: string, ...writes: readonly Write[]) =>
  withField(fileOfKind(kind), both(...writes)).slice(0, 128);

describe.each(KIND_NAMES.filter((kind) => kind !== 'scalable'))('the segments of a %s filter', (kind) => {
  test('are not two where one would be large enough', async () => {
    const unit = unitOf(kind);
    const half = unit * Math.floor((mayBeFine(kind) ? 2 ** 14 : 2 ** 21) / unit);
    await expectRefusal(withField(fileOfKind(kind), shape(2, half)));
    expect(await outcome(judged(headerOf(kind, shape(2, half + unit))))).toBe('accepted');
  });

  test('may have tags, which the payload includes', async () => {
    const unit = unitOf(kind);
    const tagged = both(shape(2, unit * Math.ceil(2 ** 22 / unit - 1)), (header) => {
      header.setUint32(16, 16, true);
      header.setBigUint64(72, header.getBigUint64(72, true) + 16n, true);
    });
    expect(isLegalHeader(headerOf(kind, tagged))).toBe(true);
    expect(await outcome(judged(headerOf(kind, tagged)))).toBe('accepted');
    await expectRefusal(withField(fileOfKind(kind), both(tagged, byte(16, 0))));
    await expectRefusal(withField(fileOfKind(kind), byte(16, 16)));
  });

  test('are not too many small ones', async () => {
    for (const segments of [2, 2 ** 20, 2 ** 21])
      await expectRefusal(withField(fileOfKind(kind), shape(segments, 16 * unitOf(kind))));
  });

  test('have at most 2^22 bits, unless they may have been enlarged', async () => {
    const larger = shape(1, unitOf(kind) * Math.floor(2 ** 22 / unitOf(kind) + 1));
    if (kind === 'quotient') expect(await outcome(judged(headerOf(kind, larger)))).toBe('accepted');
    else await expectRefusal(withField(fileOfKind(kind), larger));
  });
});

test('the segments of a scalable filter have 2^14 to 2^22 bits', async () => {
  for (const bits of [512, 2 ** 14 - 512, 2 ** 22 + 512])
    await expectRefusal(withField(fileOfKind('scalable'), shape(1, bits)));
  for (const bits of [2 ** 14, 2 ** 22])
    expect(await outcome(judged(headerOf('scalable', slice('scalable', 1), shape(2, bits))))).toBe('accepted');
});

test.each(KIND_NAMES)(
  'a %s filter with the largest numbers of a header is refused for the length of its file',
  async (kind) => {
    const [segments, unit] = [2 ** 21, unitOf(kind)];
    const segmentBits = unit * Math.ceil(2 ** 22 / unit);
    const file = withField(fileOfKind(kind), both(shape(segments, segmentBits), slice(kind, 21)));
    expect(isLegalHeader(file.slice(0, 128))).toBe(true);
    expect(await readingHeader(file)).toBe('format');
    expect(await loading(file)).toBe('format');
    const promised = 128n + (BigInt(segments) * BigInt(segmentBits)) / 8n + 16n * BigInt(segments) + 8n;
    await expect(headerIn(placed(file))).rejects.toThrow(
      `it has ${file.length} bytes instead of the ${promised} of its header`,
    );
  },
);

test.each<[string, Write]>([
  ['impossible for a cuckoo filter', k(33)],
  ['this bloom does not know', (header) => header.setUint16(12, UNKNOWN, true)],
])('an impossible shape that %s is refused before anything after the header is read', async (why, write) => {
  const file = withField(fileOfKind('cuckoo'), write);
  file[file.length - 1] = (file.at(-1) ?? 0) ^ 1;
  for (const damaged of [file, file.slice(0, -1)])
    await expect(loadFilter(loadKernel(), placed(damaged), 1, 'query')).rejects.toThrow(why);
});

describe('any header', () => {
  const runs = inLongRuns(4000, 300);
  const nastyBig = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc
      .tuple(fc.nat(64), fc.integer({ min: -2, max: 2 }))
      .map(([power, off]) => BigInt.asUintN(64, 2n ** BigInt(power) + BigInt(off))),
    fc.nat(4096).map(BigInt),
    fc.nat(2 ** 20).map((lines) => 512n * BigInt(lines)),
  );
  const nastyRate = fc.oneof(
    fc.double(),
    fc.double({ min: 0, max: 1 }),
    fc.constantFrom(0, 1, -1, 5e-324, 1 - 2 ** -53),
  );
  const field = (size: number, at: number) =>
    nastyBig.map(
      (value): Write =>
        (header) => {
          if (size === 1) header.setUint8(at, Number(value & 0xffn));
          else if (size === 2) header.setUint16(at, Number(value & 0xffffn), true);
          else if (size === 4) header.setUint32(at, Number(value & 0xffffffffn), true);
          else header.setBigUint64(at, value, true);
        },
    );
  const kindWrite = fc.nat(UNKNOWN + 1).map(
    (kind): Write =>
      (header) =>
        header.setUint16(12, kind, true),
  );
  const hashesWrite = fc.nat(70).map(k);
  const consistent = fc
    .tuple(fc.oneof(fc.nat(40), fc.nat(2 ** 25)), fc.oneof(fc.nat(400), fc.nat(2 ** 23)))
    .map(([segments, lines]) => shape(segments, 512 * lines));
  const chain = fc
    .tuple(
      fc.nat(20),
      fc.constantFrom(0, 1, 2, 3, 4, 8, 16),
      fc.nat(10_100),
      fc.array(fc.tuple(fc.nat(25), fc.nat(66)), { minLength: 1, maxLength: 18 }),
    )
    .map(
      ([off, growth, tightening, slices]): Write =>
        (header) => {
          // Most chains are plausible.
          header.setUint8(80, off < 15 ? slices.length : off);
          header.setUint8(81, growth);
          header.setUint16(82, tightening, true);
          for (let at = 84; at < 120; at++) header.setUint8(at, 0);
          for (const [i, [exponent, k]] of slices.entries()) {
            header.setUint8(84 + 2 * i, exponent);
            header.setUint8(85 + 2 * i, k);
          }
          if (off % 2 === 0) header.setUint32(20, slices[0]?.[1] ?? 0, true);
          if (off % 3 > 0)
            shape(
              slices.reduce((sum, [exponent]) => sum + 2 ** exponent, 0),
              512 * (1 + off),
            )(header);
        },
    );
  const write = fc.oneof(
    ...[8, 10, 12, 14].map((at) => field(2, at)),
    ...[16, 20, 40, 44].map((at) => field(4, at)),
    ...[32, 48, 64, 72].map((at) => field(8, at)),
    nastyRate.map(rate),
    kindWrite,
    hashesWrite,
    { weight: 4, arbitrary: consistent },
    { weight: 4, arbitrary: chain },
    fc.tuple(fc.nat(119), fc.nat(255)).map(([at, value]) => byte(at, value)),
  );

  test('is accepted exactly if FORMAT.md allows it, and is otherwise refused with a message', async () => {
    let taken = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...KIND_NAMES),
      fc.array(write, { minLength: 1, maxLength: 3 }),
      async (kind, writes) => {
        const header = fileOfKind(kind).slice(0, 128);
        both(...writes)(new DataView(header.buffer));
        sealHeader(header);
        const isLegal = isLegalHeader(header);
        const error = await judged(header).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error === undefined).toBe(isLegal);
        if (isLegal) taken++;
        else
          expect(error).toMatchObject({
            constructor: BloomError,
            code: 'format',
            message: expect.stringMatching(/^x /),
          });
      },
    );
    await fc.assert(property, { seed: 20, numRuns: runs });
    // A test with few accepted headers would prove little.
    expect(taken).toBeGreaterThan(runs / 20);
  }, 3_600_000);
});
