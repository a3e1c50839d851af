// A file of bloomery's own format: its header, its table and its segments, each verified.

import { damaged } from '../errors.ts';
import { seedOfTag } from '../formats/tags.ts';
import { xxh64 } from './hashes/xxh64.ts';
import { headerIn, type WebHeader } from './header.ts';
import { changed, type WebFile } from './http.ts';
import type { Run } from './pages.ts';
import { viewOf, wordAt } from './words.ts';

/** Bytes of the first read: the header and its note, and small filters whole. */
const FIRST_BYTES = 4096;

export interface WebFilterFile {
  readonly header: WebHeader;
  /** The bytes of the header. */
  readonly head: Uint8Array;
  /** The verified table: for each segment its checksum, and its fill as its kind packs it. */
  table(): Promise<DataView>;
  /** The segments of a run. */
  segments(run: Run): Promise<Uint8Array[]>;
}

/** Reads the header. Rejects with `format` if the file is not a filter that this reader knows. */
export async function openFile(source: WebFile): Promise<WebFilterFile> {
  const { name } = source;
  const head = await source.read(0, FIRST_BYTES);
  const header = headerIn(head, name);
  const { begin, shape, tableBytes, isTagged, checksum } = header;
  const { pageBytes, bytes } = header.info;
  const segmentBytes = shape.segmentBits / 8;
  const end = bytes - tableBytes;
  const size = source.size() ?? (head.length < FIRST_BYTES ? head.length : bytes);
  if (size !== bytes) throw damaged(name, `it has ${size} bytes instead of ${bytes}`);
  let loaded: Promise<DataView> | undefined;

  async function read(from: number, to: number): Promise<Uint8Array> {
    const found = to <= head.length ? head.subarray(from, to) : await source.read(from, to);
    if (found.length !== to - from) return refuse(source, head, 'it is cut off');
    return found;
  }

  async function readTable(): Promise<DataView> {
    const bytes = await read(end, end + tableBytes);
    const entries = bytes.subarray(0, -8);
    if (wordAt(viewOf(bytes), entries.length) === xxh64(entries, checksum)) return viewOf(entries);
    return refuse(source, head, 'its table does not match its checksum');
  }

  function table(): Promise<DataView> {
    loaded ??= readTable().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }

  return {
    header,
    head,
    table,
    async segments({ first, count }) {
      const from = begin + first * pageBytes;
      const checksums = isTagged ? undefined : table();
      // The error of the segments is the one to report.
      checksums?.catch(() => {});
      const run = await read(from, from + count * pageBytes);
      const stated = await checksums;
      const found: Uint8Array[] = [];
      for (let i = 0; i < count; i++) {
        const at = i * pageBytes;
        const segment = run.subarray(at, at + segmentBytes);
        const [expected, seed] = stated
          ? [wordAt(stated, 16 * (first + i)), 0n]
          : [wordAt(viewOf(run), at + segmentBytes), seedOfTag(checksum, first + i)];
        if (xxh64(segment, seed) !== expected)
          return refuse(source, head, `its segment ${first + i + 1} does not match its checksum`);
        // A copy, so that a kept segment does not keep its whole run.
        found.push(count === 1 ? segment : segment.slice());
      }
      return found;
    },
  };
}

/** The error for bytes that do not belong to the beginning of a file, `head`. The file may have been replaced by another one. */
export async function refuse(source: WebFile, head: Uint8Array, what: string): Promise<never> {
  const isSame = String(await source.read(0, head.length)) === String(head);
  throw isSame ? damaged(source.name, what) : changed(source.name);
}
