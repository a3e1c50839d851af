import { joinedKeys } from '../engine/input/record-keys.ts';
import type { DedupSpec } from '../engine/tasks/task.ts';
import { BloomError } from '../errors.ts';
import type { Output } from '../io/atomic-file.ts';
import type { Span } from '../options/numbers.ts';
import { type InputFlags, type InputOptions, inputOptionsOf } from '../options/selection.ts';
import { nameOfFlag, refuseUnused } from '../options/unused.ts';
import type { Windows } from '../sizing/windows.ts';
import type { CommonFlags } from './command.ts';
import type { DesignFlags } from './design-flags.ts';

export interface DedupFlags extends DesignFlags, InputFlags, CommonFlags {
  readonly repeated?: true;
  readonly allRepeated?: true;
  readonly minCount?: number;
  readonly window?: Span;
  readonly keep?: number;
  readonly state?: string;
  readonly every?: Span;
  readonly output?: string;
  readonly force?: true;
  readonly count?: true;
  readonly summary?: true;
  readonly json?: true;
}

export interface DedupOptions extends InputOptions {
  /** The flags of each filter. */
  readonly design: DesignFlags;
  readonly stated: DesignFlags;
  readonly selects: DedupSpec['selects'];
  /** Sightings of a key that are remembered. */
  readonly sightings: number;
  /** The windows after which sightings are removed. Undefined if they are never removed. */
  readonly windows: Windows | undefined;
  readonly state: StateOptions | undefined;
  /** The file of the records. Undefined for the standard output. */
  readonly output: Output | undefined;
  readonly counts: boolean;
  readonly summary: boolean;
  readonly json: boolean;
  readonly colour: CommonFlags['color'];
}

/** Where the state is saved. */
export interface StateOptions {
  readonly file: string;
  /** How often the state is saved before the end. */
  readonly every: Span | undefined;
  /** A protected file may be replaced. */
  readonly isForced: boolean;
}

/** The default rate: one of a million new records is dropped. */
const DEFAULT_FPR = 1e-6;

/**
 * The default number of threads. One thread at a time looks up sightings, so more threads gain little and need more
 * memory.
 */
const DEFAULT_THREADS = 1;

/** The default kind if no size is stated. */
const GROWING = 'scalable';

/** The largest number of filters at once. Each filter reserves address space. */
const FILTERS_LIMIT = 256;

/** Throws a `usage` error for flags that contradict each other. */
export function parseDedup(files: readonly string[], raw: DedupFlags): DedupOptions {
  const { repeated, allRepeated, minCount, count, summary, json, color } = raw;
  if (repeated && allRepeated)
    throw new BloomError(
      'usage',
      '--repeated prints a key once, --all-repeated prints every record of it',
      'leave out one of them',
    );
  if (minCount !== undefined && (repeated || allRepeated))
    throw new BloomError(
      'usage',
      `--min-count ${minCount} already selects which records are printed`,
      'leave out --repeated and --all-repeated; --all-repeated is --min-count 2',
    );
  if (json && !count && !summary)
    throw new BloomError('usage', '--json prints the counts of --count and --summary', 'add one of them');
  const sightings = repeated ? 2 : (minCount ?? 2) - 1;
  const windows = windowsOf(raw);
  requireFields(raw);
  const inputs = inputOptionsOf(files, raw);
  return {
    ...inputs,
    selection: { ...inputs.selection, keys: joinedKeys(inputs.selection.keys) },
    threads: raw.threads ?? DEFAULT_THREADS,
    stated: raw,
    design: sharedOut(sized(raw, windows), filtersOf(sightings, windows)),
    selects: allRepeated || minCount !== undefined ? 'known' : 'new',
    sightings,
    windows,
    state: stateOf(raw),
    output: outputOf(raw),
    counts: count === true,
    summary: summary === true,
    json: json === true,
    colour: color,
  };
}

/** The meaning of the same letters in uniq. */
const OF_UNIQ = { csv: '', delimiter: '; uniq -d is --repeated here', delimiters: '; uniq -D is --all-repeated here' };

/** A record has one key here, so the fields must be named. */
function requireFields(raw: DedupFlags): void {
  const separating = (['csv', 'delimiter', 'delimiters'] as const).find((flag) => raw[flag] !== undefined);
  if (separating === undefined || raw.field !== undefined || raw.jsonKey !== undefined) return;
  throw new BloomError(
    'usage',
    `${nameOfFlag(separating)} separates fields, but no field is selected`,
    `add -f NUMBER, or several fields that are one key together, such as -f 1,3${OF_UNIQ[separating]}`,
  );
}

function windowsOf({ window, keep }: DedupFlags): Windows | undefined {
  if (window !== undefined) {
    const [of, length] =
      'records' in window ? (['records', window.records] as const) : (['milliseconds', window.milliseconds] as const);
    return { of, length, keep: keep ?? 1 };
  }
  if (keep === undefined) return undefined;
  throw new BloomError('usage', '--keep needs windows, and there are none', 'add --window, such as 1h');
}

function stateOf(raw: DedupFlags): StateOptions | undefined {
  const { state, every, force } = raw;
  if (state === undefined) {
    refuseUnused(raw, ['every'], 'without --state nothing is saved');
    if (raw.output === undefined) refuseUnused(raw, ['force'], 'without --state and --output no file is written');
    return undefined;
  }
  if (state === '-')
    throw new BloomError('usage', 'the state cannot go to standard output', 'name a file with --state');
  return { file: state, every, isForced: force === true };
}

/**
 * The file of the records. Throws a `usage` error for flags that would lose the records or print nothing about them.
 */
function outputOf(raw: DedupFlags): Output | undefined {
  if (raw.output === undefined || raw.output === '-') return undefined;
  if (raw.count) refuseUnused(raw, ['output'], '--count prints no records');
  // An incomplete output would be discarded, and its records would count as seen in a saved state.
  refuseUnused(raw, ['every'], '--output writes the whole file at the end');
  return { name: raw.output, replace: raw.force === true, isText: true };
}

/** The largest number of filters that exist at once. */
function filtersOf(sightings: number, windows: Windows | undefined): number {
  const filters = sightings * (1 + (windows?.keep ?? 0));
  if (filters <= FILTERS_LIMIT) return filters;
  throw new BloomError(
    'usage',
    `${sightings} sightings in each of ${filters / sightings} windows need ${filters} filters, and the limit is ${FILTERS_LIMIT}`,
    'keep fewer and longer windows',
  );
}

/** The flags of a growing filter, unless a size is stated or follows from the records per window. */
function sized(raw: DedupFlags, windows: Windows | undefined): DesignFlags {
  if (raw.items !== undefined || raw.bits !== undefined || raw.memory !== undefined) return raw;
  if (windows?.of === 'records' && raw.kind !== GROWING) return { ...raw, items: windows.length };
  return { kind: GROWING, ...raw };
}

/** The flags of each of several filters. Their rates add up to the stated rate, and their bits to the stated bits. */
function sharedOut(design: DesignFlags, filters: number): DesignFlags {
  const { fpr = DEFAULT_FPR, bits, memory, items, bitsPerKey } = design;
  const share = (all: number) => Math.max(1, Math.floor(all / filters));
  const follows = bitsPerKey !== undefined || (items !== undefined && (bits ?? memory) !== undefined);
  return {
    ...design,
    ...((design.fpr !== undefined || !follows) && { fpr: fpr / filters }),
    ...(bits !== undefined && { bits: share(bits) }),
    ...(memory !== undefined && { memory: share(memory) }),
  };
}
