import { BloomError } from '../errors.ts';
import type { FilterKind, Shape } from '../filters/kind.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import type { Plan, Wish } from '../sizing/solve.ts';
import { bytes, plural, ratesLike } from '../terminal/quantities.ts';
import { RATE_LIMIT } from './report/health.ts';

/** The parameters of a filter. */
export interface Blueprint {
  readonly shape: Shape;
  readonly capacity: number;
  readonly targetFpr: number;
}

/** Bytes of the largest filter that is made, or of its drafts: what the memories of one process have room for. */
const BYTES_LIMIT = 1e12;

/** The filter for a plan. Throws a `usage` error for one that cannot be made, or would never be healthy. */
export function draw(kind: FilterKind, plan: Plan, wish: Wish): Blueprint {
  const geometry = kind.geometry(plan.bits, plan.hashes);
  const shape = { ...geometry, hashes: plan.hashes, chain: kind.growing?.chain(plan, geometry.segments, wish) };
  const blueprint = { shape, capacity: plan.items, targetFpr: usefulRate(kind, plan) };
  requireReachable(kind, blueprint, wish);
  requireRoom(kind, blueprint);
  return blueprint;
}

function usefulRate(kind: FilterKind, { items, bits, fpr }: Plan): number {
  if (fpr < 1) return fpr;
  throw new BloomError(
    'usage',
    `${plural(items, 'key')} in ${plural(bits, 'bit')}: such a ${kind.name} filter would say "maybe" to everything`,
    'give it more bits',
  );
}

/** Refuses a rate below what so many hashes, and digests of so many bits, allow: the filter would never be healthy. */
function requireReachable(kind: FilterKind, { shape, capacity, targetFpr }: Blueprint, { hashes }: Wish): void {
  const reached = kind.predictedRate(capacity, shape);
  if (reached <= RATE_LIMIT * targetFpr) return;
  const rate = ratesLike([reached, targetFpr]);
  throw new BloomError(
    'usage',
    `a ${kind.name} filter for ${plural(capacity, 'key')} has a rate of ${rate(reached)} at best${hashes === undefined ? '' : ` with k = ${hashes}`}, not ${rate(targetFpr)}`,
    hashes === undefined ? 'state a higher --fpr, fewer keys or another --kind' : 'leave --hashes out',
  );
}

/** Refuses a filter that is larger than any that is made. */
function requireRoom(kind: FilterKind, { shape, capacity }: Blueprint): void {
  const needed = shape.segments * (kind.draft?.bytes(shape) ?? segmentBytes(shape));
  if (needed <= BYTES_LIMIT) return;
  throw new BloomError(
    'usage',
    `a ${kind.name} filter for ${plural(capacity, 'key')} takes ${bytes(needed)} of memory, and can take ${bytes(BYTES_LIMIT)}`,
    'state a higher --fpr, or use several filters of fewer keys',
  );
}
