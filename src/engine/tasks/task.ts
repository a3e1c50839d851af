import type { KeyRules } from '../../formats/description.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { Windows } from '../../sizing/windows.ts';
import type { RecordSource } from '../input/header.ts';
import type { KeySelection } from '../input/key-selection.ts';
import type { SharedSegments } from '../store/shared-segments.ts';
import type { SharedStore } from '../store/store.ts';
import type { GrowthOptions } from '../store/store-access.ts';
import type { WindowFilter } from '../store/window-filters.ts';
import type { LineStyle, Selected } from './line-style.ts';
import type { Tally } from './tally.ts';
import type { TaskResult } from './task-result.ts';
import type { Turns } from './turns.ts';

interface KeySpec {
  readonly selection: KeySelection;
  readonly rules: KeyRules;
}

/** Count the distinct keys, and keep their digests. */
export interface SurveySpec extends KeySpec {
  readonly type: 'survey';
  /** Digests beyond the memory limit go to a temporary file; otherwise they are discarded. */
  readonly spills: boolean;
}

/** Add the keys to a filter. */
export interface AddSpec extends KeySpec, GrowthOptions {
  readonly type: 'add';
  readonly filter: SharedStore;
  /** Begin with the digests that the survey kept. */
  readonly replay: boolean;
  /** Keys are added in the order of their records, so that it is certain which of them set a bit. */
  readonly inOrder?: boolean;
  /** Make a sketch of the keys, in case the filter is too small for them. */
  readonly sketches?: boolean;
}

/** Remove the keys from a filter. */
export interface RemoveSpec extends KeySpec {
  readonly type: 'remove';
  readonly filter: SharedSegments;
}

/** Turn the drafts of a filter into segments; no input is read. */
export interface SealSpec extends KeySpec {
  readonly type: 'seal';
  readonly filter: SharedSegments;
}

/** Count the distinct protected keys, in the table and the sketch of a survey. */
export interface CountProtectedSpec extends KeySpec {
  readonly type: 'countProtected';
}

/** Make the screens of drafts with all their members; no input is read. */
export interface ScreenSpec extends KeySpec {
  readonly type: 'screen';
  readonly filter: SharedSegments;
}

/** Give the screened drafts of a filter their protected keys. */
export interface ProtectSpec extends KeySpec {
  readonly type: 'protect';
  readonly filter: SharedSegments;
}

/** A file that is written to. All threads use the same descriptor. */
export interface OpenOutput {
  readonly fd: number;
  /** For messages. */
  readonly name: string;
}

/** Write the digests of the keys to files. */
export interface DigestsSpec extends KeySpec {
  readonly type: 'digests';
  readonly outputs: readonly OpenOutput[];
  /** Per output, the smallest high half of its digests; 2^32 at the end. */
  readonly bounds: BigUint64Array;
  /** Each digest is followed by the number of its record in all inputs, u32; the tally counts skipped records too. */
  readonly numbered?: boolean;
}

/** Look up numbered digests in a filter or a part of it, and mark their records; no input is read. */
export interface MarkSpec extends KeySpec {
  readonly type: 'mark';
  readonly filter: SharedStore;
  /** The digests, each with the number of its record, as `DigestsSpec` writes them. */
  readonly file: PositionedFile;
  /** One number: the next piece of the file that no thread has begun. */
  readonly next: Int32Array;
  /**
   * One bit per record: it has a key that is maybe present; if all keys of a record are needed, it has an absent key. Undefined if keys are
   * only counted.
   */
  readonly marks: Uint32Array | undefined;
  /** One bit per record: it has a key. Needed only if a record must have all of its keys. */
  readonly keyed: Uint32Array | undefined;
}

/** Make the signature of each file for an index. */
export interface SignSpec extends KeySpec {
  readonly type: 'sign';
  /** Rows of each key. */
  readonly k: number;
  readonly targetFpr: number;
  /** One temporary file per thread, to which the thread appends its signatures. */
  readonly outputs: readonly OpenOutput[];
  /** Make a checksum of each file. */
  readonly hasChecksums: boolean;
  /** Slots of the set of distinct digests, at most. */
  readonly slotsLimit?: number;
}

/** Count the distinct keys; many keys are counted in a sketch of 2^`logRegisters` registers. */
export interface CountSpec extends KeySpec {
  readonly type: 'count';
  readonly logRegisters: number;
}

/** A filter that is queried, and the rules that make digests of its keys. */
export interface TestedFilter {
  readonly filter: SharedStore;
  readonly rules: KeyRules;
}

/** How the answers of several filters are combined. */
export interface Combination {
  /** The filters that must have a record. */
  readonly needed: 'any' | 'all';
  /** Which of the filters that have a record are printed. */
  readonly named: 'none' | 'first' | 'all';
}

/** One filter that has a record is enough. */
export const ANY_OF_THEM: Combination = { needed: 'any', named: 'none' };

/** A single filter that is queried. */
export function oneFilter(filter: SharedStore, rules: KeyRules): Pick<TestSpec, 'filters' | 'combination'> {
  return { filters: [{ filter, rules }], combination: ANY_OF_THEM };
}

/** Look up the records in filters. */
export interface TestSpec {
  readonly type: 'test';
  readonly selection: KeySelection;
  readonly filters: readonly TestedFilter[];
  readonly combination: Combination;
  /** How the records are printed; undefined to only count them. */
  readonly print: LineStyle | undefined;
  /** The file of the printed records; the standard output by default. */
  readonly into?: OpenOutput | undefined;
  /** Records are answered as soon as they were read. */
  readonly lineBuffered: boolean;
  /** Answers are counted per source, and not only in total. */
  readonly bySource: boolean;
  readonly stopAt: StopAt | undefined;
  /** Count the maybe present keys instead of the records. */
  readonly countsKeys?: boolean;
  /** The answers, if the filters were queried before; one thread handles all records then. */
  readonly known?: KnownAnswers | undefined;
}

/** Answers about the records of inputs, in their order, skipped records included. */
export interface KnownAnswers {
  /** The marks of each filter, or those of all filters together. */
  readonly marks: readonly Uint32Array[];
  readonly keyed: Uint32Array | undefined;
  /** Per input, the records up to its end. */
  readonly ends: readonly number[];
}

/** The number of selected records after which a query stops. */
export interface StopAt {
  /** The answer that is counted. */
  readonly selected: Selected;
  readonly records: number;
  /** The limit holds per input; otherwise for all inputs together. */
  readonly ofEach: boolean;
}

/**
 * The keys that were seen: one list of filters per sighting, and one filter per window. The first list has every key. Each further list has
 * the keys that came again while the list before had them.
 */
export type Seen = readonly (readonly WindowFilter[])[];

/** Select records by whether their keys were seen before, in their order. */
export interface DedupSpec extends KeySpec {
  readonly type: 'dedup';
  readonly seen: Seen;
  /** The windows after which keys are dropped; without windows no key is dropped. */
  readonly windows?: Windows | undefined;
  /** Records of earlier runs. */
  readonly recordsBefore: number;
  /**
   * Only records whose keys all but the last list had count. Selects the records whose keys are new to the last list, or those whose keys
   * it knows.
   */
  readonly selects: 'new' | 'known';
  /** The selected records are printed, and not only counted. */
  readonly prints: boolean;
  /** The file of the printed records; the standard output by default. */
  readonly into?: OpenOutput | undefined;
  /** Estimate the number of wrong answers. */
  readonly estimates: boolean;
}

/** The work on the records of some inputs. Threads pass this to each other as a message. */
export type TaskSpec =
  | SurveySpec
  | AddSpec
  | RemoveSpec
  | SealSpec
  | DigestsSpec
  | MarkSpec
  | CountProtectedSpec
  | ScreenSpec
  | ProtectSpec
  | CountSpec
  | SignSpec
  | DedupSpec
  | TestSpec;

/** A part of an input, as a source of records. */
export interface SourcePart {
  /** The name that is printed before the records. */
  readonly name: string | undefined;
  /** This is the first part of its file. */
  readonly first: boolean;
  /** The turns to add keys in order, and to print records; undefined if neither has to wait. */
  readonly turn: { readonly adding: Turns; readonly turns: Turns; readonly number: number } | undefined;
}

/** A task in a thread. */
export interface Task {
  /** Is called before a file of `scanFile` is read. */
  begin?(name: string): void;
  /** Handles the records of a source. Returns the tally of these records as far as they are answered. */
  scan(source: RecordSource, part: SourcePart, onRead?: (bytes: number) => Promise<void> | void): Promise<Tally>;
  /** The same for the whole text of a file, which is in memory. Undefined if the task reads sources only. */
  readonly scanText?: ((name: string, text: Uint8Array) => Tally) | undefined;
  /** Does the remaining work. */
  finish(): TaskResult;
}
