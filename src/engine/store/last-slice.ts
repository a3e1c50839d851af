import { type FilterKind, sum } from '../../filters/kind.ts';
import { upperBound } from '../../sizing/cardinality.ts';
import type { Geometry } from '../../sizing/geometry.ts';
import { type FreeInSlice, freeInSlice, keysAtRate, lastLimit } from '../../sizing/scalable.ts';
import { columnsOf } from './columns.ts';
import type { ChainedFilter } from './open-chained.ts';

/** The keys of a filter's last slice, and its limit. */
interface LastSlice {
  /** The highest false-positive rate that the slice may reach. */
  readonly limit: number;
  /** Keys in each segment of the slice, estimated from the bits that are set. */
  readonly keys: readonly number[];
}

/** Reads all bits of a filter. */
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

/** The keys that the last slice still accepts, per column. */
export interface FreeInColumns {
  of(column: number, wanted: number): number;
  note(column: number, added: number): void;
}

/**
 * The keys that the last slice still accepts. A first slice accepts as many keys as it was sized for; it has `keys` of them, if that number
 * is known. A later slice begins with the keys that waited when the slice before was full; some of its columns have many of these keys.
 */
export function freeInLast(kind: FilterKind, current: ChainedFilter, keys?: number): FreeInColumns {
  const { filter, segments, chain, segmentBits } = current;
  const { segments: inLast, k } = chain.slices.at(-1) ?? { segments: 1, k: 1 };
  const columns = columnsOf(filter.payload);
  if (chain.slices.length === 1) {
    const held = keys ?? upperBound(kind.growing?.inLast(segments.fills(), filter.payload.shape) ?? NONE);
    return byColumn(freeInSlice(lastLimit(chain, []), partOf(inLast, segmentBits), k, [held]), 1, columns);
  }
  const { limit, keys: each } = lastSliceOf(kind, current);
  const parts = Math.min(columns, inLast);
  const together = inLast / parts;
  const held = Array.from({ length: parts }, (_, part) => sum(each.slice(part * together, (part + 1) * together)));
  return byColumn(freeInSlice(limit, partOf(together, segmentBits), k, held), parts, columns);
}

const NONE = { count: 0, error: 0 };

/** Several adjacent columns may share a part of a slice. */
function byColumn(free: FreeInSlice, parts: number, columns: number): FreeInColumns {
  const ofColumn = (column: number) => Math.floor((column * parts) / columns);
  return {
    of: (column, wanted) => free.of(ofColumn(column), wanted),
    note: (column, added) => free.note(ofColumn(column), added),
  };
}

function partOf(segments: number, segmentBits: number): Geometry {
  return { segments, segmentBits, bits: segments * segmentBits };
}
