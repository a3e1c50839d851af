import type { Loading } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import type { Replacement } from '../engine/tasks/thread-context.ts';
import { displayName } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';

/** Open filters of a query. */
export interface OpenedFilters {
  /** The names as the user wrote them. */
  readonly names: readonly string[];
  /** The current versions. */
  loaded(): readonly LoadedFilter[];
  /** Newer versions that may replace them. Undefined if none can. */
  readonly replacement: Replacement | undefined;
  /** The number of filters that could not be opened. Each was reported. */
  readonly failures: number;
  close(): void;
}

/** The warning for files that may report members as absent. */
export function doubtWarning([first = '', ...others]: readonly string[], doubt: string): string {
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `${displayName(first)}${more}: ${doubt}`;
}

/** The locations of filters. */
export interface FilterLocations {
  /** Files, folders, patterns and URLs. */
  readonly locations: readonly string[];
  /** Files that list further locations. */
  readonly lists: readonly string[];
}

/** How filters are opened for a query. */
export interface QueryOpening {
  readonly kernel: Kernel;
  readonly loading: Loading;
  readonly say: Messenger;
  /** The query may stay open, so that newer filters can replace these. */
  readonly lasts: boolean;
}
