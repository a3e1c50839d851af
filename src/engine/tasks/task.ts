import type { KeyRules } from '../../formats/description.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Windows } from '../../sizing/windows.ts';
import type { KeySelection } from '../input/key-selection.ts';
import type { Generation } from '../store/generations.ts';
import type { SharedSegments } from '../store/shared-segments.ts';
import type { SharedStore } from '../store/store.ts';
import type { GrowthOptions } from '../store/store-access.ts';
import type { LineStyle, Selected } from './line-style.ts';
import type { Tally } from './tally.ts';
import type { TaskResult } from './task-result.ts';
import type { Turns } from './turns.ts';

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
export interface AddSpec extends Reading, GrowthOptions {
  readonly type: 'add';
  readonly filter: SharedStore;
  /** Begin with the digests that wait since the survey. */
  readonly replay: boolean;
  /** Keys are added in the order of their records, so that it is certain which of them set a bit. */
  readonly inOrder?: boolean;
  /** A sketch of the keys is wanted, for the case that they have no room. */
  readonly sketches?: boolean;
}

/** Remove the keys from a filter. */
export interface RemoveSpec extends Reading {
  readonly type: 'remove';
  readonly filter: SharedSegments;
}

/** Turn the drafts of a filter into segments; there is nothing to read. */
export interface SealSpec extends Reading {
  readonly type: 'seal';
  readonly filter: SharedSegments;
}

/** A file that is written to. All threads have the same descriptor. */
export interface OpenOutput {
  readonly fd: number;
  /** For messages. */
  readonly name: string;
}

/** Write the digests of the keys to files. */
export interface DigestsSpec extends Reading {
  readonly type: 'digests';
  readonly outputs: readonly OpenOutput[];
  /** For each of them the least high half of a digest that is its own, and 2^32 behind the last. */
  readonly bounds: BigUint64Array;
}

/** Count the distinct keys, in a sketch of so many registers once there are many. */
export interface CountSpec extends Reading {
  readonly type: 'count';
  readonly logRegisters: number;
}

/** A filter that is asked, and what makes digests of its keys. */
export interface TestedFilter {
  readonly filter: SharedStore;
  readonly rules: KeyRules;
}

/** What the answers of several filters are together. */
export interface Combination {
  /** The filters that must have a record. */
  readonly needed: 'any' | 'all';
  /** The filters of which it is told whether they have a record: of those that do, all, or only the first. */
  readonly named: 'none' | 'first' | 'all';
}

/** One filter that has a record is enough, whichever it is. */
export const ANY_OF_THEM: Combination = { needed: 'any', named: 'none' };

/** A filter that is asked alone. */
export function oneFilter(filter: SharedStore, rules: KeyRules): Pick<TestSpec, 'filters' | 'combination'> {
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
  /** Where they are printed, if not to the standard output. */
  readonly into?: OpenOutput | undefined;
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
  readonly selected: Selected;
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
  /** Where they are printed, if not to the standard output. */
  readonly into?: OpenOutput | undefined;
  /** How many answers are likely to be wrong is wanted. */
  readonly estimates: boolean;
}

/** What there is to do with the records of some inputs. Threads hand it to each other as a message. */
export type TaskSpec = SurveySpec | AddSpec | RemoveSpec | SealSpec | DigestsSpec | CountSpec | DedupSpec | TestSpec;

/** Where the records of a source stand. */
export interface SourcePart {
  /** The name that is printed before them. */
  readonly name: string | undefined;
  /** It is the first part of its file. */
  readonly first: boolean;
  /** When its keys may be added, where that goes in order, and its records printed; at once without it. */
  readonly turn: { readonly adding: Turns; readonly turns: Turns; readonly number: number } | undefined;
}

/** A task that a thread is at. */
export interface Task {
  /** Does it to the records of a source; returns what is known of them by then, and not of those before. */
  scan(source: ByteSource, part: SourcePart, onRead?: (bytes: number) => Promise<void> | void): Promise<Tally>;
  /** Does what is left to do. */
  finish(): TaskResult;
}
