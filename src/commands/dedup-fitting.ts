import type { Check } from '../engine/seen-state.ts';
import { BloomError } from '../errors.ts';
import { requireUse } from '../filters/registry.ts';
import type { Description } from '../formats/description.ts';
import { nameOfFlag } from '../options/unused.ts';
import { agreeing, count, duration, plural } from '../quantities.ts';
import type { Windows } from '../sizing/windows.ts';
import type { DedupOptions } from './dedup-options.ts';
import type { SeenDesign } from './dedup-seen.ts';
import { type DesignFlags, OF_SIZE } from './design-flags.ts';

/** Refuses a state that was made with other flags. A job that always states the same flags continues its own state. */
export function fittingWith(design: SeenDesign, { sightings, windows, stated }: DedupOptions): Check {
  const isSized = OF_SIZE.some((flag) => stated[flag] !== undefined);
  return (description, head, name) => {
    requireUse(description.kind, 'add', name);
    if (description.shape.share !== undefined) throw unfit(name, 'is a part of a filter');
    if (head.sightings !== sightings)
      throw unfit(name, `remembers ${ofSightings(head.sightings)}, not ${ofSightings(sightings)}`);
    const [has, wanted] = [ofWindows(head.windows), ofWindows(windows)];
    if (has !== wanted) throw unfit(name, `has ${has}, not ${wanted}`);
    const flag = otherRule(stated, description);
    if (flag !== undefined) throw unfit(name, `was made with another ${nameOfFlag(flag)}`);
    if (isSized && !isMadeWith(design, description))
      throw unfit(name, 'was made with other flags of the kind or the size');
  };
}

function unfit(name: string, how: string): BloomError {
  return new BloomError('mismatch', `${name} ${how}`, 'state the flags that made it, or name another --state');
}

function ofSightings(sightings: number): string {
  return `${plural(sightings, 'sighting')} of a key`;
}

function ofWindows(windows: Windows | undefined): string {
  if (windows === undefined) return 'no windows';
  const { of, length, keep } = windows;
  return `windows of ${of === 'records' ? plural(length, 'record') : duration(length / 1000)} of which ${count(keep)} ${agreeing(keep, 'is')} kept`;
}

/** The first flag of the keys that is stated and differs from the filter. */
function otherRule({ hash, seed, ignoreCase, trim }: DesignFlags, { rules }: Description): string | undefined {
  const stated = { hash, seed: seed === 'random' ? undefined : seed, ignoreCase, trim };
  return Object.entries(stated).find(
    ([rule, value]) => value !== undefined && value !== rules[rule as keyof typeof stated],
  )?.[0];
}

/** Whether a filter was made with these parameters. It may have grown since. */
function isMadeWith({ kind, parameters }: SeenDesign, { kind: another, shape, target }: Description): boolean {
  const { shape: made, capacity, targetFpr } = parameters;
  if (kind !== another || targetFpr !== target?.targetFpr) return false;
  if (made.chain !== undefined)
    return made.chain.growth === shape.chain?.growth && made.chain.tightening === shape.chain.tightening;
  if (capacity !== target.capacity) return false;
  return made.segments === shape.segments && made.segmentBits === shape.segmentBits && made.k === shape.k;
}
