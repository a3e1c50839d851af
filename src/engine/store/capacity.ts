import { BloomError } from '../../errors.ts';
import type { Fill, Structure } from '../../filters/kind.ts';
import type { Description } from '../../formats/description.ts';
import { count } from '../../quantities.ts';
import { type Estimate, roundedUp, upperBound } from '../../sizing/cardinality.ts';

/** The number of keys with repetitions, and of distinct keys. */
export interface KeyCount {
  readonly keys: number;
  readonly distinct: Estimate;
}

/** The keys of a filter: their number as the file states it, and the distinct keys that follow from the bits. */
export function keysHeld({ kind, shape, inserted }: Description, fills: readonly Fill[]): KeyCount {
  const distinct = kind.itemsFromFill(fills, shape);
  return { keys: inserted ?? Math.round(distinct.count), distinct };
}

/** The number of keys for which a filter that gets these keys must be sized. */
export function itemsToPlanFor(kind: Structure, { keys, distinct }: KeyCount): number {
  return Math.max(1, kind.itemsToPlan(Math.min(keys, upperBound(distinct)), keys));
}

/**
 * The error when a filter is full; all added keys are counted. `held` are the keys that the filter had before. `share` is the filter's
 * share of a whole filter.
 */
export function tooManyKeys(kind: Structure, added: KeyCount, held?: KeyCount, share = 1): BloomError {
  const many = `it has no capacity for ${count(added.keys)} keys (${describeDistinct(added)} distinct)`;
  const message = `nothing was written: the filter is full, ${many}`;
  if (held === undefined)
    return new BloomError(
      'capacity',
      message,
      `build it with ${sizeFor(Math.ceil(itemsToPlanFor(kind, added) / share))}`,
    );
  const all: KeyCount = {
    keys: added.keys + held.keys,
    distinct: { count: upperBound(added.distinct) + upperBound(held.distinct), error: 0 },
  };
  return new BloomError(
    'capacity',
    `${message} in addition to its ${count(held.keys)}`,
    `build a filter for all of them with ${sizeFor(Math.ceil(itemsToPlanFor(kind, all) / share))}`,
  );
}

/**
 * The same error for filters that are merged. The number of distinct keys is unknown, so the number that needs the largest filter counts.
 */
export function tooManyKeysForUnion(kind: Structure, keys: number): BloomError {
  return new BloomError(
    'capacity',
    `nothing was written: the union is full, it has no capacity for ${count(keys)} keys`,
    `build the filters with ${sizeFor(Math.max(keys, kind.itemsToPlan(keys - 1, keys)))}`,
  );
}

function describeDistinct({ keys, distinct }: KeyCount): string {
  if (distinct.error === 0) return count(distinct.count);
  return `about ${count(Math.min(keys, Number(distinct.count.toPrecision(3))))}`;
}

function sizeFor(items: number): string {
  return `-n ${count(roundedUp(items))}`;
}
