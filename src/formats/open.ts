import { BloomError } from '../errors.ts';
import { type Compression, compressionOf, decompressed, mayBeCompressed } from '../io/compression.ts';
import { putBack, takeHead } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { type ByteSource, openSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FilterFile, Format, FormatAbility, FormatMark, SegmentedFile } from './format.ts';
import { FORMATS, isUntoldFilter, likelyFormat } from './registry.ts';

/**
 * Opens a filter in a file of any format, for what is to be done with it; `open` is how its bytes are read. With a kernel the
 * checksum is the kernel's, which is quicker. Throws `input` and `format` errors.
 */
export async function openFilterFile(
  file: string,
  ability: FormatAbility,
  kernel?: Kernel,
  open = openSource,
): Promise<FilterFile> {
  let source = open(file, 'filter');
  try {
    const head = await takeHead(source, (head) => isUntoldFilter(head) || mayBeCompressed(head));
    const compression = compressionOf(head);
    if (compression === undefined) return await openTold(source, head, ability, kernel);
    source = await decompressed(putBack(head, source), compression, 'filter');
    return await openCompressed(source, compression, ability, kernel);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens the filter of a source of which the first bytes were taken. */
function openTold(source: ByteSource, head: Uint8Array, ability: FormatAbility, kernel?: Kernel): Promise<FilterFile> {
  // What nobody knows is refused as a damaged file of our own would be, or as none.
  const known = likelyFormat(head, source.size) ?? FORMATS[0];
  return able(known, ability, displayName(source.name)).open(putBack(head, source), kernel);
}

/** Opens a filter that was compressed. Throws a `format` error for formats whose files do not come so. */
async function openCompressed(
  source: ByteSource,
  { name: compression }: Compression,
  ability: FormatAbility,
  kernel?: Kernel,
): Promise<FilterFile> {
  const head = await takeHead(source, isUntoldFilter);
  const format = likelyFormat(head, source.size);
  if (format !== undefined && 'comesCompressed' in format) return openTold(source, head, ability, kernel);
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
