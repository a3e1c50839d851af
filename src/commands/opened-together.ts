import type { SharedStore } from '../engine/store/store.ts';
import type { Replacement } from '../engine/tasks/thread-context.ts';
import { BloomError, OutdatedCopy } from '../errors.ts';
import { displayName, identityOf } from '../io/look.ts';
import { filtersIn } from './filter-files.ts';
import { namesIn } from './inputs.ts';
import type { FilterPlaces, OpenedFilters, OpeningToAsk } from './opened-filters.ts';

/**
 * Opens the filters of all places, each once, as `openOne` does. What cannot be read is reported, and the others are asked all
 * the same. Throws `usage` errors, and those of lists.
 */
export async function openTogether(
  { places, lists }: FilterPlaces,
  opening: OpeningToAsk,
  openOne: (name: string, opening: OpeningToAsk) => Promise<OpenedFilters>,
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
  for await (const name of filtersIn([...places, ...listed], loading.opening ?? {}, onError)) {
    // Of names of the same file each may later be that of another.
    const file = (lasts ? undefined : identityOf(name)) ?? name;
    if (!names.has(file)) names.set(file, name);
  }
  if (names.size === 0 && failures === 0)
    throw new BloomError('input', `there is no filter in ${places.map(displayName).join(', ')}`, 'name filters');
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

/** The names in lists. Throws a `usage` error for one that is empty. */
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

/** What takes the places of any of them. */
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
