import type { Loading } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import type { Replacement } from '../engine/tasks/thread-context.ts';
import { displayName } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';

/** Filters as long as they are asked. */
export interface OpenedFilters {
  /** What each is called, as it was named. */
  readonly names: readonly string[];
  /** The versions that are asked. */
  loaded(): readonly LoadedFilter[];
  /** What may take their places; undefined if nothing does. */
  readonly replacement: Replacement | undefined;
  /** Filters that could not be opened, which was reported. */
  readonly failures: number;
  close(): void;
}

/** What to say of files that may have other keys than they seem to. */
export function doubtWarning([first = '', ...others]: readonly string[], doubt: string): string {
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `${displayName(first)}${more}: ${doubt}`;
}

/** Where filters are. */
export interface FilterPlaces {
  /** Files, folders, patterns and URLs. */
  readonly places: readonly string[];
  /** Files with the names of more. */
  readonly lists: readonly string[];
}

/** How filters are opened that are asked. */
export interface OpeningToAsk {
  readonly kernel: Kernel;
  readonly loading: Loading;
  readonly say: Messenger;
  /** Records may come for as long as somebody has some, so that other filters can take the places of these. */
  readonly lasts: boolean;
}
