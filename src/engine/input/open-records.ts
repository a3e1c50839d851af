import { BloomError, UnreadableInput } from '../../errors.ts';
import { formatOf, mayBeFilter } from '../../formats/registry.ts';
import { binaryOf } from '../../io/binary.ts';
import { compressionOf, mayBeCompressed } from '../../io/compression.ts';
import { alternatesWithNul, mayAlternateWithNul, UTF8_MARK, UTF16_MARKS } from '../../io/encoding.ts';
import { HEAD_BYTES, putBack, takeHead, without } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { headOf, type Tail, tailOf } from '../../io/positioned.ts';
import { bears, mayBear } from '../../io/signature.ts';
import { readIfSmall } from '../../io/small-file.ts';
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
    const mayBe = (head: Uint8Array) => isUndecided(head, selection);
    let head = await headOfSource(source, mayBe);
    const compression = compressionOf(head);
    if (compression !== undefined) {
      const { decompressed } = await import('../../io/decompressed.ts');
      source = await decompressed(fromHead(head, source), compression, 'records');
      head = await headOfSource(source, mayBe);
      if (compressionOf(head) !== undefined) return refused(compressedTwice(name));
    }
    const filter = filterInPlace(name, head, source.size, source.file && tailOf(source.file));
    if (filter !== undefined) return refused(filter);
    if (isSketch(head)) return refused(sketchInPlace(name));
    if (UTF16_MARKS.some((mark) => bears(head, mark)) || (!selection.nullTerminated && alternatesWithNul(head)))
      return refused(inUtf16(name));
    const binary = binaryOf(head);
    if (binary !== undefined) return refused(notText(name, binary));
    return bears(head, UTF8_MARK) ? withoutMark(head, source) : fromHead(head, source);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The first bytes of a source. They are taken from it, unless all of its bytes are in memory. */
async function headOfSource(source: ByteSource, mayBe: (head: Uint8Array) => boolean): Promise<Uint8Array> {
  return source.whole?.subarray(0, HEAD_BYTES) ?? takeHead(source, mayBe);
}

/** The source from its beginning, after its first bytes were inspected. */
function fromHead(head: Uint8Array, source: ByteSource): ByteSource {
  return source.whole === undefined ? putBack(head, source) : source;
}

function withoutMark(head: Uint8Array, source: ByteSource): ByteSource {
  const { length } = UTF8_MARK;
  const rest = without(length, source);
  if (source.whole === undefined) return putBack(head.subarray(length), rest);
  const { read, wait } = memorySource(source.name, source.whole.subarray(length));
  return { ...rest, read, wait };
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
