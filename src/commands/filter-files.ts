import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, BloomError, cannotRead } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import type { FormatMark } from '../formats/mark.ts';
import { compressedFormat } from '../formats/open.ts';
import type { Opening } from '../formats/opening.ts';
import { formatNamed, formatOf, likelyFormat } from '../formats/registry.ts';
import { displayName, isUrl, lookAt } from '../io/look.ts';
import { isPattern, meansMany, namesLike } from '../io/patterns.ts';
import { headOf } from '../io/positioned.ts';

/**
 * The filters that are named, or by patterns, and those in folders that are, and in the folders there: what is none there is
 * passed over. `onError` hears of what cannot be read, and of a pattern that stands for nothing.
 */
export async function* filtersIn(
  places: readonly string[],
  opening: Opening,
  onError: (error: BloomError) => void,
): AsyncGenerator<string> {
  for (const place of places) {
    try {
      for (const name of namesOf(place)) {
        if (name !== '-' && lookAt(name)?.isDirectory()) yield* filtersBelow(name, opening);
        else yield name;
      }
    } catch (error) {
      if (!(error instanceof BloomError)) throw error;
      onError(error);
    }
  }
}

function namesOf(place: string): readonly string[] {
  if (!isPattern(place)) return [place];
  // Reading a FIFO or a device that lies there would wait, or never end.
  const isReadable = (name: string) => lookAt(name)?.isFile() === true || lookAt(name)?.isDirectory() === true;
  const names = namesLike(place).filter(isReadable);
  if (names.length > 0) return names;
  throw new BloomError('input', `no file matches ${displayName(place)}`, 'name filters, or a folder with filters');
}

/** In the order of their names. Links to folders, which may lead back, are not followed. Throws an `input` error. */
async function* filtersBelow(folder: string, opening: Opening): AsyncGenerator<string> {
  const read = () => readdirSync(folder, { withFileTypes: true });
  const entries = attempt(read, (cause) => cannotRead('filter', displayName(folder), cause));
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of sorted) {
    const name = join(folder, entry.name);
    if (entry.isDirectory()) yield* filtersBelow(name, opening);
    else if (lookAt(name)?.isFile() && (await mayBeMeant(name, opening))) yield name;
  }
}

/** Whether it is a filter that can be asked, of columns if one is wanted, or cannot be read, which is then told. */
async function mayBeMeant(name: string, { column, format: stated }: Opening): Promise<boolean> {
  try {
    const format = await formatIn(name, formatOf);
    if (format === undefined || !('abilities' in format) || !format.abilities.includes('ask')) return false;
    const isStated = stated === undefined || formatNamed(stated) === format;
    return isStated && (column === undefined || format.openColumns !== undefined);
  } catch (error) {
    if (error instanceof BloomError) return true;
    throw error;
  }
}

/** The format of a filter in a file, compressed or not; undefined if the file is not a filter. Throws an `input` error. */
async function formatIn(name: string, tell: typeof formatOf): Promise<Format | FormatMark | undefined> {
  const file = headOf(name, 'filter');
  return file && (tell(file.head, file.size, file.tail) ?? (await compressedFormat(name, file.head)));
}

/** Whether an argument can mean nothing but filters: a URL, a folder, a pattern, or a file that is told to be a filter. */
export async function meansFilters(name: string): Promise<boolean> {
  if (isUrl(name) || meansMany(name)) return true;
  return lookAt(name)?.isFile() === true && name !== '-' && (await isFilter(name, formatOf)) === true;
}

/** Whether an argument is a regular file that is not a filter, and not what is left of one. */
export async function isOtherFile(name: string): Promise<boolean> {
  return lookAt(name)?.isFile() === true && name !== '-' && (await isFilter(name, likelyFormat)) === false;
}

/** Undefined for a file that cannot be read. */
async function isFilter(name: string, tell: typeof formatOf): Promise<boolean | undefined> {
  try {
    return (await formatIn(name, tell)) !== undefined;
  } catch (error) {
    if (error instanceof BloomError) return undefined;
    throw error;
  }
}
