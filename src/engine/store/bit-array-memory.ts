import { POSITION_RULES, type PositionRule } from '../../filters/position-rules.ts';
import { type BitArrayAddress, type Kernel, MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { type BitArrayPages, flipOf } from './bit-array-pages.ts';
import {
  BATCH,
  type BitArrayPayload,
  bitArrayScratch,
  PAGE_BITS,
  PAGE_BYTES,
  POSITIONS_LIMIT,
  pagesOf,
} from './bit-array-payload.ts';

/** Probes that are tested for all keys of a batch before the absent keys are discarded. */
const FIRST_PROBES = 2;

/** Probes that are tested for the remaining keys before absent keys are discarded again. */
const MORE_PROBES = POSITIONS_LIMIT / BATCH;

/** The pages of a bit array that lie in one memory, as one of the threads works on them. */
export interface BitArrayMemory {
  /** The keys among `keys` whose positions in this memory are all ones. Keys are indices of digests. */
  test(digests: Uint8Array, keys: Uint32Array): Uint32Array;
  /**
   * Sets the positions of digests in this memory. `changes` has one byte per digest; the byte becomes 1 if the digest sets a counted bit.
   */
  add(digests: Uint8Array, changes: Uint8Array): void;
}

/**
 * Opens the pages of an array that lie in the memory of kernel number `index`, for one thread. Undefined if the memory has no page of the
 * array. `loading` loads pages that may be missing.
 */
export function openBitArrayMemory(
  payload: BitArrayPayload,
  kernel: Kernel,
  index: number,
  threadIndex: number,
  loading: PageLoading | undefined,
): BitArrayMemory | undefined {
  const { shape, scratches } = payload;
  const { k, uncounted = 0 } = shape;
  const part = openPart(payload, kernel, index, threadIndex);
  if (part === undefined) return undefined;
  const { at, array } = part;
  const { exports: entries } = kernel;
  const prepare = preparing(payload, part, loading);
  const digestBytes = kernel.bytes(at.digests, at.keys - at.digests);
  const keyIndices = new Uint32Array(kernel.memory.buffer, at.keys, BATCH);
  const hits = kernel.bytes(at.hits, BATCH);
  const { together }: PositionRule = POSITION_RULES[shape.rule];
  const testTogether = together?.(kernel);
  const add = scratches.length > 1 ? entries.bitArrayAddShared : entries.bitArrayAdd;
  return {
    test(digests, keys) {
      digestBytes.set(digests);
      keyIndices.set(keys);
      let left = keys.length;
      if (testTogether !== undefined && left > 0) {
        prepare(at.keys, left, 0, k);
        testTogether(array, at.positions, left, at.digests, at.keys, at.hits, at.parameters);
        return keyIndices.subarray(0, entries.bitArrayKeep(at.keys, at.hits, left));
      }
      for (let from = 0, to = 0; from < k && left > 0; from = to) {
        to = Math.min(k, from === 0 ? FIRST_PROBES : from + MORE_PROBES);
        prepare(at.keys, left, from, to);
        entries.bitArrayTest(array, at.positions, to - from, left, at.hits);
        left = entries.bitArrayKeep(at.keys, at.hits, left);
      }
      return keyIndices.subarray(0, left);
    },
    add(digests, changes) {
      digestBytes.set(digests);
      keyIndices.set(ALL_KEYS);
      hits.set(changes);
      const atOnce = Math.floor(POSITIONS_LIMIT / k);
      for (let key = 0; key < changes.length; key += atOnce) {
        const count = Math.min(atOnce, changes.length - key);
        if (uncounted > 0) {
          prepare(at.keys + 4 * key, count, 0, uncounted);
          // These bits are not counted, and the list of pages is no longer needed: its bytes are scratch here.
          add(array, at.positions, uncounted, count, at.pages);
        }
        prepare(at.keys + 4 * key, count, uncounted, k);
        add(array, at.positions, k - uncounted, count, at.hits + key);
      }
      changes.set(hits.subarray(0, changes.length));
    },
  };
}

type PageLoading = Pick<BitArrayPages, 'ensure' | 'expect'>;

/** The pages of an array in one memory, and the scratch of a thread there. */
interface Part {
  readonly kernel: Kernel;
  readonly at: ReturnType<typeof bitArrayScratch>;
  readonly array: BitArrayAddress;
  /** The index of the first page here in the array and in the memory, and the number of pages. */
  readonly first: number;
  readonly firstHere: number;
  readonly pages: number;
}

function openPart(
  { shape, firstPage, piecesEach, scratches }: BitArrayPayload,
  kernel: Kernel,
  index: number,
  threadIndex: number,
): Part | undefined {
  const at = bitArrayScratch(shape, scratches[threadIndex] ?? 0);
  const before = index * piecesEach;
  const from = Math.max(firstPage, before);
  const pages = Math.min(firstPage + pagesOf(shape), before + piecesEach) - from;
  if (pages <= 0) return undefined;
  kernel.bytes(at.ones, at.parameters - at.ones).fill(0xff);
  return { kernel, at, array: at.array as BitArrayAddress, first: from - firstPage, firstHere: from - before, pages };
}

/** Writes the parameters of the array and of the rule for the kernel, because another array may have used the scratch meanwhile. */
function telling({ shape, base }: BitArrayPayload, { kernel, at, first, firstHere, pages }: Part): () => void {
  const words = (address: number, values: readonly bigint[]) => {
    const [from, to] = [BigUint64Array.from(values), new BigUint64Array(kernel.memory.buffer, address, values.length)];
    return () => to.set(from);
  };
  const address = base + firstHere * PAGE_BYTES;
  const elsewhere = 8 * (at.ones + MEMORY_LIMIT - address);
  const tellArray = words(
    at.array,
    [address, first * PAGE_BITS, pages * PAGE_BITS, flipOf(shape), elsewhere].map(BigInt),
  );
  const tellRule = words(at.parameters, POSITION_RULES[shape.rule].parameters(shape));
  return () => {
    tellArray();
    tellRule();
  };
}

/** Computes positions `from` to `to` of the keys at an address, and loads the pages of these positions. */
function preparing(payload: BitArrayPayload, part: Part, loading: PageLoading | undefined) {
  const { shape } = payload;
  const { kernel, at, array, first, firstHere, pages } = part;
  const { exports: entries } = kernel;
  const tell = telling(payload, part);
  const writePositions = POSITION_RULES[shape.rule].entry(kernel);
  const wanted = new Uint32Array(kernel.memory.buffer, at.pages, POSITIONS_LIMIT);
  const knownAt = at.known + firstHere;
  const known = kernel.bytes(knownAt, pages).fill(0);
  let unknown = loading === undefined ? 0 : pages;
  const ensureWanted = (count: number) => {
    const sorted = wanted.subarray(0, count).sort();
    loading?.expect?.(Array.from(new Set(sorted), (page) => first + page));
    for (const page of sorted) {
      if (known[page] === 1) continue;
      loading?.ensure(first + page);
      known[page] = 1;
      unknown--;
    }
  };
  return (keys: number, count: number, from: number, to: number) => {
    const positions = count * (to - from);
    tell();
    writePositions(at.digests, keys, count, from, to, at.positions, at.parameters);
    if (unknown > 0) ensureWanted(entries.bitArrayPages(array, at.positions, positions, knownAt, at.pages));
    if (pages < pagesOf(shape)) entries.bitArrayLocate(array, at.positions, positions);
  };
}

/** The indices of all keys of a batch. */
export const ALL_KEYS = Uint32Array.from({ length: BATCH }, (_, i) => i);
