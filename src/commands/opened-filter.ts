import { type LoadedAsked, type Loading, loadAsked } from '../engine/filter/load-asked.ts';
import type { Replacement } from '../engine/tasks/task.ts';
import { isUrl, lookAt, stateOf } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { plural } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';

/** A filter as long as it is asked. */
export interface OpenedFilter {
  /** The version that is asked. */
  loaded(): LoadedAsked;
  /** What may take its place; undefined if nothing does. */
  readonly replacement: Replacement | undefined;
  close(): void;
}

/**
 * Opens a filter to ask it, and says what it does not answer. If records may come for as long as somebody has some, as `lasts` says,
 * another filter of its name can take its place. Throws `input`, `format` and `memory` errors.
 */
export async function openToAsk(
  kernel: Kernel,
  name: string,
  loading: Loading,
  say: Messenger,
  lasts: boolean,
): Promise<OpenedFilter> {
  const state = stateOf(name);
  const loaded = await loadAsked(kernel, name, loading);
  if (loaded.unfiltered.length > 0) say.warning(unfilteredWarning(loaded));
  const isNamed = name !== '-' && (isUrl(name) || lookAt(name)?.isFile() === true);
  if (!lasts || !isNamed) return { loaded: () => loaded, replacement: undefined, close: loaded.close };
  const { lastingFilter } = await import('./lasting-filter.ts');
  return lastingFilter(name, loaded, state, loading, say);
}

/** What to say of a file in which keys may be of which it has no filter. */
function unfilteredWarning({ name, unfiltered }: LoadedAsked): string {
  const others = unfiltered.length === 1 ? '' : ` and ${plural(unfiltered.length - 1, 'other part')}`;
  return `${name} has no filter of ${unfiltered[0]}${others}, where every key may be`;
}
