import type { Fill } from '../../filters/kind.ts';
import type { Description, OwnDescription } from '../../formats/description.ts';
import type { FilteredPart } from '../../formats/format.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { ProgressObserver } from '../input/progress.ts';
import type { Fillable } from './fillable.ts';
import type { SharedSegments } from './shared-segments.ts';
import type { SharedStore } from './store.ts';

/** A filter that was loaded from a file. */
export interface LoadedFilter {
  readonly name: string;
  readonly description: Description;
  readonly store: SharedStore;
  /** The same store if it has segments; only these can be copied, and changed one key at a time. */
  readonly segments: SharedSegments | undefined;
  /** The file, if it can be read at any position. */
  readonly file: PositionedFile | undefined;
  /** For each array, the part of the file whose filter it is, if the file has many filters. */
  readonly parts: readonly FilteredPart[];
  /** The label of a part, by its number in the store; undefined for a filter that is queried as a whole. */
  readonly labelOf: ((part: number) => FilteredPart | undefined) | undefined;
  /** The parts of the file whose keys no filter covers. */
  readonly unfiltered: readonly string[];
  /** The fill of each segment or array: as the file states it, or counted over all bits. */
  fills(): readonly Fill[];
  /** Reads the whole filter and compares it with its checksums; undefined for a file without checksums. Throws a `format` error. */
  readonly verify: ((observer: ProgressObserver) => Promise<void>) | undefined;
  close(): void;
}

/** A loaded filter with segments. */
export interface LoadedSegments extends LoadedFilter {
  readonly description: OwnDescription;
  readonly store: SharedSegments;
}

/** A filter that was loaded to be changed. */
export interface ChangeableFilter extends LoadedFilter {
  /** The filter, ready for `threadCount` threads to add keys. Throws a `memory` error. */
  fillable(threadCount: number): Fillable;
}
