import { createUnseen } from '../engine/dedup.ts';
import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import type { SeenBefore } from '../engine/seen-state.ts';
import { BloomError } from '../errors.ts';
import { FORMATS } from '../formats/registry.ts';
import { windowOf } from '../sizing/windows.ts';
import { designOf } from './build-design.ts';
import type { DedupOptions } from './dedup-options.ts';

/** The filters of what is seen. */
export interface SeenDesign extends Pick<Design, 'kind' | 'rules'> {
  readonly parameters: FilterParameters;
}

/** What was seen before the first record of all: nothing. Throws a `memory` error. */
export function nothingSeen(
  { kind, rules, parameters }: SeenDesign,
  { sightings, windows }: DedupOptions,
  threadCount: number,
): SeenBefore {
  const { shape, capacity, targetFpr } = parameters;
  const window = windows?.of === 'milliseconds' ? windowOf(windows, Date.now()) : 0;
  const filters = sightings * (1 + (windows?.keep ?? 0));
  const empty = () => ({ window, filter: createUnseen(kind, shape, filters, threadCount), keys: 0 });
  return {
    description: { format: FORMATS[0], kind, shape, rules, target: { capacity, targetFpr }, inserted: 0 },
    seen: Array.from({ length: sightings }, () => [empty()]),
    windows,
    records: 0,
  };
}

/** The threads that may note what is seen: one lets filters grow, forgets them, or keeps them. */
export function threadsFor({ parameters: { shape } }: SeenDesign, { windows, state, threads }: DedupOptions): number {
  return windows === undefined && state === undefined && shape.chain === undefined ? threads : 1;
}

/** What the filters are. Throws a `usage` error for some that would have to be sized for records that are yet to come. */
export async function seenDesign({ design }: DedupOptions): Promise<SeenDesign> {
  const { kind, rules, size } = await designOf(design);
  if (!kind.abilities.includes('add'))
    throw new BloomError(
      'usage',
      `a ${kind.name} filter is made of all its keys at once, and nothing can be told meanwhile`,
      'choose another --kind',
    );
  if (size.type !== 'counted') return { kind, rules, parameters: size.parameters };
  throw new BloomError(
    'usage',
    `a ${kind.name} filter has a size, and records are read only once`,
    `state -n, or leave --kind out for one that grows`,
  );
}
