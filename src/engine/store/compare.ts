import { isDeepStrictEqual } from 'node:util';
import { BloomError } from '../../errors.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { type BitArrayShape, POSITION_RULES, type PositionRule } from '../../filters/position-rules.ts';
import { type Description, differencesOf } from '../../formats/description.ts';
import type { BitArrayFile, FilterFile, SegmentedFile } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { type ComparedPair, overlapOf, pairsOf } from '../../sizing/overlap.ts';
import { covariancesOfZeros, keysOfLoad, loadFrom, type Occupancy } from '../../sizing/zeros.ts';
import { createMeter, type Meter, type ProgressObserver } from '../input/progress.ts';
import { pagesIn, type ReadPage, readBits } from './bit-array-pages.ts';
import { PAGE_BITS, PAGE_BYTES } from './bit-array-payload.ts';
import { loadSegment } from './shared-segments.ts';
import { requireEqual } from './union.ts';

/** The most filters that are compared at once. Memory holds a segment of each. */
const FILES_LIMIT = 256;

/**
 * Compares each pair of filters with the same parameters, in one pass over the files. Throws a `mismatch` error for filters that cannot be
 * compared, and a `capacity` error for filters without zeros.
 */
export async function compareFilters(
  kernel: Kernel,
  files: readonly FilterFile[],
  observer: ProgressObserver = {},
): Promise<ComparedPair[]> {
  if (files.length > FILES_LIMIT)
    throw new BloomError('usage', `${files.length} filters are too many`, `compare at most ${FILES_LIMIT} at once`);
  const [first] = files;
  if (first === undefined) return [];
  for (const file of files) requireComparable(file);
  requireEqual(first, files);
  for (const file of files) requireSameDigests(first, file);
  const { kind, shape } = first.description;
  const occupancy = kind.occupancy?.(shape);
  if (occupancy === undefined) throw new Error('the filters were compared before');
  const tally = createTally(files.length, occupancy);
  const onRead = createMeter(files.length * payloadBytes(shape), observer);
  await readSegments(kernel, files.filter(isSegmented), tally, onRead);
  await readArrays(kernel, files.filter(isArray), tally, onRead);
  const loads = tally.loads();
  const full = files.find((_, i) => loads.ofFile(i) === Number.POSITIVE_INFINITY);
  if (full !== undefined) throw withoutZeros(`${full.name} has`, full.description);
  return [...pairsOf(files.length)].map(([one, other]) => {
    const ofBoth = loads.ofPair(one, other);
    if (ofBoth === Number.POSITIVE_INFINITY)
      throw withoutZeros(`${files[one]?.name} and ${files[other]?.name} together have`, first.description);
    const [a = 0, b = 0, union = 0] = [loads.ofFile(one), loads.ofFile(other), ofBoth].map((load) =>
      keysOfLoad(load, occupancy),
    );
    return { first: one, second: other, overlap: overlapOf({ a, b, union }, covariancesOfZeros(occupancy)) };
  });
}

function isSegmented(file: FilterFile): file is SegmentedFile {
  return file.layout === 'segments';
}

function isArray(file: FilterFile): file is BitArrayFile {
  return file.layout === 'arrays';
}

/** A whole command that makes filters which can be compared. */
function rebuilt({ target }: Description, factor = 1): string {
  const size = target === undefined ? '1M' : `${target.capacity * factor}`;
  return `build each of them with the same size: bloom build -n ${size} LIST -o LIST.bloom`;
}

function withoutZeros(who: string, description: Description): BloomError {
  return new BloomError(
    'capacity',
    `${who} a segment without a zero, from which no number of keys follows`,
    rebuilt(description, 10),
  );
}

/** Throws a `mismatch` error for a filter whose zeros do not tell how many keys it shares with others. */
function requireComparable(file: FilterFile): void {
  const { name, description } = file;
  const { format, kind, shape, origin } = description;
  if (shape.share !== undefined)
    throw new BloomError(
      'mismatch',
      `${name} is a part of a filter`,
      'join all parts first: bloom merge PART... -o whole.bloom',
    );
  if ((origin?.slices ?? 1) > 1)
    throw new BloomError(
      'mismatch',
      `${name} has only a slice of its inputs`,
      'merge all slices first: bloom merge SLICE... -o whole.bloom',
    );
  if (file.layout === 'arrays' && (file.unfiltered ?? []).length > 0)
    throw new BloomError('mismatch', `${name} has keys without a filter`, rebuilt(description));
  const isFlat = isSegmented(file) || (isArray(file) && file.arrays.length === 1 && file.arrays.every(isFlatArray));
  if (kind.occupancy !== undefined && isFlat) return;
  const what =
    kind.occupancy === undefined
      ? `a ${kind.name} filter`
      : `a filter of ${format.system} that is not one array of bits`;
  throw new BloomError(
    'mismatch',
    `${name} is ${what}, so nothing tells how many keys it shares with another filter`,
    rebuilt(description),
  );
}

/** Whether the positions of a key are anywhere in an array of bits. */
function isFlatArray({ shape }: { readonly shape: BitArrayShape }): boolean {
  const rule: PositionRule = POSITION_RULES[shape.rule];
  return (shape.buckets ?? shape.parts ?? shape.hasSlots ?? rule.together) === undefined;
}

/** Throws a `mismatch` error for filters in which a key has different bits. */
function requireSameDigests(one: FilterFile, other: FilterFile): void {
  const rulesOf = ({ description }: FilterFile) => ({ ...description.rules, lookup: undefined, lengths: undefined });
  const differences = differencesOf(rulesOf(one), rulesOf(other));
  const shapesOf = (file: FilterFile) => (isArray(file) ? file.arrays.map(({ shape }) => shape) : []);
  if (!isDeepStrictEqual(shapesOf(one), shapesOf(other))) differences.push('bits and hashes');
  if (differences.length === 0) return;
  throw new BloomError(
    'mismatch',
    `the filters cannot be compared: ${other.name} and ${one.name} differ in ${differences.join(', ')}`,
    `build them with the same flags, or with --like ${one.name}`,
  );
}

/** Counts the ones of each filter and of each pair, pool by pool. */
interface Tally {
  addToFile(file: number, ones: number): void;
  addToPair(first: number, second: number, ones: number): void;
  /** To be called after each segment. */
  endSegment(): void;
  /** The loads of files and pairs: means over all pools. */
  loads(): { ofFile(file: number): number; ofPair(first: number, second: number): number };
}

function createTally(files: number, occupancy: Occupancy): Tally {
  // Entry (i, j) is that of a pair, and (i, i) that of a file.
  const ones = new Float64Array(files ** 2);
  const sums = new Float64Array(files ** 2);
  const endPool = () => {
    for (const [set, some] of ones.entries())
      sums[set] = (sums[set] ?? 0) + loadFrom(some, occupancy) / occupancy.pools;
    ones.fill(0);
  };
  const add = (set: number, some: number) => {
    ones[set] = (ones[set] ?? 0) + some;
  };
  return {
    addToFile: (file, some) => add(file * files + file, some),
    addToPair: (first, second, some) => add(first * files + second, some),
    endSegment: () => occupancy.pools > 1 && endPool(),
    loads() {
      if (occupancy.pools === 1) endPool();
      return {
        ofFile: (file) => sums[file * files + file] ?? 0,
        ofPair: (first, second) => sums[first * files + second] ?? 0,
      };
    },
  };
}

/** Reads filters segment by segment, and verifies what is read. */
async function readSegments(
  kernel: Kernel,
  files: readonly SegmentedFile[],
  tally: Tally,
  onRead: Meter,
): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const { kind, shape } = first.description;
  const bytes = segmentBytes(shape);
  const work = kind.attach(kernel, shape, { call: kernel.reserve(CALL_BYTES), drafts: 0 });
  const addresses = files.map(() => kernel.reserve(bytes));
  const union = kernel.reserve(bytes);
  const ofOne = { ...shape, segments: 1, bits: shape.segmentBits };
  const units = kind.occupancy?.(ofOne).units ?? 0;
  const onesAt = (address: number) => Math.round(units * kind.fillRatio([work.fill(address)], ofOne));
  const located = files.map((file) => file.locate(kernel)?.stored);
  for (let segment = 0; segment < shape.segments; segment++) {
    for (const [i, file] of files.entries()) {
      const [address = 0, stored] = [addresses[i], located[i]];
      if (stored === undefined) await file.readSegment(kernel, address);
      else loadSegment(kind, stored, segment, { kernel, address });
      tally.addToFile(i, onesAt(address));
      await onRead(bytes);
    }
    for (const [one, other] of pairsOf(files.length)) {
      kernel.bytes(union, bytes).set(kernel.bytes(addresses[one] ?? 0, bytes));
      work.mergeFrom?.(union, addresses[other] ?? 0, shape);
      tally.addToPair(one, other, onesAt(union));
    }
    tally.endSegment();
  }
  for (const [i, file] of files.entries()) if (located[i] === undefined) await file.finish(kernel);
}

/** Reads filters of one bit array page by page. */
async function readArrays(kernel: Kernel, files: readonly BitArrayFile[], tally: Tally, onRead: Meter): Promise<void> {
  const addresses = files.map(() => kernel.reserve(PAGE_BYTES));
  const union = kernel.reserve(PAGE_BYTES);
  const onesAt = (address: number) => Number(kernel.exports.popcount(address, PAGE_BYTES));
  const [{ shape, bytes } = { shape: undefined, bytes: 0 }] = files[0]?.arrays ?? [];
  if (shape === undefined) return;
  const readers = files.map(({ arrays: [array] }) => array?.stored && pagesIn(array.stored, kernel));
  for (let page = 0; page * PAGE_BYTES < bytes; page++) {
    for (const [i, file] of files.entries()) {
      const address = addresses[i] ?? 0;
      const piece = new Uint8Array(Math.min(PAGE_BYTES, bytes - page * PAGE_BYTES));
      if (readers[i] === undefined) await file.inOrder?.readBits(0, piece);
      const read: ReadPage = readers[i] ?? ((_, into) => into.fill(0).set(piece));
      if (page * PAGE_BITS < shape.bits) readBits(shape, page, read, kernel.bytes(address, PAGE_BYTES));
      tally.addToFile(i, onesAt(address));
      await onRead(piece.length);
    }
    for (const [one, other] of pairsOf(files.length)) {
      kernel.bytes(union, PAGE_BYTES).set(kernel.bytes(addresses[one] ?? 0, PAGE_BYTES));
      kernel.exports.orInto(union, addresses[other] ?? 0, PAGE_BYTES);
      tally.addToPair(one, other, onesAt(union));
    }
  }
  for (const { inOrder } of files) await inOrder?.finish();
}
