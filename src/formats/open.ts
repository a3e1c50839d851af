import { BloomError } from '../errors.ts';
import { type Compression, compressionOf, decompressed, mayBeCompressed } from '../io/compression.ts';
import { putBack, takeHead } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { type ByteSource, openSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FilterFile, Format, FormatAbility, FormatMark, SegmentedFile } from './format.ts';
import { withKeyType } from './key-types.ts';
import type { Opening } from './opening.ts';
import { FORMATS, formatNamed, isUntoldFilter, likelyFormat, mayBeOf } from './registry.ts';

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
  const wanted: Wanted = { ability, opening, kernel };
  let source = open(file, 'filter');
  try {
    const head = await takeHead(source, (head) => isUntoldFilter(head) || mayBeCompressed(head));
    const compression = compressionOf(head);
    if (compression === undefined) return await openTold(source, head, wanted);
    source = await decompressed(putBack(head, source), compression, 'filter');
    return await openCompressed(source, compression, wanted);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** What a filter is opened for, as what, and with which kernel. */
interface Wanted {
  readonly ability: FormatAbility;
  readonly opening: Opening;
  readonly kernel: Kernel | undefined;
}

/** Opens the filter of a source of which the first bytes were taken. */
async function openTold(source: ByteSource, head: Uint8Array, wanted: Wanted): Promise<FilterFile> {
  const { ability, opening, kernel } = wanted;
  const name = displayName(source.name);
  // What nobody knows is refused as a damaged file of our own would be, or as none.
  const known = statedFormat(opening, head, source) ?? likelyFormat(head, source.size) ?? FORMATS[0];
  const file = await able(known, ability, name).open(putBack(head, source), kernel, opening);
  const { keyType } = opening;
  return keyType === undefined ? file : { ...file, description: withKeyType(file.description, keyType, name) };
}

/** The format that is stated, if one is. Throws a `format` error where the file can be none of it. */
function statedFormat({ format: stated }: Opening, head: Uint8Array, source: ByteSource): Format | undefined {
  if (stated === undefined) return undefined;
  const format = formatNamed(stated);
  if (mayBeOf(format, head, source.size)) return format;
  throw new BloomError(
    'format',
    `${displayName(source.name)} is not a filter of ${format.system}: it does not begin as one`,
    'drop --format, and the content tells',
  );
}

/** Opens a filter that was compressed. Throws a `format` error for formats whose files do not come so. */
async function openCompressed(
  source: ByteSource,
  { name: compression }: Compression,
  wanted: Wanted,
): Promise<FilterFile> {
  const head = await takeHead(source, isUntoldFilter);
  const { format: stated } = wanted.opening;
  const format = stated === undefined ? likelyFormat(head, source.size) : formatNamed(stated);
  if (format !== undefined && 'comesCompressed' in format) return openTold(source, head, wanted);
  throw new BloomError(
    'format',
    `${displayName(source.name)} is compressed with ${compression}: filters are read where they lie`,
    'decompress it first',
  );
}

/** Opens a filter that is made of segments, as all are that can be changed or merged. Throws as `openFilterFile` does. */
export async function openSegmentedFile(...opening: Parameters<typeof openFilterFile>): Promise<SegmentedFile> {
  const file = await openFilterFile(...opening);
  if (file.layout === 'segments') return file;
  file.close();
  throw new Error(`${file.name} has no segments`);
}

const REFUSALS: Readonly<Record<FormatAbility, string>> = {
  ask: 'which this bloom cannot ask',
  report: 'which this bloom cannot report on',
  build: 'like which this bloom cannot build one',
  change: 'which this bloom cannot change',
  merge: 'which this bloom cannot merge',
};

/** The format, if that can be done with its files. Throws a `format` error for others. */
function able(format: Format | FormatMark, ability: FormatAbility, name: string): Format {
  if ('abilities' in format && format.abilities.includes(ability)) return format;
  throw new BloomError(
    'format',
    `${name} is a filter of ${format.system}, ${REFUSALS[ability]}`,
    `it is for ${format.purpose}; bloom build makes one of the same keys`,
  );
}
