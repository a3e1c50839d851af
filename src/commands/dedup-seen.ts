import { createUnseen } from '../engine/dedup.ts';
import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import type { Seen } from '../engine/tasks/task.ts';
import { BloomError } from '../errors.ts';
import { windowOf } from '../sizing/windows.ts';
import { designOf } from './build-design.ts';
import type { DedupOptions } from './dedup-options.ts';

/** The filters of what is seen. */
export interface SeenDesign extends Pick<Design, 'kind' | 'rules'> {
  readonly parameters: FilterParameters;
}

/** What was seen before the first record: nothing. Throws a `memory` error. */
export function nothingSeen(
  { kind, parameters: { shape } }: SeenDesign,
  { sightings, windows }: DedupOptions,
  threadCount: number,
): Seen {
  const window = windows?.of === 'milliseconds' ? windowOf(windows, Date.now()) : 0;
  const filters = sightings * (1 + (windows?.keep ?? 0));
  const empty = () => ({ window, filter: createUnseen(kind, shape, filters, threadCount), keys: 0 });
  return Array.from({ length: sightings }, () => [empty()]);
}

/** The threads that may note what is seen: one lets filters grow, or forgets them. */
export function threadsFor({ parameters: { shape } }: SeenDesign, { windows, threads }: DedupOptions): number {
  return windows === undefined && shape.chain === undefined ? threads : 1;
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
