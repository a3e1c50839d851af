import { POSITION_RULES } from '../../filters/position-rules.ts';
import { type BitArrayAddress, loadKernel, MEMORY_LIMIT } from '../../kernel/kernel.ts';
import { flipOf } from './flat-pages.ts';
import {
  BATCH,
  type FlatPayload,
  flatScratch,
  PAGE_BITS,
  PAGE_BYTES,
  POSITIONS_LIMIT,
  pagesOf,
} from './flat-payload.ts';
import type { Place } from './segment-memories.ts';

/** Probes that are asked of all keys of a batch before those that are absent are left out. */
const FIRST_PROBES = 2;

/** Probes that are asked of the others before some more are left out. */
const MORE_PROBES = POSITIONS_LIMIT / BATCH;

/** What lies of a flat array in one memory, as one of the threads works on it. */
export interface FlatMemory {
  /** Where a page is, counted from the first of this memory. */
  find(page: number): Place;
  /** Of these keys, which are indices of digests, those whose positions in this memory are all ones. */
  test(digests: Uint8Array, keys: Uint32Array): Uint32Array;
  /**
   * Sets the positions that digests have in this memory; of the bytes at `changes`, one for each, those of digests that
   * set a bit become 1.
   */
  add(digests: Uint8Array, changes: Uint8Array): void;
}

/** Opens a memory of an array for one of its threads. `settle` sees to it that a page is there, where that is not certain. */
export function openFlatMemory(
  payload: FlatPayload,
  index: number,
  threadIndex: number,
  settle: ((page: number) => void) | undefined,
): FlatMemory {
  const { shape, base, scratches } = payload;
  const { k } = shape;
  const part = openPart(payload, index, threadIndex);
  const { kernel, at, array } = part;
  const { exports: run } = kernel;
  const prepare = preparing(payload, part, settle);
  const digestBytes = kernel.bytes(at.digests, at.keys - at.digests);
  const keyIndices = new Uint32Array(kernel.memory.buffer, at.keys, BATCH);
  const hits = kernel.bytes(at.hits, BATCH);
  const add = scratches.length > 1 ? run.flatAddShared : run.flatAdd;
  return {
    find: (page) => ({ kernel, address: base + page * PAGE_BYTES }),
    test(digests, keys) {
      digestBytes.set(digests);
      keyIndices.set(keys);
      let left = keys.length;
      for (let from = 0, to = 0; from < k && left > 0; from = to) {
        to = Math.min(k, from === 0 ? FIRST_PROBES : from + MORE_PROBES);
        prepare(at.keys, left, from, to);
        run.flatTest(array, at.positions, to - from, left, at.hits);
        left = run.flatKeep(at.keys, at.hits, left);
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
        prepare(at.keys + 4 * key, count, 0, k);
        add(array, at.positions, k, count, at.hits + key);
      }
      changes.set(hits.subarray(0, changes.length));
    },
  };
}

type Part = ReturnType<typeof openPart>;

/** The kernel at work on a memory, the scratch of a thread there with what the kernel is told, and the pages. */
function openPart({ shape, memories, piecesEach, base, scratches }: FlatPayload, index: number, threadIndex: number) {
  const kernel = loadKernel(memories[index]);
  const at = flatScratch(shape, scratches[threadIndex] ?? 0);
  const firstPage = index * piecesEach;
  const pages = Math.min(piecesEach, pagesOf(shape) - firstPage);
  const write = (address: number, values: readonly bigint[]) =>
    new BigUint64Array(kernel.memory.buffer, address, values.length).set(values);
  const elsewhere = 8 * (at.ones + MEMORY_LIMIT - base);
  write(at.array, [base, firstPage * PAGE_BITS, pages * PAGE_BITS, flipOf(shape), elsewhere].map(BigInt));
  write(at.parameters, POSITION_RULES[shape.rule].parameters(shape.bits));
  kernel.bytes(at.ones, at.parameters - at.ones).fill(0xff);
  return { kernel, at, array: at.array as BitArrayAddress, firstPage, pages };
}

/** Makes positions `from` to `to` of keys, which are at an address, and sees to it that their pages are there. */
function preparing(
  { shape, memories }: FlatPayload,
  { kernel, at, array, firstPage, pages }: Part,
  settle: ((page: number) => void) | undefined,
) {
  const { exports: run } = kernel;
  const writePositions = POSITION_RULES[shape.rule].entry(kernel);
  const wanted = new Uint32Array(kernel.memory.buffer, at.pages, POSITIONS_LIMIT);
  const known = kernel.bytes(at.known, pages).fill(0);
  let unknown = settle === undefined ? 0 : pages;
  const settleWanted = (count: number) => {
    for (const page of wanted.subarray(0, count).sort()) {
      if (known[page] === 1) continue;
      settle?.(firstPage + page);
      known[page] = 1;
      unknown--;
    }
  };
  return (keys: number, count: number, from: number, to: number) => {
    const positions = count * (to - from);
    writePositions(at.digests, keys, count, from, to, at.positions, at.parameters);
    if (unknown > 0) settleWanted(run.flatPages(array, at.positions, positions, at.known, at.pages));
    if (memories.length > 1) run.flatLocate(array, at.positions, positions);
  };
}

/** The indices of all keys of a batch. */
export const ALL_KEYS = Uint32Array.from({ length: BATCH }, (_, i) => i);
