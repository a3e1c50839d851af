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
import { FORMATS, formatNamed, isUndecidedFilter, likelyFormat, mayBeOf } from './registry.ts';
import { withKeyHash, withKeyType, withLookup } from './stated-keys.ts';

/**
 * Opens a filter in a file of any format. `ability` is the purpose, and `open` opens the bytes. The kernel computes
 * checksums if there is one, which is faster. Throws like `open` of a format.
 */
export async function openFilterFile(
  file: string,
  ability: FormatAbility,
  opening: Opening = {},
  kernel?: Kernel,
  open?: typeof openSource,
): Promise<FilterFile> {
  const source = await openNamed(file, ability, opening, open);
  return opened(source, { ability, opening }, async (format, source) =>
    keyedAs(await counted(source, (source) => format.open(source, kernel, opening)), ability, opening),
  );
}

/** A filter, with the number of bytes of its file if only reading shows it. */
async function counted(source: ByteSource, open: (source: ByteSource) => Promise<FilterFile>): Promise<FilterFile> {
  if (source.size !== undefined) return open(source);
  let bytes = 0;
  const note = <T extends number | undefined>(read: T): T => {
    bytes += read ?? 0;
    return read;
  };
  const wait = async (into: Uint8Array) => note(await source.wait(into));
  const file = await open({ ...source, read: (into) => note(source.read(into)), wait });
  const countBytes = async () => {
    const rest = new Uint8Array(REST);
    while ((await wait(rest)) > 0);
    return bytes;
  };
  return { ...file, countBytes };
}

/** Bytes per read behind a filter. */
const REST = 64 * 1024;

/**
 * Opens each filter of a file in the same way. A file with several columns has one filter per column, unless one is
 * named.
 */
export async function openEachFilter(
  file: string,
  ability: FormatAbility,
  opening: Opening = {},
  kernel?: Kernel,
  open?: typeof openSource,
): Promise<readonly FilterFile[]> {
  const source = await openNamed(file, ability, opening, open);
  return opened(source, { ability, opening }, async (format, source) => {
    const { openColumns } = format;
    const isOne = openColumns === undefined || opening.column !== undefined;
    const files = isOne
      ? [await counted(source, (source) => format.open(source, kernel, opening))]
      : await openColumns(source, kernel, opening);
    return files.map((file) => keyedAs(file, ability, opening));
  });
}

/** The compression of filters that users store compressed. */
const USUAL_COMPRESSION = 'gzip';

/**
 * The format of a filter that is stored compressed. `begin` has the first bytes of the file. Undefined if it is not
 * such a filter.
 */
export async function compressedFormat(file: string, begin: Uint8Array): Promise<Format | undefined> {
  const compression = compressionOf(begin);
  if (compression?.name !== USUAL_COMPRESSION) return undefined;
  const { decompressed } = await import('../io/decompressed.ts');
  const source = await decompressed(openSource(file, 'filter'), compression, 'filter');
  try {
    const format = likelyFormat(await takeHead(source, isUndecidedFilter), undefined);
    return format !== undefined && 'comesCompressed' in format ? format : undefined;
  } catch (error) {
    if (error instanceof BloomError) return undefined;
    throw error;
  } finally {
    source.close();
  }
}

/** What bloom can do with a filter on a server. */
const FROM_AFAR: readonly FormatAbility[] = ['query', 'report', 'build'];

/** The bytes of a file. For queries and reports the file may be on a server. */
async function openNamed(
  file: string,
  ability: FormatAbility,
  { timeout, headers, trustsCopy = false }: Opening,
  open?: typeof openSource,
): Promise<ByteSource> {
  if (open !== undefined || !isUrl(file) || !FROM_AFAR.includes(ability)) return (open ?? openSource)(file, 'filter');
  const { openRemote } = await import('../io/remote/open-remote.ts');
  return openRemote(file, { timeout, headers, trustsCopy });
}

/** The filter with the stated rules of keys. Throws a `format` error if the key type must be stated and was not. */
function keyedAs<T extends FilterFile>(file: T, ability: FormatAbility, opening: Opening): T {
  const { description, name } = file;
  const { keyType, keyHash, areHashed, lookup } = opening;
  const { keysBy } = description;
  if (keysBy !== undefined && keyType === undefined && ability !== 'report' && ability !== 'merge')
    throw new BloomError(
      'format',
      `the keys of ${name} were converted by ${keysBy}, which this bloom does not know`,
      'state their type with --key-type, such as --key-type text or --key-type int64',
    );
  const typed = keyType === undefined ? description : withKeyType(description, keyType, name);
  const hashed = keyHash === undefined && !areHashed ? typed : withKeyHash(typed, opening, name);
  return { ...file, description: lookup === undefined ? hashed : withLookup(hashed, lookup, name) };
}

/** The purpose for which a filter is opened, and what the user stated about it. */
interface Wanted {
  readonly ability: FormatAbility;
  readonly opening: Opening;
}

/** Detects the format of a source and calls `work`. Closes the source if `work` fails. */
async function opened<T>(
  file: ByteSource,
  wanted: Wanted,
  work: (format: Format, source: ByteSource) => Promise<T>,
): Promise<T> {
  let source = file;
  try {
    let head = await takeHead(source, (head) => isUndecidedFilter(head) || mayBeCompressed(head));
    const compression = compressionOf(head);
    if (compression !== undefined) {
      const { decompressed } = await import('../io/decompressed.ts');
      source = await decompressed(putBack(head, source), compression, 'filter');
      head = await takeHead(source, isUndecidedFilter);
      requireCompressed(source, head, compression, wanted);
    }
    return await work(formatIn(source, head, wanted), putBack(head, source));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The format of a source whose first bytes were read. Throws a `format` error if it does not support the operation. */
function formatIn(source: ByteSource, head: Uint8Array, { ability, opening }: Wanted): Format {
  const name = displayName(source.name);
  // An unknown file gets the errors of bloomery's own format: it is damaged, or not a filter.
  const known = statedFormat(opening, head, source) ?? likelyFormat(head, source.size, endOf(source)) ?? FORMATS[0];
  if (opening.column !== undefined && !('openColumns' in known))
    throw new BloomError('usage', `${name} is a filter of ${known.system}, which has no columns`, 'leave out --column');
  return able(known, ability, name, head);
}

/** The stated format. Throws a `format` error if the file cannot have this format. */
function statedFormat({ format: stated }: Opening, head: Uint8Array, source: ByteSource): Format | undefined {
  if (stated === undefined) return undefined;
  const format = formatNamed(stated);
  const variant = format.variants?.find(({ name }) => name === stated);
  if (variant?.hasArbitraryStart || mayBeOf(format, head, source.size, endOf(source))) return format;
  const undetectable = format.variants?.find(({ hasArbitraryStart }) => hasArbitraryStart);
  throw new BloomError(
    'format',
    `${displayName(source.name)} is not a filter of ${format.system}: its first bytes are different`,
    `leave out --format, and bloom detects the format${undetectable ? `; for ${undetectable.purpose}, state --format ${undetectable.name}` : ''}`,
  );
}

/** The last bytes of a source, if they can be read. */
function endOf({ file }: ByteSource): Tail | undefined {
  return file && tailOf(file);
}

/** Throws a `format` error for a compressed file if users do not store files of its format compressed. */
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
    `${displayName(source.name)} is compressed with ${compression}, and bloom cannot query it compressed`,
    'decompress it first',
  );
}

const REFUSALS: Readonly<Record<FormatAbility, string>> = {
  query: 'which bloom cannot query',
  report: 'which bloom cannot report on',
  build: 'and bloom cannot build such a filter',
  change: 'which bloom cannot change',
  merge: 'which bloom cannot merge',
};

/** The format, if it supports the operation. Otherwise throws a `format` error. */
function able(format: Format | FormatMark, ability: FormatAbility, name: string, head: Uint8Array): Format {
  if ('abilities' in format && format.abilities.includes(ability)) return format;
  const { what, why, hint } = format.refusal?.(head) ?? {
    what: `a filter of ${format.system}`,
    why: undefined,
    hint: `it belongs to ${format.purpose}; make a filter of the same keys with bloom build`,
  };
  throw new BloomError('format', `${name} is ${what}, ${why ?? REFUSALS[ability]}`, hint);
}
