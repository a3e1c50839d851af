import type { Kernel } from '../../kernel/kernel.ts';
import { firstsOf, slicesOf } from '../../sizing/chain.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { type Run, runsOf } from './columns.ts';
import type { Payload } from './payload.ts';
import type { SegmentMemories, SlicesPlace } from './segment-memories.ts';
import { warm } from './warm.ts';

/** A thread's access to the slices of a filter that grows. */
export interface OpenSlices {
  /** Tests digests of a column, as `Segments` does. */
  test(column: number, digests: Digests, hits: number): number;
  /** Adds digests that no slice has to the last slice, as `Segments` does. */
  addNew(column: number, digests: Digests, known: number, limit: number): Added;
}

/** The result of an attempt to add digests. */
export interface Added {
  /** Digests that were looked up. If fewer than given, the slice was full or the limit was reached. */
  readonly handled: number;
  readonly added: number;
}

/** The slices of a payload. `ensure` loads a segment if it is missing. */
export function createSlices(
  payload: Payload,
  own: Kernel,
  { slicesBeside, placeOf }: SegmentMemories,
  ensure: (segment: number) => void,
): OpenSlices {
  const { shape } = payload;
  const last = slicesOf(shape).length - 1;
  const loadFor = createSegmentLoader(payload, own, ensure);
  const prepare = (runs: readonly Run[], digests: Digests) => {
    loadFor(runs, digests);
    for (const { first, count } of runs) warm(placeOf(first), count * shape.segmentBits, digests.count * shape.k);
  };
  const answers = new Uint8Array(VISIT_LIMIT);
  /** Many of the last digests to add were known. To query the last slice first is then faster than to set bits that are set already. */
  let areMany = false;
  const bring = ({ digests }: SlicesPlace, { address, count }: Digests) =>
    digests.bytes.set(own.bytes(address, 8 * count));
  /** Queries the slices before `end`, all slices of one memory in one call. Digests that have no answer in `answers` get one. */
  const testUpTo = (end: number, runs: readonly Run[], digests: Digests): number => {
    const known = answers.subarray(0, digests.count);
    let found = 0;
    for (let from = 0; from < end; ) {
      const place = slicesBeside(runs[from]?.first ?? 0);
      let to = from + 1;
      while (to < end && slicesBeside(runs[to]?.first ?? 0).kernel === place.kernel) to++;
      bring(place, digests);
      place.hits.bytes.set(known);
      found += place.work.test(from, to, place.digests.address, digests.count, place.hits.address);
      known.set(place.hits.bytes.subarray(0, digests.count));
      from = to;
    }
    return found;
  };
  return {
    test(column, digests, hits) {
      const runs = runsOf(payload, column);
      prepare(runs, digests);
      answers.fill(0, 0, digests.count);
      const found = testUpTo(runs.length, runs, digests);
      own.bytes(hits, digests.count).set(answers.subarray(0, digests.count));
      return found;
    },
    addNew(column, digests, known, limit) {
      const runs = runsOf(payload, column);
      prepare(runs, digests);
      const answered = own.bytes(known, digests.count);
      answers.set(answered);
      testUpTo(areMany ? runs.length : last, runs, digests);
      const place = slicesBeside(runs[last]?.first ?? 0);
      bring(place, digests);
      place.hits.bytes.set(answers.subarray(0, digests.count));
      const added = place.work.addNew(last, place.digests.address, digests.count, place.hits.address, limit);
      answered.set(place.hits.bytes.subarray(0, digests.count));
      areMany = added.handled - added.added > added.handled / 4;
      return added;
    },
  };
}

/** Loads the segments that digests of a column belong to: few digests need few segments. */
function createSegmentLoader({ shape }: Payload, own: Kernel, ensure: (segment: number) => void) {
  const slices = slicesOf(shape);
  const firsts = firstsOf(slices);
  return (runs: readonly Run[], { address, count }: Digests) => {
    const whole = runs.reduce((sum, run) => sum + run.count, 0);
    if (count * slices.length >= whole) {
      for (const run of runs) for (let i = 0; i < run.count; i++) ensure(run.first + i);
      return;
    }
    const halves = new Uint32Array(own.memory.buffer, address, 2 * count);
    for (let i = 1; i < halves.length; i += 2) {
      for (const [slice, { segments }] of slices.entries()) {
        ensure((firsts[slice] ?? 0) + Math.floor(((halves[i] ?? 0) * segments) / 2 ** 32));
      }
    }
  };
}
