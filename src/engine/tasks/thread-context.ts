import type { Kernel } from '../../kernel/kernel.ts';
import type { SharedStore } from '../store/store.ts';
import type { DigestLog } from './digest-log.ts';
import type { Seen } from './task.ts';

/** The context of a thread's work. */
export interface ThreadContext {
  readonly kernel: Kernel;
  /** The thread's number: 0 is the main thread. */
  readonly threadIndex: number;
  /** The digests that wait until the filter has been sized. */
  log?: DigestLog | undefined;
  /** Is called when only the printing of a part is left. */
  readonly onPrinting?: () => void;
  readonly replacement?: Replacement | undefined;
  readonly keeper?: Keeper | undefined;
  /** The time in milliseconds since 1970; by default the system's clock. */
  readonly clock?: () => number;
}

/** Saves the state while records still come. All records that were read before are answered first. */
export interface Keeper {
  /** Whether the state must be saved after this many records in total. */
  isDue(records: number): boolean;
  /** Milliseconds until the state is to be saved even if no record comes; undefined if it is not. */
  patience(records: number): number | undefined;
  keep(seen: Seen, records: number): Promise<void>;
}

/** New versions of the filters in use. Keys have the same digests in them. */
export interface Replacement {
  /** Whether there may be a new version. */
  isDue(): boolean;
  /** The filters to query from now on, in the order of the filters before; undefined if nothing changed. */
  take(): Promise<readonly SharedStore[] | undefined>;
}
