import type { Fill } from '../../filters/kind.ts';
import type { Description } from '../../formats/description.ts';
import type { FilteredPart } from '../../formats/format.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { ProgressObserver } from '../input/progress.ts';
import type { SharedStore } from './store.ts';

/** A filter that was in a file, to be asked and reported on. */
export interface LoadedAsked {
  readonly name: string;
  readonly description: Description;
  readonly asked: SharedStore;
  /** Its file, where that can be read at any position. */
  readonly file: PositionedFile | undefined;
  /** What each of its arrays is the filter of, where it is one of a file of many. */
  readonly parts: readonly FilteredPart[];
  /** Where in the file keys are of which it has no filter. */
  readonly unfiltered: readonly string[];
  /** How full its segments are, or the array: as the file says, else all of it is read and counted. */
  fills(): readonly Fill[];
  /** Reads all of it and compares it with its checksums; undefined where it has none. Throws a `format` error. */
  verify: ((observer: ProgressObserver) => Promise<void>) | undefined;
  close(): void;
}
