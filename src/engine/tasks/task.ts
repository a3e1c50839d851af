import type { KeyRules } from '../../formats/description.ts';
import type { FlatGrowth } from '../../formats/flat-draft.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Windows } from '../../sizing/windows.ts';
import type { AskedFilter } from '../filter/asked-filter.ts';
import type { Generation } from '../filter/generations.ts';
import type { SharedFilter } from '../filter/loaded-filter.ts';
import type { SharedArrays } from '../filter/shared-arrays.ts';
import type { KeySelection } from '../input/key-selection.ts';
import type { LineColours } from './colours.ts';
import type { DigestLog } from './digest-log.ts';
import type { Fault } from './faults.ts';
import type { Sighted } from './sightings.ts';
import type { Turns } from './turns.ts';

/** Where a thread works. */
export interface ThreadContext {
  readonly kernel: Kernel;
  /** Its number among the threads: 0 is the main one. */
  readonly threadIndex: number;
  /** The digests that wait here until the filter has been sized. */
  log?: DigestLog | undefined;
  /** Hears that all of a part is done, but that it is printed. */
  readonly onPrinting?: () => void;
  readonly replacement?: Replacement | undefined;
  readonly keeper?: Keeper | undefined;
  /** Tells the time in milliseconds since 1970; that of the system without it. */
  readonly clock?: () => number;
}

/** Keeps what was seen, while records still come: those that were read before are answered by then. */
export interface Keeper {
  /** Whether that is to be done, so many records having gone by in all. */
  isDue(records: number): boolean;
  /** Milliseconds until it is to be done though no more come; undefined if it is not. */
  patience(records: number): number | undefined;
  keep(seen: Seen, records: number): Promise<void>;
}

/** Other filters that may take the places of those that are asked, whose keys have the same digests. */
export interface Replacement {
  /** There may be some. */
  isDue(): boolean;
  /** The filters that are to be asked from now on, in the order of those before; undefined if there are no others. */
  take(): Promise<readonly AskedFilter[] | undefined>;
}

interface Reading {
  readonly selection: KeySelection;
  readonly rules: KeyRules;
}

/** Count the distinct keys, and keep their digests. */
export interface SurveySpec extends Reading {
  readonly type: 'survey';
  /** Digests that the memory does not take go to a temporary file; else they are given up. */
  readonly spills: boolean;
}

/** Add the keys to a filter. */
export interface AddSpec extends Reading {
  readonly type: 'add';
  readonly filter: SharedFilter;
  /** Begin with the digests that wait since the survey. */
  readonly replay: boolean;
  /** Nobody asked for the size that a filter that grows begins with. */
  readonly trims?: boolean;
}

/** Add the keys to a filter of arrays. */
export interface AddToArraysSpec extends Reading {
  readonly type: 'add to arrays';
  readonly filter: SharedArrays;
  /** Keys are added in the order of their records, so that it is certain which of them set a bit. */
  readonly inOrder: boolean;
  /** How the filter grows; then the main thread adds to it alone. */
  readonly growth: FlatGrowth | undefined;
  /** Begin with the digests that wait since the survey. */
  readonly replay: boolean;
}

/** Remove the keys from a filter. */
export interface RemoveSpec extends Reading {
  readonly type: 'remove';
  readonly filter: SharedFilter;
}

/** Turn the drafts of a filter into segments; there is nothing to read. */
export interface FinalizeSpec extends Reading {
  readonly type: 'finalize';
  readonly filter: SharedFilter;
}

/** A file that digests are written to, whose descriptor is the same for all threads. */
export interface DigestOutput {
  readonly fd: number;
  /** For messages. */
  readonly name: string;
}

/** Write the digests of the keys to files. */
export interface DigestsSpec extends Reading {
  readonly type: 'digests';
  readonly outputs: readonly DigestOutput[];
  /** For each of them the least high half of a digest that is its own, and 2^32 behind the last. */
  readonly bounds: BigUint64Array;
}

/** Count the distinct keys, in a sketch of so many registers once there are many. */
export interface CountSpec extends Reading {
  readonly type: 'count';
  readonly logRegisters: number;
}

/** Which records are printed. The numbers are the kernel's. */
export const WANTED = { absent: 0, present: 1, all: 2 } as const;
export type Wanted = (typeof WANTED)[keyof typeof WANTED];

export interface LineStyle {
  readonly wanted: Wanted;
  /** '+' or '-' before every line. */
  readonly tag: boolean;
  /** The name of the file, and ':' or what is to be behind it. */
  readonly named: boolean;
  /** Other than ':', what is behind it. */
  readonly behindName?: ':' | '\0';
  /** The record's number in its file, and ':'. */
  readonly numbered: boolean;
  /** Every record as one JSON object instead. */
  readonly json: boolean;
  /** The keys that filters have, or with absent records those that they have not, in the place of each record. */
  readonly keys?: 'alone' | undefined;
  /** The keys that matched, and what stands before records, are shown in colour. */
  readonly colours?: LineColours | undefined;
  /** What filters are called that have a record, where that is told. */
  readonly filterNames?: readonly string[];
}

/** A filter that is asked, and what makes digests of its keys. */
export interface TestedFilter {
  readonly filter: AskedFilter;
  readonly rules: KeyRules;
}

/** What the answers of several filters are together. */
export interface Combination {
  /** The filters that must have a record. */
  readonly needed: 'any' | 'all';
  /** The filters of which it is told whether they have a record: of those that do, all, or only the first. */
  readonly told: 'none' | 'first' | 'all';
}

/** One filter that has a record is enough, whichever it is. */
export const ANY_OF_THEM: Combination = { needed: 'any', told: 'none' };

/** A filter that is asked alone. */
export function oneFilter(filter: AskedFilter, rules: KeyRules): Pick<TestSpec, 'filters' | 'combination'> {
  return { filters: [{ filter, rules }], combination: ANY_OF_THEM };
}

/** Ask filters about the records. */
export interface TestSpec {
  readonly type: 'test';
  readonly selection: KeySelection;
  readonly filters: readonly TestedFilter[];
  readonly combination: Combination;
  /** How the records are printed; without it they are only counted. */
  readonly print: LineStyle | undefined;
  /** What was read is answered at once. */
  readonly lineBuffered: boolean;
  /** The answers of every source are wanted, and not only those of all. */
  readonly bySource: boolean;
  readonly stopAt: StopAt | undefined;
  /** The keys are counted that may be in the set, and not the records that have one. */
  readonly countsKeys?: boolean;
}

/** When enough records were selected. */
export interface StopAt {
  /** Which ones are. */
  readonly selected: Exclude<Wanted, 2>;
  readonly records: number;
  /** So many of each input; else of all together. */
  readonly ofEach: boolean;
}

/**
 * What was seen: a list of filters for each sighting that is remembered, one filter a window. The first list has each key, and every
 * other one the keys that came again when the one before had them.
 */
export type Seen = readonly (readonly Generation[])[];

/** Tell records whose keys were seen before from others, in their order. */
export interface DedupSpec extends Reading {
  readonly type: 'dedup';
  readonly seen: Seen;
  /** How it is forgotten; never without it. */
  readonly windows?: Windows | undefined;
  /** Records that went by before. */
  readonly recordsBefore: number;
  /** Of those that all but the last list had, the records whose keys are new to it are selected; or those whose keys are not. */
  readonly selects: 'new' | 'known';
  /** Those that are selected are printed, and not only counted. */
  readonly prints: boolean;
  /** How many answers are likely to be wrong is wanted. */
  readonly estimates: boolean;
}

/** What there is to do with the records of some inputs. Threads hand it to each other as a message. */
export type TaskSpec =
  | SurveySpec
  | AddSpec
  | AddToArraysSpec
  | RemoveSpec
  | FinalizeSpec
  | DigestsSpec
  | CountSpec
  | DedupSpec
  | TestSpec;

/** Where the records of a source stand. */
export interface Part {
  /** The name that is printed before them. */
  readonly name: string | undefined;
  /** It is the first part of its file. */
  readonly first: boolean;
  /** When its keys may be added, where that goes in order, and its records printed; at once without it. */
  readonly turn: { readonly adding: Turns; readonly turns: Turns; readonly number: number } | undefined;
}

/** Records, the keys that they had, and those records that may be in the set, or were removed from it. */
export interface Tally {
  readonly records: number;
  readonly keys: number;
  readonly positives: number;
  /** Keys of other parts of the filter, which were left out; where records are asked, those that have no answer for it. */
  readonly elsewhere: number;
  /** Records that each of several filters may have, where that is told. */
  readonly each?: readonly number[];
}

/** Of no records. */
export const NOTHING: Tally = { records: 0, keys: 0, positives: 0, elsewhere: 0 };

export function plus(a: Tally, b: Tally): Tally {
  return {
    records: a.records + b.records,
    keys: a.keys + b.keys,
    positives: a.positives + b.positives,
    elsewhere: a.elsewhere + b.elsewhere,
    ...together(a.each, b.each, (x, y) => x + y),
  };
}

/** Records whose answer is this. */
export function selectedIn({ records, positives, elsewhere }: Tally, selected: StopAt['selected']): number {
  return selected === WANTED.present ? positives : records - positives - elsewhere;
}

/** What is known without what was known before. */
export function minus(a: Tally, b: Tally): Tally {
  return {
    records: a.records - b.records,
    keys: a.keys - b.keys,
    positives: a.positives - b.positives,
    elsewhere: a.elsewhere - b.elsewhere,
    ...together(a.each, b.each, (x, y) => x - y),
  };
}

function together(a: Tally['each'], b: Tally['each'], work: (x: number, y: number) => number): Pick<Tally, 'each'> {
  const some = a ?? b;
  return some === undefined ? {} : { each: some.map((_, i) => work(a?.[i] ?? 0, b?.[i] ?? 0)) };
}

/** What is known of the distinct keys that one thread has seen. */
interface SeenKeys {
  /** Their table, if they are not too many. */
  readonly distinct: Uint8Array | undefined;
  /** Their sketch, if one was made. */
  readonly sketch: Uint8Array | undefined;
}

/** What one thread did. */
export type TaskResult =
  | (Tally & { readonly type: 'tally'; readonly faults?: readonly Fault[] })
  | (Tally & {
      readonly type: 'digests' /** Those that went to each of the outputs. */;
      readonly counts: readonly number[];
    })
  | (Tally &
      SeenKeys & { readonly type: 'survey' /** All of its digests wait for the filter. */; readonly isKept: boolean })
  | (Tally & AllSighted & { readonly type: 'dedup' })
  | (Tally & CountedCoupons & { readonly type: 'count' })
  | (Tally & SeenKeys & AddedKeys & { readonly type: 'add' })
  | (Tally & SeenKeys & ChangedArrays & { readonly type: 'add to arrays' });

/** The keys that a thread has counted: their table while they are few, else registers of their coupons. */
interface CountedCoupons {
  readonly distinct?: Uint8Array;
  readonly registers?: Uint8Array;
}

interface AllSighted {
  /** Records that went by, comments among them. */
  readonly settled: number;
  /** Of each list of filters that remembers a sighting. */
  readonly levels: readonly Sighted[];
}

interface AddedKeys {
  /** Keys for which the filter had no room, before it was given up. */
  readonly refused: number;
  /** What has become of a filter that grew. */
  readonly filter: SharedFilter | undefined;
}

interface ChangedArrays {
  /** Keys that have set a bit, of each array. */
  readonly changes: readonly number[];
  /** What has become of a filter that grew. */
  readonly filter: SharedArrays | undefined;
}

/** A task that a thread is at. */
export interface Task {
  /** Does it to the records of a source; returns what is known of them by then, and not of those before. */
  scan(source: ByteSource, part: Part, onRead?: (bytes: number) => Promise<void> | void): Promise<Tally>;
  /** Does what is left to do. */
  finish(): TaskResult;
}
