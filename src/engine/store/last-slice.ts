import { type FilterKind, sum } from '../../filters/kind.ts';
import { upperBound } from '../../sizing/cardinality.ts';
import type { Geometry } from '../../sizing/geometry.ts';
import { keysAtRate, lastLimit, type SliceRoom, sliceRoom } from '../../sizing/scalable.ts';
import { columnsOf } from './columns.ts';
import type { ChainedFilter } from './open-chained.ts';

/** What the last slice of a filter has, and has room for. */
interface LastSlice {
  /** The highest rate that it may come to. */
  readonly limit: number;
  /** Keys in each of its segments, by the bits that are set. */
  readonly keys: readonly number[];
}

/** Looks at all bits of a filter. */
export function lastSliceOf(
  { growing }: FilterKind,
  { filter, segments, chain, segmentBits }: ChainedFilter,
): LastSlice {
  const rates = growing?.segmentRates(segments.fills(), filter.payload.shape) ?? [];
  const before = rates.slice(0, -1).map((slice) => sum(slice) / slice.length);
  const k = chain.slices.at(-1)?.k ?? 1;
  const keys = rates.at(-1)?.map((rate) => keysAtRate(rate, segmentBits, k)) ?? [];
  return { limit: lastLimit(chain, before), keys };
}

/** The room of the last slice for keys of each column. */
export interface ColumnRoom {
  of(column: number, wanted: number): number;
  note(column: number, added: number): void;
}

/**
 * The room of the last slice. A first slice has room for as many keys as it was sized for, `keys` of which it has, where that is
 * known. A later one begins with keys that waited when the one before was full: some of its columns have many of them.
 */
export function roomInLast(kind: FilterKind, current: ChainedFilter, keys?: number): ColumnRoom {
  const { filter, segments, chain, segmentBits } = current;
  const { segments: inLast, k } = chain.slices.at(-1) ?? { segments: 1, k: 1 };
  const columns = columnsOf(filter.payload);
  if (chain.slices.length === 1) {
    const held = keys ?? upperBound(kind.growing?.inLast(segments.fills(), filter.payload.shape) ?? NONE);
    return byColumn(sliceRoom(lastLimit(chain, []), partOf(inLast, segmentBits), k, [held]), 1, columns);
  }
  const { limit, keys: each } = lastSliceOf(kind, current);
  const parts = Math.min(columns, inLast);
  const together = inLast / parts;
  const held = Array.from({ length: parts }, (_, part) => sum(each.slice(part * together, (part + 1) * together)));
  return byColumn(sliceRoom(limit, partOf(together, segmentBits), k, held), parts, columns);
}

const NONE = { count: 0, error: 0 };

/** A part of a slice is that of one column or of several beside each other. */
function byColumn(room: SliceRoom, parts: number, columns: number): ColumnRoom {
  const ofColumn = (column: number) => Math.floor((column * parts) / columns);
  return {
    of: (column, wanted) => room.of(ofColumn(column), wanted),
    note: (column, added) => room.note(ofColumn(column), added),
  };
}

function partOf(segments: number, segmentBits: number): Geometry {
  return { segments, segmentBits, bits: segments * segmentBits };
}
