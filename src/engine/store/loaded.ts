import type { Fill } from '../../filters/kind.ts';
import type { Description, OwnDescription } from '../../formats/description.ts';
import type { FilteredPart } from '../../formats/format.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { ProgressObserver } from '../input/progress.ts';
import type { Fillable } from './fillable.ts';
import type { SharedSegments } from './shared-segments.ts';
import type { SharedStore } from './store.ts';

/** A filter that was in a file. */
export interface LoadedFilter {
  readonly name: string;
  readonly description: Description;
  readonly store: SharedStore;
  /** The same, if it is of segments: only these can be copied, and changed one key at a time. */
  readonly segments: SharedSegments | undefined;
  /** Its file, where that can be read at any position. */
  readonly file: PositionedFile | undefined;
  /** What each of its arrays is the filter of, where it is one of a file of many. */
  readonly parts: readonly FilteredPart[];
  /** What the parts are called that a store finds, by their numbers; undefined for a filter that is queried as a whole. */
  readonly labelOf: ((part: number) => FilteredPart | undefined) | undefined;
  /** Where in the file keys are of which it has no filter. */
  readonly unfiltered: readonly string[];
  /** How full its segments are, or the array: as the file says, else all of it is read and counted. */
  fills(): readonly Fill[];
  /** Reads all of it and compares it with its checksums; undefined where it has none. Throws a `format` error. */
  readonly verify: ((observer: ProgressObserver) => Promise<void>) | undefined;
  close(): void;
}

/** One of segments. */
export interface LoadedSegments extends LoadedFilter {
  readonly description: OwnDescription;
  readonly store: SharedSegments;
}

/** One that was loaded to be changed. */
export interface ChangeableFilter extends LoadedFilter {
  /** It, to add keys by so many threads. Throws a `memory` error. */
  fillable(threadCount: number): Fillable;
}
