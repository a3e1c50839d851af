import { bytes, count, fixed, rate } from '../../quantities.ts';
import { lowerBoundBits } from '../../sizing/bloom.ts';
import { overfill } from '../../sizing/overfill.ts';
import type { Plan } from '../../sizing/solve.ts';
import type { Column } from '../../terminal/table.ts';

/** A sized filter. */
export interface Row {
  /** Its name among others: the kind or the format. */
  readonly name: string;
  /** The meaning of `name`. */
  readonly names: 'kind' | 'format';
  readonly format: string;
  readonly kind: string;
  readonly plan: Plan;
  /** Equal parts of the filter. */
  readonly segments: number;
  readonly fileBytes: number;
  /** The operations that it supports. */
  readonly abilities: readonly string[];
  /** The warning for a rate above the target that no flag explains. */
  readonly shortfall?: string | undefined;
  /** The rate with this number of keys. Undefined if they do not fit. */
  rateWith(items: number): number | undefined;
}

/** A row in JSON. */
export function rowJson(row: Row, withOverfill: boolean) {
  const { format, kind, plan, segments, fileBytes } = row;
  return {
    format,
    kind,
    bits: plan.bits,
    hashes: plan.k,
    segments,
    bytes: fileBytes,
    bitsPerKey: plan.bits / plan.items,
    capacity: plan.items,
    targetFpr: plan.fpr,
    predictedFpr: plan.predictedFpr,
    lowerBoundBits: Math.ceil(lowerBoundBits(plan.items, plan.fpr)),
    ...(withOverfill
      ? { overfill: overfillOf(row).map((held) => ({ ...held, predictedFpr: held.predictedFpr ?? null })) }
      : {}),
  };
}

/** The rates of an overfull filter. */
export function overfillOf({ plan, rateWith }: Row) {
  return overfill(plan.items, rateWith);
}

/** The values behind the cells of a row. */
interface Cells {
  readonly row: Row;
  readonly rateText: (rate: number) => string;
  readonly keyBytes: number;
}

export interface Shown {
  readonly column: Column;
  readonly of: (cells: Cells) => string;
}

export const KIND: Shown = { column: { title: 'kind', align: 'left' }, of: ({ row }) => row.name };
export const FORMAT: Shown = { column: { title: 'format', align: 'left' }, of: ({ row }) => row.name };
const KEYS: Shown = { column: { title: 'keys' }, of: ({ row }) => count(row.plan.items) };
const TARGET: Shown = { column: { title: 'target' }, of: ({ row, rateText }) => rateText(row.plan.fpr) };
const PREDICTED: Shown = {
  column: { title: 'predicted', spare: 2 },
  of: ({ row, rateText }) => rateText(row.plan.predictedFpr),
};
const HASHES: Shown = { column: { title: 'k', spare: 3 }, of: ({ row }) => String(row.plan.k) };
const BITS: Shown = { column: { title: 'bits', spare: 4 }, of: ({ row }) => count(row.plan.bits) };
const FILE: Shown = { column: { title: 'file' }, of: ({ row }) => bytes(row.fileBytes) };
const BITS_PER_KEY: Shown = {
  column: { title: 'bits/key', spare: 5 },
  of: ({ row }) => fixed(row.plan.bits / row.plan.items),
};
export const OF_STORED: Shown = {
  column: { title: 'of stored keys', spare: 6 },
  of: ({ row, keyBytes }) => rate(row.fileBytes / (row.plan.items * keyBytes)),
};
const ABILITIES: Shown = {
  column: { title: 'once built, it can', align: 'left', spare: 1 },
  of: ({ row }) => row.abilities.join(', ') || 'nothing',
};

/** The columns for one kind or format. For several, the name comes first. */
export const PLAIN = [KEYS, TARGET, PREDICTED, BITS, FILE, HASHES, BITS_PER_KEY, OF_STORED];
export const COMPARISON = [KEYS, TARGET, PREDICTED, HASHES, BITS_PER_KEY, FILE, ABILITIES];
