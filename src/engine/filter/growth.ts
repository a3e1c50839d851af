import type { FilterKind, Shape } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { upperBound } from '../../sizing/cardinality.ts';
import { type Chain, columnsOf, segmentsOf } from '../../sizing/chain.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { halved, lastBits, lastCapacity, lengthened } from '../../sizing/scalable.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { createFilter, openSegments, type SharedFilter } from './loaded-filter.ts';
import { requireMemory } from './payload.ts';
import { createSegmentVisits, type SegmentVisits } from './segment-visits.ts';
import { full, type Segments } from './segments.ts';

/** A filter that takes digests, and more slices when they are too many. */
export interface Growth extends SegmentVisits {
  /** What has become of it, its last slice being cut to what its keys need if it was begun here. */
  filter(): SharedFilter;
}

/** Visits in which a segment of the last slice gets its keys, at least. */
const VISITS_A_SEGMENT = 16;

const NO_DIGESTS: Digests = { address: 0, count: 0, owners: 0, firstOwner: 0 };

/**
 * Lets a filter grow. One thread does it, as each new slice changes where all digests go. With `trims` also a first
 * slice is cut, whose size nobody asked for.
 */
export function createGrowth(kernel: Kernel, begun: SharedFilter, trims: boolean): Growth {
  const kind = kindWithId(begun.kind, 'the filter');
  let filter = begun;
  let segments = openSegments(filter, kernel, 0);
  let chain = chainOf(filter);
  let { segmentBits } = filter.payload.shape;
  let keys = begun.store === undefined ? 0 : keysInLast(kind, begun.payload.shape, segments);
  const begunSlices = chain.slices.length;
  /**
   * All digests, while there is one slice that may turn out to be too large. Also those that it seemed to have: a
   * smaller one may not.
   */
  let record: DigestRecord | undefined = trims ? createRecord() : undefined;
  let visits: SegmentVisits;
  /** Visits of the filter when it was shorter, at which digests may still wait. */
  const earlier: SegmentVisits[] = [];

  /** Goes on with another chain; what the segments hold is brought there by `fill`. */
  const turnInto = (next: Chain, nextBits: number, fill: (from: Segments, to: Segments) => void) => {
    const shape = shapeOf(next, nextBits);
    requireMemory(shape);
    const [from, nextFilter] = [segments, createFilter(kind, shape, 1)];
    [filter, segments] = [nextFilter, openSegments(nextFilter, kernel, 0)];
    [chain, segmentBits] = [next, nextBits];
    fill(from, segments);
  };
  const lengthen = () => {
    const longer = lengthened(chain);
    // A rate that leaves no room for a single key leaves none in larger slices for long.
    if (longer === undefined || lastCapacity(chain, segmentBits) === 0) throw full();
    const count = filter.payload.shape.segments;
    turnInto(longer, segmentBits, (from, to) => copy(from, to, count, segmentBits));
    keys = 0;
    record = undefined;
    earlier.push(visits);
    visits = createVisits();
  };
  const createVisits = (): SegmentVisits => {
    const columns = columnsOf(filter.payload.shape);
    const visit = (column: number, digests: Digests) => {
      // What waited for a column of the shorter filter finds its place in the longer one.
      if (visits !== own) return visits.take(digests);
      record?.note(kernel.bytes(digests.address, 8 * digests.count));
      // A slice may have more than it should, by the estimate of a filter that was read.
      const room = Math.max(0, lastCapacity(chain, segmentBits) - keys);
      const { taken, added } = segments.addNew(column, digests, Math.min(room, digests.count));
      keys += added;
      if (taken === digests.count) return;
      lengthen();
      visits.take({ ...digests, address: digests.address + 8 * taken, count: digests.count - taken });
    };
    // When the slice is full its segments should be, and so not many digests wait for any.
    const share = Math.ceil(lastCapacity(chain, segmentBits) / columns / VISITS_A_SEGMENT);
    const own = createSegmentVisits(kernel, columns, false, visit, share);
    return own;
  };
  visits = createVisits();

  const take = (digests: Digests) => {
    visits.take(digests);
    for (let old = earlier.pop(); old !== undefined; old = earlier.pop()) old.takeLast(NO_DIGESTS);
  };
  return {
    take,
    takeLast(digests) {
      take(digests);
      let current: SegmentVisits;
      do {
        current = visits;
        current.takeLast(NO_DIGESTS);
        take(NO_DIGESTS);
      } while (visits !== current);
    },
    filter() {
      if (record !== undefined) {
        const { segments: count, segmentBits: bits } = kind.geometry(lastBits(chain, keys), 1);
        const [slice] = chain.slices.map((only) => ({ ...only, segments: count }));
        const digests = record.digests();
        if (slice !== undefined)
          turnInto({ ...chain, slices: [slice] }, bits, (_, to) => addAll(kernel, digests, to, count));
      } else if (begun.store === undefined && chain.slices.length > begunSlices) {
        const smaller = halved(chain, segmentBits, keys);
        const before = chain;
        turnInto(smaller, segmentBits, (from, to) => fold(kernel, from, before, to, filter.payload.shape));
      }
      return filter;
    },
  };
}

function chainOf({ payload }: SharedFilter): Chain {
  if (payload.shape.chain === undefined) throw new Error('the filter has no slices');
  return payload.shape.chain;
}

/** The shape of a chain whose segments have so many bits. */
function shapeOf(chain: Chain, segmentBits: number): Shape {
  const segments = segmentsOf(chain);
  return { segments, segmentBits, bits: segments * segmentBits, k: chain.slices[0]?.k ?? 1, chain };
}

/** Keys that the last slice of a filter has, at most. */
function keysInLast(kind: FilterKind, shape: Shape, segments: Segments): number {
  return upperBound(kind.growing?.inLast(segments.fills(), shape) ?? { count: 0, error: 0 });
}

function copy(from: Segments, to: Segments, count: number, segmentBits: number): void {
  const bytes = segmentBits / 8;
  for (let i = 0; i < count; i++) {
    const [source, target] = [from.find(i), to.find(i)];
    target.kernel.bytes(target.address, bytes).set(source.kernel.bytes(source.address, bytes));
  }
}

/** Digests that were noted, some of them perhaps more than once. */
interface DigestRecord {
  note(digests: Uint8Array): void;
  digests(): BigUint64Array;
}

/** Digests that are noted before repetitions are dropped: a few times those that a first slice takes. */
const RECORD_LIMIT = 2 ** 20;

function createRecord(): DigestRecord {
  let digests = new BigUint64Array(RECORD_LIMIT);
  let count = 0;
  return {
    note(bytes) {
      if (count + bytes.length / 8 > digests.length) {
        const distinct = new Set(digests.subarray(0, count));
        digests = new BigUint64Array(distinct.size + RECORD_LIMIT);
        count = 0;
        for (const digest of distinct) digests[count++] = digest;
      }
      new Uint8Array(digests.buffer).set(bytes, 8 * count);
      count += bytes.length / 8;
    },
    digests: () => digests.subarray(0, count),
  };
}

/** Adds digests to a filter of so many segments. */
function addAll(kernel: Kernel, digests: BigUint64Array, to: Segments, count: number): void {
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const visits = createSegmentVisits(kernel, count, false, to.add);
  for (let start = 0; start < digests.length; start += VISIT_LIMIT) {
    const part = digests.subarray(start, start + VISIT_LIMIT);
    new BigUint64Array(kernel.memory.buffer, address, part.length).set(part);
    visits.take({ ...NO_DIGESTS, address, count: part.length });
  }
  visits.takeLast(NO_DIGESTS);
}

/** Brings the slices of a filter into one whose last slice has less segments: those side by side are ORed. */
function fold(kernel: Kernel, from: Segments, { slices }: Chain, to: Segments, shape: Shape): void {
  const last = slices.at(-1)?.segments ?? 0;
  const first = segmentsOf({ slices }) - last;
  const bytes = segmentBytes(shape);
  copy(from, to, first, shape.segmentBits);
  const [whole, part] = [kernel.reserve(bytes), kernel.reserve(bytes)];
  const group = last / (shape.segments - first);
  for (let i = first; i < shape.segments; i++) {
    kernel.exports.clear(whole, bytes);
    for (let j = 0; j < group; j++) {
      const source = from.find(first + (i - first) * group + j);
      kernel.bytes(part, bytes).set(source.kernel.bytes(source.address, bytes));
      kernel.exports.orInto(whole, part, bytes);
    }
    const target = to.find(i);
    target.kernel.bytes(target.address, bytes).set(kernel.bytes(whole, bytes));
  }
}
