import { BloomError, UnreadableInput } from '../../errors.ts';
import { formatOf, mayBeFilter } from '../../formats/registry.ts';
import { binaryOf } from '../../io/binary.ts';
import { compressionOf, mayBeCompressed } from '../../io/compression.ts';
import { alternatesWithNul, mayAlternateWithNul, UTF8_MARK, UTF16_MARKS } from '../../io/encoding.ts';
import { HEAD_BYTES, putBack, takeHead, without } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { headOf, lastBytes, type Tail, tailOf } from '../../io/positioned.ts';
import { bears, mayBear } from '../../io/signature.ts';
import { decodedAtOnce, decodedSource, readAtOnce, readIfSmall } from '../../io/small-file.ts';
import { type ByteSource, memorySource, openSource } from '../../io/source.ts';
import { isSketch } from '../../sketches/signature.ts';
import { afterHeader, type RecordSource } from './header.ts';
import type { KeySelection } from './key-selection.ts';
import { cutDigest, DIGEST_BYTES } from './record-ends.ts';

/**
 * The records of a file, or of the standard input for '-': decompressed, and without a UTF-8 byte order mark. Throws `UnreadableInput` for
 * UTF-16 and for unreadable input, and a `usage` error for a filter.
 */
export async function openRecords(name: string, selection: KeySelection): Promise<RecordSource> {
  const source = openSource(name, 'records');
  return selection.areDigests ? wholeDigests(source) : recordsOf(source, selection);
}

/** The same. Undefined if the file has other content than UTF-8 text, such as a filter, an archive or a picture. */
export async function openIfText(name: string, selection: KeySelection): Promise<RecordSource | undefined> {
  const source = openSource(name, 'records');
  if (selection.areDigests) return wholeDigests(source);
  const text = await textOf(source, selection);
  return text instanceof BloomError ? undefined : behindHeader(text, selection);
}

/** The records of a source, as of a file, with the errors of `openRecords`. The source is closed after an error. */
export async function recordsOf(from: ByteSource, selection: KeySelection): Promise<RecordSource> {
  const text = await textOf(from, selection);
  if (text instanceof BloomError) throw text;
  return behindHeader(text, selection);
}

/** The records of a text. It is closed after an error. */
async function behindHeader(text: ByteSource, selection: KeySelection): Promise<RecordSource> {
  if (!selection.hasHeader) return text;
  try {
    return await afterHeader(text, selection);
  } catch (error) {
    text.close();
    throw error;
  }
}

/**
 * The text of a small file that had `size` bytes, read at once: to open it as a source takes as long as to read it. Or the error for other
 * content than UTF-8 text. Undefined if the file must be opened as a source: it is large, has changed, cannot be read or not be decoded at
 * once.
 */
export async function readIfSmallText(
  name: string,
  size: number,
  selection: KeySelection,
): Promise<Uint8Array | BloomError | undefined> {
  if (selection.raw || selection.areDigests || selection.hasHeader) return undefined;
  const whole = readAtOnce(name, size);
  const text = whole && (await smallTextOf(name, whole, selection));
  return text instanceof BloomError ? text : text?.bytes;
}

/** The text of a small file without a byte order mark. */
interface SmallText {
  readonly bytes: Uint8Array;
  readonly isDecoded: boolean;
  /** Bytes of the mark. */
  readonly mark: number;
}

/** The text of a small file with these bytes, or the error for other content. Undefined if it cannot be decoded at once. */
async function smallTextOf(
  name: string,
  whole: Uint8Array,
  selection: KeySelection,
): Promise<SmallText | BloomError | undefined> {
  const compression = compressionOf(beginningOf(whole));
  const isDecoded = compression !== undefined;
  const bytes = isDecoded ? await decodedAtOnce(whole, compression) : whole;
  if (bytes === undefined) return undefined;
  const head = beginningOf(bytes);
  if (isDecoded && compressionOf(head) !== undefined) return compressedTwice(name);
  const refused = isDecoded
    ? contentError(name, head, selection)
    : contentError(name, head, selection, whole.length, () => lastBytes(whole));
  if (refused !== undefined) return refused;
  const mark = bears(head, UTF8_MARK) ? UTF8_MARK.length : 0;
  return { bytes: mark > 0 ? bytes.subarray(mark) : bytes, isDecoded, mark };
}

/** The first bytes of a text in memory. */
function beginningOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, HEAD_BYTES);
}

/** The source of a small file whose text is in memory. */
function inMemory(source: ByteSource, { bytes, isDecoded, mark }: SmallText): ByteSource {
  const { name, whole } = source;
  if (isDecoded) return decodedSource(source, bytes, whole?.length ?? 0);
  const { read, wait } = memorySource(name, bytes);
  return { ...(mark > 0 ? without(mark, source) : source), read, wait };
}

/**
 * A source that is decompressed, and without a byte order mark; or the error for other content than UTF-8 text. It is closed after an
 * error.
 */
async function textOf(from: ByteSource, selection: KeySelection): Promise<ByteSource | BloomError> {
  if (selection.raw) return from;
  let source = from;
  const { name } = source;
  const refused = (error: BloomError) => {
    source.close();
    return error;
  };
  try {
    source = readIfSmall(from);
    const small = source.whole && (await smallTextOf(name, source.whole, selection));
    if (small instanceof BloomError) return refused(small);
    if (small !== undefined) return inMemory(source, small);
    const mayBe = (head: Uint8Array) => isUndecided(head, selection);
    let head = await takeHead(source, mayBe);
    const compression = compressionOf(head);
    if (compression !== undefined) {
      const { decompressed } = await import('../../io/decompressed.ts');
      source = await decompressed(putBack(head, source), compression, 'records');
      head = await takeHead(source, mayBe);
      if (compressionOf(head) !== undefined) return refused(compressedTwice(name));
    }
    const error = contentError(name, head, selection, source.size, source.file && tailOf(source.file));
    if (error !== undefined) return refused(error);
    if (!bears(head, UTF8_MARK)) return putBack(head, source);
    const { length } = UTF8_MARK;
    return putBack(head.subarray(length), without(length, source));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The error for other content than UTF-8 text, by the first bytes and, if they are known, the size and the last bytes. */
function contentError(
  name: string,
  head: Uint8Array,
  { nullTerminated }: KeySelection,
  size?: number,
  tail?: Tail,
): BloomError | undefined {
  const filter = filterInPlace(name, head, size, tail);
  if (filter !== undefined) return filter;
  if (isSketch(head)) return sketchInPlace(name);
  if (UTF16_MARKS.some((mark) => bears(head, mark)) || (!nullTerminated && alternatesWithNul(head)))
    return inUtf16(name);
  const binary = binaryOf(head);
  return binary === undefined ? undefined : notText(name, binary);
}

/** The digests of a source. Throws `UnreadableInput` if the size of the file shows that the last digest is cut off. */
function wholeDigests(source: ByteSource): ByteSource {
  if ((source.size ?? 0) % DIGEST_BYTES === 0) return source;
  source.close();
  throw cutDigest(source.name);
}

/** Whether more bytes are necessary to recognise the content of an input. */
function isUndecided(head: Uint8Array, { nullTerminated }: KeySelection): boolean {
  return (
    mayBeCompressed(head) ||
    mayBeFilter(head) ||
    [UTF8_MARK, ...UTF16_MARKS].some((mark) => mayBear(head, mark)) ||
    (!nullTerminated && mayAlternateWithNul(head))
  );
}

/** Throws a `usage` error for files that are filters, before any file is read. Other filters are recognised when they are read. */
export function refuseFilters(names: readonly string[], { raw }: KeySelection): void {
  if (raw) return;
  for (const name of names) {
    try {
      const file = headOf(name, 'records');
      const filter = file && filterInPlace(name, file.head, file.size, file.tail);
      if (filter !== undefined) throw filter;
    } catch (error) {
      // An unreadable file is reported when it is its turn.
      if (!(error instanceof UnreadableInput)) throw error;
    }
  }
}

/** The expected content of an input. */
const IN_PLACE_OF_RECORDS = 'a text file of records is expected here';

/** The error for a file that is a filter. Undefined for another. */
function filterInPlace(name: string, head: Uint8Array, size: number | undefined, tail?: Tail): BloomError | undefined {
  const format = formatOf(head, size, tail);
  return (
    format &&
    new BloomError(
      'usage',
      `${displayName(name)} is a filter of ${format.system}, but ${IN_PLACE_OF_RECORDS}`,
      'to query several filters use -F, to combine them bloom merge, to read the bytes anyway --raw',
    )
  );
}

function sketchInPlace(name: string): BloomError {
  return new BloomError(
    'usage',
    `${displayName(name)} is a sketch of distinct keys, but ${IN_PLACE_OF_RECORDS}`,
    'bloom count and -n @FILE read sketches; to read the bytes anyway use --raw',
  );
}

function inUtf16(name: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: it seems to be UTF-16`,
    'convert it with iconv -f UTF-16 -t UTF-8, or add --raw to read its bytes as records',
  );
}

function notText(name: string, what: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: it is ${what}, not text`,
    'extract its text first, or add --raw to read its bytes as records',
  );
}

function compressedTwice(name: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: it is compressed twice`,
    'decompress it once, or add --raw to read its bytes as records',
  );
}
