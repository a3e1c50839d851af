import { BloomError } from '../errors.ts';
import { bytesInMemory } from '../filters/drafts.ts';
import type { FilterKind } from '../filters/kind.ts';
import type { Target } from '../formats/description.ts';
import { bytes, plural, ratesLike } from '../quantities.ts';
import { lowerBoundBits } from '../sizing/bloom.ts';
import { type Constraints, type Plan, RATE_LIMIT, ROUNDING_TOLERANCE } from '../sizing/solve.ts';
import type { Blueprint } from './store/fillable.ts';

/** The parameters of a filter. */
export type FilterParameters = Blueprint &
  Target & {
    /** A notice about a predicted rate above the target, if no flag is the cause. */
    readonly shortfall?: string | undefined;
  };

/** The limit for the bytes of a filter, or of its drafts: the memories of one process hold no more. */
const BYTES_LIMIT = 1e12;

/** The parameters of a filter for a plan. Throws a `usage` error for a filter that cannot be made, or would never be healthy. */
export function parametersFor(kind: FilterKind, plan: Plan, constraints: Constraints): FilterParameters {
  const geometry = kind.geometry(plan.bits, plan.k, constraints.segmentBits);
  const shape = {
    ...{ ...geometry, k: plan.k, chain: kind.growing?.chain(plan, geometry.segments, constraints) },
    protectedKeys: kind.protects?.(plan, geometry, constraints),
  };
  const parameters = { shape, kind, capacity: plan.items, targetFpr: usefulRate(kind, plan) };
  requireBelowLimit(kind, parameters);
  return { ...parameters, shortfall: shortfallOf(kind, parameters, constraints) };
}

function usefulRate(kind: FilterKind, { items, bits, fpr }: Plan): number {
  if (fpr < 1) return fpr;
  throw new BloomError(
    'usage',
    `a ${kind.name} filter of ${plural(bits, 'bit')} for ${plural(items, 'key')} would accept every key`,
    'state more bits with -m',
  );
}

/**
 * A notice about a predicted rate above the target, because fingerprints and digests have a limited number of bits. Throws a `usage` error
 * if the rate is so far above the target that the filter would never be healthy.
 */
function shortfallOf(
  kind: FilterKind,
  { shape, capacity, targetFpr }: FilterParameters,
  { k }: Constraints,
): string | undefined {
  const reached = kind.predictedRate(capacity, shape);
  const rate = ratesLike([reached, targetFpr]);
  const filter = `a ${kind.name} filter for ${plural(capacity, 'key')}`;
  if (reached <= RATE_LIMIT * targetFpr) {
    if (k !== undefined || reached <= ROUNDING_TOLERANCE * targetFpr) return undefined;
    return `${filter} has a rate of ${rate(reached)}, not ${rate(targetFpr)}`;
  }
  throw new BloomError(
    'usage',
    `${filter} has a rate of ${rate(reached)} at best${k === undefined ? '' : ` with k = ${k}`}, not ${rate(targetFpr)}`,
    k === undefined ? 'state a higher -p, fewer keys or another --kind' : 'leave out --hashes',
  );
}

/** Throws a `usage` error for a filter above the limit. */
function requireBelowLimit(kind: FilterKind, { shape, capacity, targetFpr }: FilterParameters): void {
  const used = shape.segments * bytesInMemory(shape, kind);
  // For very many keys, a kind may not use more bits, so its filter is too small. The bits of the theoretical minimum then count.
  const needed = Math.max(used, lowerBoundBits(capacity, targetFpr) / 8);
  // Compared after rounding, as it is printed: a filter slightly above the limit must not be printed as equal to the limit.
  if (Number(needed.toPrecision(3)) <= BYTES_LIMIT) return;
  throw new BloomError(
    'usage',
    `a ${kind.name} filter for ${plural(capacity, 'key')} takes ${bytes(needed)} of memory, and the limit is ${bytes(BYTES_LIMIT)}`,
    'state a higher -p, or build several filters of fewer keys',
  );
}
