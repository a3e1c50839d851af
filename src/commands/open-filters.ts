import { loadFilter } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { isUrl, lookAt, stateOf } from '../io/look.ts';
import { meansMany } from '../io/patterns.ts';
import { plural } from '../quantities.ts';
import { doubtWarning, type FilterLocations, type OpenedFilters, type QueryOpening } from './opened-filters.ts';

/** Opens one filter for queries, or any number of them. */
export async function openFilters(filters: FilterLocations, opening: QueryOpening): Promise<OpenedFilters> {
  const [first = '', ...others] = filters.locations;
  if (others.length === 0 && filters.lists.length === 0 && !meansMany(first)) return openOne(first, opening);
  const { openTogether } = await import('./opened-together.ts');
  return openTogether(filters, opening, openOne);
}

/**
 * Opens a filter for queries, and warns about keys that it cannot know. Throws `input`, `format` and `memory` errors.
 */
async function openOne(name: string, { kernel, loading, say, lasts }: QueryOpening): Promise<OpenedFilters> {
  const state = stateOf(name);
  const loaded = await loadFilter(kernel, name, loading);
  if (loaded.unfiltered.length > 0) say.warning(unfilteredWarning(loaded));
  const { doubt } = loaded.description;
  if (doubt !== undefined) say.warning(doubtWarning([name], doubt));
  const isNamed = name !== '-' && (isUrl(name) || lookAt(name)?.isFile() === true);
  if (!lasts || !isNamed)
    return { names: [name], failures: 0, loaded: () => [loaded], replacement: undefined, close: loaded.close };
  const { lastingFilter } = await import('./lasting-filter.ts');
  // A newer version is a file of its own.
  const { open, ...opening } = loading;
  return lastingFilter(name, loaded, state, opening, say);
}

/** The warning for a file that has keys without a filter. */
function unfilteredWarning({ name, unfiltered }: LoadedFilter): string {
  const others = unfiltered.length === 1 ? '' : ` and ${plural(unfiltered.length - 1, 'other part')}`;
  return `${name} has no filter of ${unfiltered[0]}${others}: every key may be there`;
}
