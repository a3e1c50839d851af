import { kindWithId } from '../../filters/registry.ts';
import type { Header } from '../../formats/bloomery/header.ts';
import { ROUNDING_TOLERANCE } from '../../sizing/solve.ts';
import { count, plural, rate, shortCount } from '../../terminal/quantities.ts';
import { type Facts, isOverfull, roomFor } from './content.ts';

export interface Health {
  readonly healthy: boolean;
  /** In words, with what to do. */
  readonly verdict: string;
}

/** A filter is unhealthy when its rate is over this many times its target. */
export const RATE_LIMIT = 2;

/** Judges a filter by its bits, and by what was measured: a rate counts as too high only if its whole interval is. */
export function judge({ header, content, measured, absent, present }: Facts): Health {
  const { targetFpr, capacity } = header;
  const limit = RATE_LIMIT * targetFpr;
  // Chance and the limits of a kind move the rate too, and with the same -n they would again.
  const overfull = isOverfull(header, content);
  const larger = canErrLess(header) ? 'a smaller -p or a larger -n' : 'a larger -n or another --kind';
  const rebuild = `rebuild with ${overfull ? `-n ${shortCount(roomFor(header, content))}` : larger}`;
  const times = (fpr: number) => `${Number((fpr / targetFpr).toPrecision(2))} times its target of ${rate(targetFpr)}`;

  if (present !== undefined && present.missing > 0) {
    return {
      healthy: false,
      verdict: `${count(present.missing)} of ${plural(present.records, 'key')} that should be in it ${present.missing === 1 ? 'is' : 'are'} missing: built from other keys, or with other normalisation`,
    };
  }
  if (content.predictedFpr > limit) {
    return {
      healthy: false,
      verdict: `${overfull ? 'overfull' : 'errs too often'}, its rate of ${rate(content.predictedFpr)} is ${times(content.predictedFpr)}: ${rebuild}`,
    };
  }
  const worst = [measured, absent].find((rates) => rates !== undefined && rates.low > limit);
  if (worst !== undefined) {
    return {
      healthy: false,
      verdict: `measured at ${rate(worst.rate)}, ${times(worst.rate)}, though its bits predict ${rate(content.predictedFpr)}: the records may hold members, or the hash does not suit them`,
    };
  }
  if (content.predictedFpr > ROUNDING_TOLERANCE * targetFpr) {
    return {
      healthy: true,
      verdict: overfull
        ? `healthy but past its capacity, its rate is ${times(content.predictedFpr)}: ${rebuild} soon`
        : `healthy, though its rate is ${times(content.predictedFpr)}: ${rebuild} if that matters`,
    };
  }
  const room = Math.max(0, capacity - content.distinct.count);
  const left =
    room < capacity / 1000
      ? 'it is as full as it was meant to be'
      : `room for about ${shortCount(room)} more ${Math.round(room) === 1 ? 'key' : 'keys'}`;
  return { healthy: true, verdict: `healthy, ${left}` };
}

/** Whether a filter of its kind for as many keys errs less with a smaller -p: its k may be at its limit. */
function canErrLess({ kind: id, capacity: items, targetFpr: fpr }: Header): boolean {
  const kind = kindWithId(id, 'the filter');
  const rateAt = (target: number) => kind.plan({ items, fpr: target })?.predictedFpr ?? 1;
  return rateAt(fpr / 2) < rateAt(fpr);
}
