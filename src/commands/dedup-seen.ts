import { createUnseen } from '../engine/dedup.ts';
import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import { totalBytes } from '../engine/input/input.ts';
import type { SeenBefore } from '../engine/seen-state.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { canBeUsed } from '../filters/registry.ts';
import { FORMATS } from '../formats/registry.ts';
import { windowOf } from '../sizing/windows.ts';
import { ownDesignOf } from './build-design.ts';
import type { DedupOptions } from './dedup-options.ts';
import type { DesignFlags } from './design-flags.ts';

/** The filters that remember what was seen. */
export interface SeenDesign extends Pick<Design<FilterKind>, 'kind' | 'rules'> {
  readonly parameters: FilterParameters;
}

/** The empty filters before the first record. Throws a `memory` error. */
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

/** The number of threads that may note sightings. Filters that grow, have windows or are saved need a single thread. */
export function threadsFor({ parameters: { shape } }: SeenDesign, { windows, state, threads }: DedupOptions): number {
  return windows === undefined && state === undefined && shape.chain === undefined ? threads : 1;
}

/** The filters to use. Throws a `usage` error if they would have to be sized for records that have not been read. */
export async function seenDesign(options: DedupOptions): Promise<SeenDesign> {
  const { design } = options;
  const { kind, rules, size } = ownDesignOf(design);
  if (!canBeUsed(kind, 'add'))
    throw new BloomError(
      'usage',
      `a ${kind.name} filter is made of all its keys at once, so it cannot tell new keys from known ones`,
      'choose another --kind',
    );
  if (size.type === 'growing') return sizedFor(bytesOf(options), kind, design) ?? { kind, rules, ...size };
  if (size.type === 'fixed') return { kind, rules, ...size };
  throw new BloomError(
    'usage',
    `a ${kind.name} filter has a fixed size, and dedup reads records only once`,
    `state -n, or leave out --kind for a filter that grows`,
  );
}

/** The bytes of records in files. Undefined if they are unknown, or if there may be further records. */
function bytesOf({ files, lists, slice, state }: DedupOptions): number | undefined {
  const areAll = lists.filesFrom.length + lists.files0From.length === 0 && slice === undefined && state === undefined;
  return areAll ? totalBytes(files.length === 0 ? ['-'] : files) : undefined;
}

/**
 * The largest number of bits of a first slice per byte of records. Most records repeat, or are longer than their key
 * needs.
 */
const BITS_PER_BYTE = 1 / 3;
const LARGEST_FIRST_BITS = 2 ** 29;

/**
 * A growing filter whose first slice is large if there is much to read. Every slice costs time, and most of the last
 * slice may be empty. Undefined if the usual first slice is as large.
 */
function sizedFor(bytes: number | undefined, { growing }: FilterKind, design: DesignFlags): SeenDesign | undefined {
  const bits = Math.min(LARGEST_FIRST_BITS, 2 ** Math.floor(Math.log2(BITS_PER_BYTE * (bytes ?? 0))));
  if (growing === undefined || bits <= growing.firstBits) return undefined;
  const { kind, rules, size } = ownDesignOf({ ...design, bits });
  return size.type === 'fixed' ? { kind, rules, ...size } : undefined;
}
