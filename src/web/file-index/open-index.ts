import { BloomError, damaged } from '../../errors.ts';
import { decodeFile, decodeGroups } from '../../formats/index-file/entries.ts';
import {
  COLUMN_BYTES,
  decodeIndexHeader,
  FILE_BYTES,
  INDEX_HEADER_BYTES,
  indexBytes,
  indexChecksum,
  sectionsOf,
} from '../../formats/index-file/index-header.ts';
import { commonColumns, onesOf, rangeOfRow } from '../../formats/index-file/rows.ts';
import type { Key, WebOptions, WebPart, WebSource, WebTraffic } from '../filter.ts';
import { xxh64 } from '../hashes/xxh64.ts';
import { formsOfKeys, required } from '../keys.ts';
import { sourceOf } from '../open.ts';
import { viewOf, wrap } from '../words.ts';
import { type ContentRange, createPagedContent } from './paged-content.ts';

/** An index of files, which `bloom index` makes. It is read as far as the keys need. All methods reject with `usage` after it is closed. */
export interface WebIndex {
  /**
   * The names of the files that may have a key, in the order in which `bloom index` found them. A file that has the key is always among
   * them. Another file is among them with the false-positive rate of the index. Rejects with a `BloomError`:
   *
   * - `input`: the server does not send what it should;
   * - `changed`: the file changed after it was opened;
   * - `format`: the file is damaged.
   */
  filesWith(key: Key): Promise<string[]>;

  /** What the header says about the index. The names are those of `bloom stats --json`. */
  info(): WebIndexInfo;

  /** Requests and bytes so far. */
  traffic(): WebTraffic;

  /** Frees the memory. */
  close(): void;
}

/** What a header says about an index. */
export interface WebIndexInfo {
  readonly files: number;
  /** Bytes of the index. */
  readonly bytes: number;
  readonly hash: 'xxh64' | 'xxh3' | 'murmur3' | 'farm64';
  readonly seed: bigint;
  /** With `unicode`, the case of all letters is ignored, and with true that of A to Z. */
  readonly ignoreCase: boolean | 'unicode';
  readonly trim: boolean;
  /** Rows per key, k. */
  readonly hashes: number;
  /** The false-positive rate that the signature of each file was sized for. */
  readonly targetFpr: number;
}

/** Bytes of the first read: the header, and small indexes whole. */
const FIRST_BYTES = 4096;

/** The largest table of groups, files and names that is read when the index is opened. The parts of a larger one are read when they are needed. */
const TABLE_LIMIT = 2 ** 20;

/**
 * Opens an index of files on a server, in a file of the user or in memory. The first request reads the header, and the second the names of the
 * files if they are not too many. A key then costs a few small requests at once.
 *
 * Rejects with a `BloomError`:
 *
 * - `input`: the file cannot be read;
 * - `format`: it is not an index of files, or is damaged;
 * - `usage`: the index needs a part of the reader, which the error names.
 */
export async function openIndex(source: WebSource, options: WebOptions = {}): Promise<WebIndex> {
  const { cacheBytes = 32 * 2 ** 20, with: given = [] } = options;
  const parts: WebPart = Object.assign({}, ...given);
  const file = sourceOf(source, options);
  const { name } = file;
  const head = await file.read(0, FIRST_BYTES);
  const header = await decodeIndexHeader(head, name, (bytes) => xxh64(bytes, 0n));
  const { rules, k, files, targetFpr, nameBytes } = header;
  const { hash, seed, ignoreCase, trim } = rules;
  const bytes = indexBytes(header);
  const size = file.size() ?? (head.length < FIRST_BYTES ? head.length : bytes);
  if (size !== bytes) throw damaged(name, `it has ${size} bytes instead of ${bytes}`);
  const formsOf = formsOfKeys({ info: { ignoreCase, trim, keyHash: null, keyType: 'text' }, lengths: 0n }, parts);
  const hashKey = hash === 'xxh64' ? xxh64 : required(parts, 'hashes')[hash];
  const content = createPagedContent(
    file,
    { head, begin: INDEX_HEADER_BYTES, end: bytes },
    indexChecksum(head),
    cacheBytes,
  );

  const sections = sectionsOf(header);
  const tableEnd = sections.checksums - sections.groups <= TABLE_LIMIT ? sections.checksums : sections.columns;
  const table = await content.read([{ from: sections.groups, to: tableEnd }]);
  const groups = decodeGroups(table(sections.groups, sections.columns), header.rowBytes, files);
  if (groups === undefined) throw damaged(name, 'its groups are not those of its rows and files');
  let isClosed = false;

  /** The columns of all groups whose files may have the key of a digest. */
  async function columnsWith(digest: bigint): Promise<number[]> {
    const asked = (groups ?? []).map((group) => ({ group, rows: rowsOf(digest, k, group.rows) }));
    const read = await content.read(asked.flatMap(({ group, rows }) => rows.map((row) => rangeOfRow(group, row))));
    return asked.flatMap(({ group, rows }) => {
      const common = commonColumns(group, rows, read);
      return common === undefined ? [] : onesOf(common).map((column) => group.firstColumn + column);
    });
  }

  /** The files of columns, in their order. */
  async function filesOf(columns: readonly number[]): Promise<number[]> {
    const ranges = columns.map((column) => entryAt(sections.columns, COLUMN_BYTES, column));
    const read = await content.read(ranges);
    const found = ranges.map(({ from, to }) => viewOf(read(from, to)).getUint32(0, true));
    if (found.some((index) => index >= files)) throw damaged(name, 'it names a file that it does not have');
    return found.sort((a, b) => a - b);
  }

  async function namesOf(indices: readonly number[]): Promise<string[]> {
    const entryOf = (index: number) => entryAt(sections.entries, FILE_BYTES, index);
    const read = await content.read(indices.flatMap((index) => [entryOf(Math.max(0, index - 1)), entryOf(index)]));
    const endOf = (index: number) => {
      const { from, to } = entryOf(index);
      return index < 0 ? 0 : decodeFile(read(from, to)).nameEnd;
    };
    const ranges = indices.map((index) => {
      const [begin, end] = [endOf(index - 1), endOf(index)];
      if (begin > end || end > nameBytes) throw damaged(name, 'it refers to bytes after its end');
      return { from: sections.names + begin, to: sections.names + end };
    });
    const readNames = await content.read(ranges);
    const decoder = new TextDecoder();
    return ranges.map(({ from, to }) => decoder.decode(readNames(from, to)));
  }

  return {
    async filesWith(key) {
      if (isClosed) throw new BloomError('usage', 'the index is closed', 'open it again');
      const [form = new Uint8Array()] = formsOf(key);
      return namesOf(await filesOf(await columnsWith(hashKey(form, seed))));
    },
    info: () => ({ files, bytes, hash, seed, ignoreCase, trim, hashes: k, targetFpr }),
    traffic: file.traffic,
    close() {
      isClosed = true;
      content.clear();
    },
  };
}

/** The range of an entry in a section of entries of the same length. */
function entryAt(section: number, bytes: number, index: number): ContentRange {
  return { from: section + bytes * index, to: section + bytes * (index + 1) };
}

/** The constants of SplitMix64, after INDEX.md. */
const STEP = 0x9e3779b97f4a7c15n;
const FIRST_FACTOR = 0xbf58476d1ce4e5b9n;
const SECOND_FACTOR = 0x94d049bb133111ebn;

/** The k rows of a digest among `rows` rows. */
function rowsOf(digest: bigint, k: number, rows: number): number[] {
  let state = digest === 0n ? 1n : digest;
  return Array.from({ length: k }, () => {
    state = wrap(state + STEP);
    let z = wrap((state ^ (state >> 30n)) * FIRST_FACTOR);
    z = wrap((z ^ (z >> 27n)) * SECOND_FACTOR);
    z ^= z >> 31n;
    return Number((z * BigInt(rows)) >> 64n);
  });
}
