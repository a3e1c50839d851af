import type { Kernel } from '../../kernel/kernel.ts';
import type { SharedStore } from '../store/store.ts';
import type { DigestLog } from './digest-log.ts';
import type { Seen } from './task.ts';

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
  take(): Promise<readonly SharedStore[] | undefined>;
}
