// Payloads with correct checksums that no keys can make. Their answers are undefined, but a command must answer or reject the
// file soon, and must not damage anything else.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeSegments } from '../../../src/engine/store/merge-segments.ts';
import { type Content, contentInFile, surveyContent } from '../../../src/engine/survey.ts';
import { KINDS } from '../../../src/filters/registry.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { scratch } from '../../cli/run.ts';
import { loadFilter, openSegmentedFile } from '../../engine/loading.ts';
import { digestsOf, keysNamed, linesOf, openVessel } from '../../filters/filling.ts';
import { IS_LONG, inLongRuns } from '../../long.ts';
import { sealTable } from '../../reference/bloom-file.ts';
import { createRandom } from '../../reference/random.ts';
import { fewKeysOfEveryKind, KIND_NAMES } from './every-kind.ts';
import { outcome, placed, withField } from './files.ts';

const { shell, within } = scratch();
const KEYS = 100;
let digests: BigUint64Array = new BigUint64Array();
beforeAll(async () => {
  digests = await digestsOf(linesOf(keysNamed('key', KEYS)));
});

const fileOfKind = fewKeysOfEveryKind({ fpr: 0.1 });

/** Expects that the reported numbers are possible. */
function expectPossible({ fillRatio, predictedFpr, distinct }: Content): void {
  for (const share of [fillRatio, predictedFpr]) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
  expect(distinct.count).toBeGreaterThanOrEqual(0);
}

/** Queries a filter; returns how many keys are maybe present. */
async function found(file: Uint8Array): Promise<number> {
  const loaded = await loadFilter(loadKernel(), placed(file), 1, 'query');
  try {
    const { description, fills, name } = loaded;
    const vessel = openVessel(description.shape, loaded.store);
    expectPossible(contentInFile(description, fills(), name));
    const count = vessel.count(digests);
    surveyContent(description, vessel.segments.fills());
    return count;
  } finally {
    loaded.close();
  }
}

/** Removes keys and adds them, if the kind supports this. */
async function changed(file: Uint8Array): Promise<void> {
  const loaded = await loadFilter(loadKernel(), placed(file), 1, 'change');
  try {
    const { description } = loaded;
    const { abilities } = description.kind;
    const vessel = openVessel(description.shape, loaded.store);
    if (abilities.includes('remove')) vessel.remove(digests);
    if (abilities.includes('add')) vessel.add(digests);
    if (abilities.includes('add')) expect(vessel.count(digests)).toBe(KEYS);
    surveyContent(description, vessel.segments.fills());
  } finally {
    loaded.close();
  }
}

/** Merges a filter with another of its shape. */
async function merged(file: Uint8Array, other: Uint8Array): Promise<void> {
  const one = await openSegmentedFile(placed(file, 'a.bloom'), 'merge');
  const another = await openSegmentedFile(placed(other, 'b.bloom'), 'merge');
  try {
    const { description } = one;
    const { kind } = description;
    if (kind.abilities.includes('union')) await mergeSegments(loadKernel(), [one, another], description, undefined);
  } finally {
    one.close();
    another.close();
  }
}

/** Expects that every operation on the filter succeeds or fails with a message. */
async function expectAnswers(file: Uint8Array, other = file): Promise<void> {
  const asked = async () => {
    const count = await found(file);
    expect(count).toBeGreaterThanOrEqual(0);
    expect(count).toBeLessThanOrEqual(KEYS);
  };
  expect(['accepted', 'format']).toContain(await outcome(asked()));
  expect(['accepted', 'format', 'capacity']).toContain(await outcome(changed(file)));
  expect(['accepted', 'capacity']).toContain(await outcome(merged(file, other)));
}

/** A file with a changed payload; without `fills` the fills stay. */
function withPayload(file: Uint8Array, fill: (payload: Uint8Array) => void, fills?: readonly bigint[]): Uint8Array {
  const copy = file.slice();
  const length = Number(new DataView(copy.buffer).getBigUint64(72, true));
  fill(copy.subarray(128, 128 + length));
  sealTable(copy, fills);
  return copy;
}

/** An empty file of one segment of `segmentBits` bits. */
function emptied(file: Uint8Array, k: number, segmentBits: number): Uint8Array {
  const larger = new Uint8Array(128 + segmentBits / 8 + 24);
  larger.set(file.subarray(0, 128));
  const resized = withField(larger, (header) => {
    header.setUint32(20, k, true);
    header.setBigUint64(32, BigInt(segmentBits), true);
    header.setUint32(40, 1, true);
    header.setUint32(44, segmentBits, true);
    header.setBigUint64(72, BigInt(segmentBits / 8), true);
  });
  sealTable(resized);
  return resized;
}

const randomBytes = (seed: number) => (payload: Uint8Array) => {
  const random = createRandom(seed);
  for (let i = 0; i < payload.length; i++) payload[i] = random();
};

const PAYLOADS: readonly [string, (payload: Uint8Array) => void][] = [
  ['nothing but zeros', (payload) => payload.fill(0)],
  ['nothing but ones', (payload) => payload.fill(0xff)],
  ['alternating bits', (payload) => payload.fill(0x55)],
  ['a one in each byte', (payload) => payload.fill(0x10)],
  ['random bits', randomBytes(1)],
  ['other random bits', randomBytes(2)],
  [
    'few random bits',
    (payload) => {
      const [once, twice] = [payload.slice(), payload.slice()];
      randomBytes(3)(payload);
      randomBytes(4)(once);
      randomBytes(5)(twice);
      for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) & (once[i] ?? 0) & (twice[i] ?? 0);
    },
  ],
];

const FILLS = [0n, 1n, 2n ** 21n - 1n, 2n ** 32n, 2n ** 42n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];

/** Every third case, with another start for each kind. Long runs have all cases. */
function someOf<T>(cases: readonly T[], kind: (typeof KIND_NAMES)[number]): readonly T[] {
  const first = KIND_NAMES.indexOf(kind);
  return cases.filter((_, i) => IS_LONG || (i + first) % 3 === 0);
}

describe.each(KIND_NAMES)('a %s filter', (kind) => {
  test.each(someOf(PAYLOADS, kind))('of %s answers or refuses', async (_, fill) => {
    await expectAnswers(withPayload(fileOfKind(kind), fill));
  });

  test('whose table states an impossible fill is refused', async () => {
    const full = withPayload(fileOfKind(kind), () => {}, [2n ** 64n - 1n]);
    expect(await outcome(found(full))).toBe('format');
  });

  test.each(someOf(FILLS, kind))('answers or refuses if its table states %d of its fill', async (fill) => {
    await expectAnswers(withPayload(fileOfKind(kind), () => {}, [fill]));
  });

  const runs = inLongRuns(100, 3);
  test('answers or refuses if its bytes were changed', async () => {
    const change = fc.tuple(
      fc.nat(),
      fc.oneof(fc.constant(0), fc.constant(0xff), fc.nat(255)),
      fc.integer({ min: 1, max: 64 }),
    );
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      async (changes, fillOfSegment) => {
        const damage = (payload: Uint8Array) => {
          for (const [at, value, length] of changes)
            payload.fill(value, at % payload.length, (at % payload.length) + length);
        };
        await expectAnswers(withPayload(fileOfKind(kind), damage, fillOfSegment === null ? [] : [fillOfSegment]));
      },
    );
    await fc.assert(property, { seed: 3, numRuns: runs });
  });
});

/** Kinds that can detect an invalid segment without a query. */
const WARY = KINDS.filter(({ isSegment }) => isSegment !== undefined).map(({ name }) => name);

describe.each(WARY)('a %s filter that was tried anew', (kind) => {
  const triedAnew = (trials: number) =>
    withPayload(fileOfKind(kind), (payload) =>
      new DataView(payload.buffer, payload.byteOffset).setUint32(4, trials, true),
    );

  test('64 times is queried', async () => {
    expect(await outcome(found(triedAnew(64)))).toBe('accepted');
  });

  test.each([65, ...inLongRuns([2 ** 31, 2 ** 32 - 1], [])])(
    '%d times is refused, read in part or as a whole',
    async (trials) => {
      expect(await outcome(found(triedAnew(trials)))).toBe('format');
      // The message and its time are the same for all kinds.
      if (!IS_LONG && kind !== WARY[0]) return;
      const file = placed(triedAnew(trials), 'tried.bloom');
      const refusal = `bloom: ${file} is damaged: segment 1 of 1 is impossible for a ${kind} filter; restore a copy, or build it again\n`;
      const point = await within(['query', file, '-e', 'key 1']);
      expect(point).toMatchObject({ status: 2, stdout: '', stderr: refusal });
      const checked = await within(['stats', '--verify', '--probes', '0', file]);
      expect(checked).toMatchObject({ status: 2, stderr: refusal });
      const piped = shell(`$BLOOM query - -e 'key 1' < "${file}" | cat; cat "${file}" | $BLOOM query - -e 'key 1'`);
      expect(piped.stderr).toBe(refusal.replaceAll(file, 'standard input').repeat(2));
    },
  );
});

/** The largest segment, or nearly. The default run has segments that are still far larger than few keys need. */
const LARGE_BITS = inLongRuns(2 ** 22, 2 ** 20);

describe('large segments', () => {
  const KINDS_THAT_COUNT = KINDS.filter(({ refuses, abilities }) => refuses || abilities.includes('remove'));
  test.each(KINDS_THAT_COUNT.map((kind) => [kind.name, kind.geometry(LARGE_BITS, 7).segmentBits] as const))(
    'of a %s filter, of random bits or ones, answer or are refused',
    async (kind, segmentBits) => {
      const empty = emptied(fileOfKind(kind), 7, segmentBits);
      for (const fill of [randomBytes(6), (payload: Uint8Array) => payload.fill(0xff)])
        await expectAnswers(withPayload(empty, fill));
    },
  );

  // A search to the end of the segment for each run would exceed the time limit.
  test('of a quotient filter whose runs never end answer many queries', async () => {
    const segmentBits = 2 ** 25;
    const file = withPayload(emptied(fileOfKind('quotient'), 1, segmentBits), (payload) => {
      // A block is 4 words: remainders, quotients, ends of runs, spill.
      for (let block = 0; block < payload.length; block += 32) payload.fill(0xff, block, block + 16);
    });
    const loaded = await loadFilter(loadKernel(), placed(file), 1, 'query');
    const nonMembers = await digestsOf(linesOf(keysNamed('stranger', inLongRuns(1_000_000, 30_000))));
    // The only possible answer is "maybe present".
    expect(openVessel(loaded.description.shape, loaded.store).count(nonMembers)).toBe(nonMembers.length);
    loaded.close();
  });

  /** The words of a quotient filter's block after its remainders. */
  interface Words {
    readonly occupied: bigint;
    readonly runEnds: bigint;
    readonly spill: bigint;
  }
  const ALL = 2n ** 64n - 1n;
  const LAST = 2n ** 63n;
  const r = 13;
  const blocks = inLongRuns(4096, 256);
  const slots = 64 * blocks;
  const empty = () => emptied(fileOfKind('quotient'), r, slots * (r + 3));

  function quotients(words: (block: number) => Words, remainders = (_: number) => 0): Uint8Array {
    return withPayload(empty(), (payload) => {
      const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
      for (let block = 0; block < blocks; block++) {
        const at = 8 * block * (r + 3);
        for (let slot = 0; slot < 64; slot++) {
          const bit = slot * r;
          const place = at + (bit >> 3);
          view.setUint32(place, view.getUint32(place, true) | (remainders(64 * block + slot) << (bit & 7)), true);
        }
        const { occupied, runEnds, spill } = words(block);
        view.setBigUint64(at + 8 * r, occupied, true);
        view.setBigUint64(at + 8 * r + 8, runEnds, true);
        view.setBigUint64(at + 8 * r + 16, spill, true);
      }
    });
  }
  const isLast = (block: number) => block === blocks - 1;
  const falling = (slot: number) => 2 ** r - 1 - (slot >> 5);
  const rising = (slot: number) => slot >> 5;

  test.each<[string, (block: number) => Words]>([
    ['runs that never end', () => ({ occupied: ALL, runEnds: 0n, spill: 0n })],
    [
      'runs that all end in the last block',
      (block) => ({ occupied: ALL, runEnds: isLast(block) ? ALL : 0n, spill: 0n }),
    ],
    [
      'runs that all end in the last slot',
      (block) => ({ occupied: ALL, runEnds: isLast(block) ? LAST : 0n, spill: 0n }),
    ],
    [
      'one run from the first slot to the last',
      (block) => ({ occupied: block === 0 ? 1n : 0n, runEnds: isLast(block) ? LAST : 0n, spill: 0n }),
    ],
    [
      'runs that begin behind the segment',
      (block) => ({ occupied: ALL, runEnds: ALL, spill: BigInt(slots - 64 * block) }),
    ],
    [
      'runs that begin in the last slot',
      (block) => ({ occupied: ALL, runEnds: LAST, spill: BigInt(slots - 64 * block - 1) }),
    ],
    ['runs that begin 2^32 - 1 slots later', () => ({ occupied: ALL, runEnds: ALL, spill: 2n ** 32n - 1n })],
    ['runs that begin 2^32 slots later', () => ({ occupied: ALL, runEnds: ALL, spill: 2n ** 32n })],
    ['runs that begin 2^64 - 1 slots later', () => ({ occupied: ALL, runEnds: ALL, spill: ALL })],
    ['a run in every slot', () => ({ occupied: ALL, runEnds: ALL, spill: 0n })],
    [
      'runs only where no quotient is',
      (block) => ({ occupied: block < blocks - 8 ? 0n : ALL, runEnds: ALL, spill: 0n }),
    ],
  ])('of a quotient filter with %s answer or are refused', async (_, words) => {
    await expectAnswers(quotients(words, falling), quotients(words, rising));
  });

  test('of a quotient filter whose runs do not end within it are not said to lack a key', async () => {
    for (const words of [
      () => ({ occupied: ALL, runEnds: 0n, spill: 0n }),
      () => ({ occupied: ALL, runEnds: ALL, spill: ALL }),
    ])
      expect(await found(quotients(words))).toBe(KEYS);
  });
});
