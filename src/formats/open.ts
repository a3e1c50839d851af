import { BloomError } from '../errors.ts';
import { type Compression, compressionOf, mayBeCompressed } from '../io/compression.ts';
import { putBack, takeHead } from '../io/head.ts';
import { displayName, isUrl } from '../io/look.ts';
import { type Tail, tailOf } from '../io/positioned.ts';
import { type ByteSource, openSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FilterFile, Format } from './format.ts';
import type { FormatAbility, FormatMark } from './mark.ts';
import type { Opening } from './opening.ts';
import { FORMATS, formatNamed, isUntoldFilter, likelyFormat, mayBeOf } from './registry.ts';
import { withKeyType } from './with-key-type.ts';

/**
 * Opens a filter in a file of any format, for what is to be done with it, as what is stated of it; `open` is how its bytes are
 * read. With a kernel the checksum is the kernel's, which is quicker. Throws as `open` of a format does.
 */
export async function openFilterFile(
  file: string,
  ability: FormatAbility,
  opening: Opening = {},
  kernel?: Kernel,
  open = openSource,
): Promise<FilterFile> {
  const source = await openNamed(file, ability, opening, open);
  return opened(source, { ability, opening }, async (format, source) =>
    keyedAs(await format.open(source, kernel, opening), ability, opening),
  );
}

/** Opens each filter of a file in the same way: one of each column, where it has some of several and not one is asked. */
export async function openEachFilter(
  file: string,
  ability: FormatAbility,
  opening: Opening = {},
  kernel?: Kernel,
): Promise<readonly FilterFile[]> {
  const source = await openNamed(file, ability, opening, openSource);
  return opened(source, { ability, opening }, async (format, source) => {
    const { openColumns } = format;
    const isOne = openColumns === undefined || opening.column !== undefined;
    const files = isOne ? [await format.open(source, kernel, opening)] : await openColumns(source, kernel, opening);
    return files.map((file) => keyedAs(file, ability, opening));
  });
}

/** By which filters are compressed where they are kept so. */
const USUAL_COMPRESSION = 'gzip';

/** The format of a filter that is kept compressed, by its file and the first bytes of that; undefined for what is none. */
export async function compressedFormat(file: string, begin: Uint8Array): Promise<Format | undefined> {
  const compression = compressionOf(begin);
  if (compression?.name !== USUAL_COMPRESSION) return undefined;
  const { decompressed } = await import('../io/decompressed.ts');
  const source = await decompressed(openSource(file, 'filter'), compression, 'filter');
  try {
    const format = likelyFormat(await takeHead(source, isUntoldFilter), undefined);
    return format !== undefined && 'comesCompressed' in format ? format : undefined;
  } catch (error) {
    if (error instanceof BloomError) return undefined;
    throw error;
  } finally {
    source.close();
  }
}

/** What can be done with a filter on a server. */
const FROM_AFAR: readonly FormatAbility[] = ['ask', 'report', 'build'];

/** The bytes of a file, which may be on a server if that is to be asked or reported on. */
async function openNamed(
  file: string,
  ability: FormatAbility,
  { timeout, trustsCopy = false }: Opening,
  open: typeof openSource,
): Promise<ByteSource> {
  if (!isUrl(file) || !FROM_AFAR.includes(ability)) return open(file, 'filter');
  const { openRemote } = await import('../io/remote/open-remote.ts');
  return openRemote(file, { timeout, trustsCopy });
}

/** The filter, with the keys that it is said to have. Throws a `format` error where that has to be said, and was not. */
function keyedAs<T extends FilterFile>(file: T, ability: FormatAbility, { keyType }: Opening): T {
  const { description, name } = file;
  const { keysBy } = description;
  if (keysBy !== undefined && keyType === undefined && ability !== 'report' && ability !== 'merge')
    throw new BloomError(
      'format',
      `the keys of ${name} are what ${keysBy} makes of them, which this bloom does not know`,
      'say with --key-type what they are, such as text or int64',
    );
  return keyType === undefined ? file : { ...file, description: withKeyType(description, keyType, name) };
}

/** What a filter is opened for, and as what. */
interface Wanted {
  readonly ability: FormatAbility;
  readonly opening: Opening;
}

/** Lets some work have a source and the format that it has, and closes it where the work fails. */
async function opened<T>(
  file: ByteSource,
  wanted: Wanted,
  work: (format: Format, source: ByteSource) => Promise<T>,
): Promise<T> {
  let source = file;
  try {
    let head = await takeHead(source, (head) => isUntoldFilter(head) || mayBeCompressed(head));
    const compression = compressionOf(head);
    if (compression !== undefined) {
      const { decompressed } = await import('../io/decompressed.ts');
      source = await decompressed(putBack(head, source), compression, 'filter');
      head = await takeHead(source, isUntoldFilter);
      requireCompressed(source, head, compression, wanted);
    }
    return await work(formatIn(source, head, wanted), putBack(head, source));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The format of a source of which the first bytes were taken. Throws a `format` error for one of which that cannot be done. */
function formatIn(source: ByteSource, head: Uint8Array, { ability, opening }: Wanted): Format {
  const name = displayName(source.name);
  // What nobody knows is refused as a damaged file of our own would be, or as none.
  const known = statedFormat(opening, head, source) ?? likelyFormat(head, source.size, endOf(source)) ?? FORMATS[0];
  if (opening.column !== undefined && !('openColumns' in known))
    throw new BloomError('usage', `${name} is a filter of ${known.system}, which has no columns`, 'drop --column');
  return able(known, ability, name, head);
}

/** The format that is stated, if one is. Throws a `format` error where the file can be none of it. */
function statedFormat({ format: stated }: Opening, head: Uint8Array, source: ByteSource): Format | undefined {
  if (stated === undefined) return undefined;
  const format = formatNamed(stated);
  const variant = format.variants?.find(({ name }) => name === stated);
  if (variant?.beginsAnyhow || mayBeOf(format, head, source.size, endOf(source))) return format;
  const anyhow = format.variants?.find(({ beginsAnyhow }) => beginsAnyhow);
  throw new BloomError(
    'format',
    `${displayName(source.name)} is not a filter of ${format.system}: it does not begin as one`,
    `drop --format, and the content tells${anyhow ? `; for ${anyhow.purpose}, state --format ${anyhow.name}` : ''}`,
  );
}

/** The last bytes of a source, where these can be read. */
function endOf({ file }: ByteSource): Tail | undefined {
  return file && tailOf(file);
}

/** Throws a `format` error for what was compressed though files of its format do not come so. */
function requireCompressed(
  source: ByteSource,
  head: Uint8Array,
  { name: compression }: Compression,
  { opening: { format: stated } }: Wanted,
): void {
  const format = stated === undefined ? likelyFormat(head, source.size) : formatNamed(stated);
  if (format !== undefined && 'comesCompressed' in format) return;
  throw new BloomError(
    'format',
    `${displayName(source.name)} is compressed with ${compression}: filters are read where they lie`,
    'decompress it first',
  );
}

const REFUSALS: Readonly<Record<FormatAbility, string>> = {
  ask: 'which this bloom cannot ask',
  report: 'which this bloom cannot report on',
  build: 'like which this bloom cannot build one',
  change: 'which this bloom cannot change',
  merge: 'which this bloom cannot merge',
};

/** The format, if that can be done with its files. Throws a `format` error for others. */
function able(format: Format | FormatMark, ability: FormatAbility, name: string, head: Uint8Array): Format {
  if ('abilities' in format && format.abilities.includes(ability)) return format;
  const { what, hint } = format.refusal?.(head) ?? {
    what: `a filter of ${format.system}`,
    hint: `it is for ${format.purpose}; bloom build makes one of the same keys`,
  };
  throw new BloomError('format', `${name} is ${what}, ${REFUSALS[ability]}`, hint);
}
