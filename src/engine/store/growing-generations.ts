import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentsOf } from '../../sizing/chain.ts';
import { type Expected, NOTHING, takenForKnown, together } from '../../sizing/first-sightings.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { columnsOf } from './columns.ts';
import type { Forgetting, Generation } from './generations.ts';
import { createGrowth, type Growth, type OnAdded } from './growth.ts';
import { emptiedPayload } from './payload.ts';
import type { SegmentVisits } from './segment-visits.ts';
import type { Segments } from './segments.ts';
import { createFilterInPlace, openSegments, type SharedSegments, sharedSegments } from './shared-segments.ts';

/** Filters that grow, one per window. The last filter gets the keys that no filter has. */
export interface GrowingGenerations extends SegmentVisits {
  /** Begins a window, and drops the filters that are no longer kept. No digests may wait meanwhile. */
  turn(window: number): void;
  /** From the oldest filter to the last, which is as it is now. */
  all(): readonly Generation[];
  /** The same at the end: the last filter is no larger than its keys need. */
  final(): readonly Generation[];
  /** The expected number of new keys that were mistaken for known ones; `NOTHING` without `estimates`. */
  taken(): Expected;
}

/** A filter that is queried, but gets no more keys. */
interface Older {
  readonly generation: Generation;
  readonly segments: Segments;
}

/**
 * Opens filters that grow; there is at least one, and each lies in one memory. `answer` gets all digests, and whether they were known. The
 * last filter begins with the slice with which the filter before it began.
 */
export function openGrowingGenerations(
  own: Kernel,
  begun: readonly Generation[],
  { keep = 0, estimates }: Forgetting,
  answer: OnAdded,
): GrowingGenerations {
  const { kernel, release } = reusedMemory(own);
  const hits = own.reserve(VISIT_LIMIT);
  const asked = (generation: Generation): Older => {
    const segments = openSegments(generation.filter, own, 0);
    // All segments are read, because the columns of the last filter differ from the columns of this one.
    for (let i = 0; i < generation.filter.payload.shape.segments; i++) segments.find(i);
    return { generation, segments };
  };
  let older = begun.slice(0, -1).map(asked);
  const newest = begun.at(-1);
  if (newest === undefined) throw new Error('there is no filter');
  let last = newest;
  let added = 0;
  let taken = NOTHING;

  /** Writes 1 for each digest of a column that an older filter has. */
  const knows = (column: number, columns: number, digests: Digests, known: number) => {
    for (const { generation, segments } of older) {
      const theirs = Math.floor((column * columnsOf(generation.filter.payload)) / columns);
      segments.test(theirs, digests, hits);
      own.exports.orInto(known, hits, digests.count);
    }
  };
  const grow = (filter: SharedSegments): Growth =>
    createGrowth(kernel, filter, {
      knows,
      answer(digests, known) {
        added += digests.count - own.exports.countMatches(known, digests.count);
        answer(digests, known);
      },
    });
  let growth = grow(last.filter);
  const lastSoFar = (filter: SharedSegments): Generation => ({ window: last.window, filter, keys: last.keys + added });
  const all = (filter: SharedSegments) => [...older.map(({ generation }) => generation), lastSoFar(filter)];
  /** Adds to the expectation what the last filter's keys tell. Keys that an older filter seems to have never reach the last filter. */
  const count = () => {
    if (!estimates) return;
    const rateIn = ({ filter, keys }: Generation, at = keys) =>
      kindWithId(filter.kind, 'the filter').predictedRate(at, filter.payload.shape);
    const missed = older.reduce((all, { generation }) => all * (1 - rateIn(generation)), 1);
    const current = lastSoFar(growth.soFar());
    const rateAt = (keys: number) => 1 - missed * (1 - rateIn(current, keys));
    taken = together(taken, takenForKnown(rateAt, last.keys, added));
  };
  return {
    take: (digests) => growth.take(digests),
    takeLast: (digests) => growth.takeLast(digests),
    turn(window) {
      count();
      const past = lastSoFar(growth.filter());
      const all = [...older, asked(past)];
      older = all.filter(({ generation }) => window - generation.window <= keep);
      const [forgotten] = all.filter(({ generation }) => window - generation.window > keep);
      release();
      last = { window, filter: unused(past.filter, forgotten?.generation.filter), keys: 0 };
      added = 0;
      growth = grow(last.filter);
    },
    all: () => all(growth.soFar()),
    final: () => all(growth.filter()),
    taken() {
      count();
      return taken;
    },
  };
}

/**
 * A filter without keys that begins as the given filter began. It uses the memory of a dropped filter if there is one that is large enough.
 */
function unused({ kind, payload }: SharedSegments, forgotten: SharedSegments | undefined): SharedSegments {
  const { chain, segmentBits } = payload.shape;
  const slices = chain?.slices.slice(0, 1) ?? [];
  if (chain === undefined) throw new Error('the filter has no slices');
  const segments = segmentsOf({ slices });
  const shape = { ...payload.shape, segments, bits: segments * segmentBits, chain: { ...chain, slices } };
  const isLarge = (forgotten?.payload.shape.segments ?? 0) >= segments;
  if (forgotten === undefined || !isLarge) return createFilterInPlace(kindWithId(kind, 'the filter'), shape, 1);
  return sharedSegments(kind, emptiedPayload(forgotten.payload, shape));
}

/** A kernel whose reserved memory is reused. */
interface ReusedMemory {
  readonly kernel: Kernel;
  /** Marks all reserved memory as free; nothing may use it any more. */
  release(): void;
}

/** The same kernel. Released memory is cleared, and reserved again for the same number of bytes. */
function reusedMemory(kernel: Kernel): ReusedMemory {
  const free = new Map<number, number[]>();
  let taken: { readonly address: number; readonly bytes: number }[] = [];
  return {
    kernel: {
      ...kernel,
      reserve(bytes) {
        const known = free.get(bytes)?.pop();
        if (known !== undefined) kernel.exports.clear(known, bytes);
        const address = known ?? kernel.reserve(bytes);
        taken.push({ address, bytes });
        return address;
      },
    },
    release() {
      for (const { address, bytes } of taken) free.set(bytes, [...(free.get(bytes) ?? []), address]);
      taken = [];
    },
  };
}
