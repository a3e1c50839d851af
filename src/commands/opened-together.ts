import type { SharedStore } from '../engine/store/store.ts';
import type { Replacement } from '../engine/tasks/thread-context.ts';
import { BloomError, OutdatedCopy } from '../errors.ts';
import { displayName, identityOf } from '../io/look.ts';
import { filtersIn } from './filter-files.ts';
import { namesIn } from './inputs.ts';
import type { FilterLocations, OpenedFilters, QueryOpening } from './opened-filters.ts';

/**
 * Opens the filters of all locations with `openOne`, each file once. An unreadable filter is reported, and the others are still queried.
 * Throws `usage` errors, and errors of lists.
 */
export async function openTogether(
  { locations, lists }: FilterLocations,
  opening: QueryOpening,
  openOne: (name: string, opening: QueryOpening) => Promise<OpenedFilters>,
): Promise<OpenedFilters> {
  const { loading, say, lasts } = opening;
  const opened: OpenedFilters[] = [];
  const close = () => {
    for (const one of opened) one.close();
  };
  let failures = 0;
  const onError = (error: BloomError) => {
    failures++;
    say.error(error);
  };
  const listed = await listedIn(lists, onError);
  const names = new Map<string, string>();
  for await (const name of filtersIn([...locations, ...listed], loading.opening ?? {}, onError)) {
    // Two names of one file may later name different files.
    const file = (lasts ? undefined : identityOf(name)) ?? name;
    if (!names.has(file)) names.set(file, name);
  }
  if (names.size === 0 && failures === 0)
    throw new BloomError('input', `there is no filter in ${locations.map(displayName).join(', ')}`, 'name filters');
  for (const name of names.values()) {
    try {
      opened.push(await openOne(name, opening));
    } catch (error) {
      if (!(error instanceof BloomError) || error.code === 'usage' || error instanceof OutdatedCopy) {
        close();
        throw error;
      }
      onError(error);
    }
  }
  return {
    names: opened.flatMap((one) => one.names),
    failures,
    loaded: () => opened.flatMap((one) => one.loaded()),
    replacement: replacementOf(opened),
    close,
  };
}

/** The names in lists. Throws a `usage` error for an empty list. */
async function listedIn(lists: readonly string[], onError: (error: BloomError) => void): Promise<string[]> {
  const names: string[] = [];
  for (const list of lists) {
    const found = await namesIn(list, '\n');
    if (found.length === 0) throw new BloomError('usage', `${displayName(list)} names no filters`, 'leave it out');
    for (const name of found) {
      if (typeof name === 'string') names.push(name);
      else onError(name);
    }
  }
  return names;
}

/** The replacement of any of the filters. */
function replacementOf(opened: readonly OpenedFilters[]): Replacement | undefined {
  if (opened.every(({ replacement }) => replacement === undefined)) return undefined;
  return {
    isDue: () => opened.some(({ replacement }) => replacement?.isDue()),
    async take() {
      let isNew = false;
      const filters: SharedStore[] = [];
      for (const { replacement, loaded } of opened) {
        const newer = replacement?.isDue() ? await replacement.take() : undefined;
        isNew ||= newer !== undefined;
        filters.push(...(newer ?? loaded().map(({ store }) => store)));
      }
      return isNew ? filters : undefined;
    },
  };
}
