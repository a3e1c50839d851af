import { BloomError } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import { fileIndex } from '../formats/index-file/file-index.ts';
import type { FormatMark } from '../formats/mark.ts';
import { compressedFormat } from '../formats/open.ts';
import type { Opening } from '../formats/opening.ts';
import { formatNamed, formatOf, likelyFormat } from '../formats/registry.ts';
import { filesBelow } from '../io/folders.ts';
import { displayName, isUrl, lookAt } from '../io/look.ts';
import { isPattern, meansMany, namesLike } from '../io/patterns.ts';
import { headOf, type PositionedFile, readAt } from '../io/positioned.ts';

/** A file that may be a filter. */
export interface Candidate {
  readonly name: string;
  /** The argument: the file itself, or a folder or pattern that contains it. */
  readonly place: string;
  /** Whether the file is to be queried. This opens a file in a folder: other files in folders are skipped. */
  isMeant(): Promise<boolean>;
}

/** The names of the filters among the candidates. */
export async function* filtersIn(
  places: readonly string[],
  opening: Opening,
  onError: (error: BloomError) => void,
): AsyncGenerator<string> {
  for (const { name, isMeant } of candidatesIn(places, opening, onError)) if (await isMeant()) yield name;
}

/**
 * The candidates: named files, files that match a pattern, and files in folders and their subfolders. `onError` gets the errors of
 * unreadable names, and of patterns without a match.
 */
export function* candidatesIn(
  places: readonly string[],
  opening: Opening,
  onError: (error: BloomError) => void,
): Generator<Candidate> {
  for (const place of places) {
    try {
      for (const name of namesOf(place)) {
        if (name === '-' || !lookAt(name)?.isDirectory()) yield { name, place, isMeant: async () => true };
        else
          for (const file of filesBelow(name, 'filter'))
            yield { name: file, place, isMeant: () => mayBeMeant(file, opening) };
      }
    } catch (error) {
      if (!(error instanceof BloomError)) throw error;
      onError(error);
    }
  }
}

function namesOf(place: string): readonly string[] {
  if (!isPattern(place)) return [place];
  // Reading a FIFO or a device would wait, or never end.
  const isReadable = (name: string) => lookAt(name)?.isFile() === true || lookAt(name)?.isDirectory() === true;
  const names = namesLike(place).filter(isReadable);
  if (names.length > 0) return names;
  throw new BloomError('input', `no file matches ${displayName(place)}`, 'name filters, or a folder with filters');
}

/**
 * Whether a file is a filter that can be queried, with columns if one is named. True for an unreadable file, whose
 * error is then reported.
 */
async function mayBeMeant(name: string, { column, format: stated }: Opening): Promise<boolean> {
  try {
    const format = await formatIn(name, formatOf);
    if (format === undefined || !('abilities' in format) || !format.abilities.includes('query')) return false;
    const isStated = stated === undefined || formatNamed(stated) === format;
    return isStated && (column === undefined || format.openColumns !== undefined);
  } catch (error) {
    if (error instanceof BloomError) return true;
    throw error;
  }
}

/**
 * The format of the filter in a file, compressed or not. Undefined if the file is not a filter. Throws an `input`
 * error.
 */
async function formatIn(name: string, tell: typeof formatOf): Promise<Format | FormatMark | undefined> {
  const file = headOf(name, 'filter');
  return file && (tell(file.head, file.size, file.tail) ?? (await compressedFormat(name, file.head)));
}

/** Whether an argument can only mean filters: a URL, a folder, a pattern, or a file that is detected as a filter. */
export async function meansFilters(name: string): Promise<boolean> {
  if (isUrl(name) || meansMany(name)) return true;
  return lookAt(name)?.isFile() === true && name !== '-' && (await isFilter(name, formatOf)) === true;
}

/** Whether an argument is a regular file that is not a filter, also not a damaged one. */
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

/** Whether the file begins like an index of files. */
function isIndexHead(head: Uint8Array, size: number): boolean {
  return formatOf(head, size) === fileIndex;
}

/** Bytes that show an index. */
const MAGIC_BYTES = 128;

/** Whether an opened file on a server is an index of files. Throws `input` errors. */
export function isIndexAt(file: PositionedFile): boolean {
  const head = new Uint8Array(MAGIC_BYTES);
  return isIndexHead(head.subarray(0, readAt(file, head, 0)), file.size);
}

/** Whether a file is an index of files. */
export function isIndex(name: string): boolean {
  if (name === '-' || isUrl(name) || !lookAt(name)?.isFile()) return false;
  try {
    const file = headOf(name, 'filter');
    return file !== undefined && isIndexHead(file.head, file.size);
  } catch (error) {
    // It is reported when it is opened as a filter.
    if (error instanceof BloomError) return false;
    throw error;
  }
}
