// A file of bloomery's own format: its header, its table and its segments, each verified.

import { damaged } from '../errors.ts';
import { seedOfTag } from '../formats/tags.ts';
import { xxh64 } from './hashes/xxh64.ts';
import { HEADER_BYTES, headerIn, type WebHeader } from './header.ts';
import { changed, type WebFile } from './http.ts';
import type { Run } from './pages.ts';
import { viewOf, wordAt } from './words.ts';

/** Bytes of the first read: the header and its note, and small filters whole. */
const FIRST_BYTES = 4096;

/** The entries of a table. */
export interface WebTable {
  readonly checksums: readonly bigint[];
  /** The fill of each segment, as its kind packs it. */
  readonly fills: readonly bigint[];
}

export interface WebFilterFile {
  readonly header: WebHeader;
  /** The bytes of the header. */
  readonly head: Uint8Array;
  readonly bytes: number;
  table(): Promise<WebTable>;
  /** The segments of a run. */
  segments(run: Run): Promise<Uint8Array[]>;
}

/** Reads the header. Rejects with `format` if the file is not a filter that this reader knows. */
export async function openFile(source: WebFile): Promise<WebFilterFile> {
  const { name } = source;
  const head = await source.read(0, FIRST_BYTES);
  const header = headerIn(head, name);
  const { begin, count: segments, segmentBytes, pageBytes, tableBytes, isTagged, checksum } = header;
  const end = begin + segments * pageBytes;
  const bytes = end + tableBytes;
  const size = source.size() ?? (head.length < FIRST_BYTES ? head.length : undefined);
  if (size !== undefined && size !== bytes)
    throw damaged(name, `it has ${size} bytes instead of the ${bytes} of its header`);
  let loaded: Promise<WebTable> | undefined;

  async function read(from: number, to: number): Promise<Uint8Array> {
    const found = to <= head.length ? head.subarray(from, to) : await source.read(from, to);
    if (found.length !== to - from) return refuse(`it ends before byte ${to}`);
    return found;
  }

  /** The error for bytes that do not belong to the header. The file may have been replaced by another one. */
  async function refuse(what: string): Promise<never> {
    const now = await source.read(0, HEADER_BYTES);
    const isSame = now.length === HEADER_BYTES && now.every((byte, i) => byte === head[i]);
    throw isSame ? damaged(name, what) : changed(name);
  }

  async function readTable(): Promise<WebTable> {
    const table = await read(end, bytes);
    const view = viewOf(table);
    const entries = table.subarray(0, 16 * segments);
    if (wordAt(view, entries.length) !== xxh64(entries, checksum))
      return refuse('its table of checksums does not match its header, which is intact');
    const words = (at: number) => Array.from({ length: segments }, (_, i) => wordAt(view, 16 * i + at));
    return { checksums: words(0), fills: words(8) };
  }

  function table(): Promise<WebTable> {
    loaded ??= readTable().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }

  return {
    header,
    head,
    bytes,
    table,
    async segments({ first, count }) {
      const from = begin + first * pageBytes;
      const checksums = isTagged ? undefined : table();
      // The error of the segments is the one to report.
      checksums?.catch(() => {});
      const run = await read(from, from + count * pageBytes);
      const expected = (await checksums)?.checksums;
      const found: Uint8Array[] = [];
      for (let i = 0; i < count; i++) {
        const segment = run.subarray(i * pageBytes, i * pageBytes + segmentBytes);
        const seed = isTagged ? seedOfTag(checksum, first + i) : 0n;
        const stated = isTagged ? wordAt(viewOf(run), i * pageBytes + segmentBytes) : expected?.[first + i];
        if (xxh64(segment, seed) !== stated)
          return refuse(`its segment ${first + i + 1} of ${segments} does not match its checksum`);
        // A copy, so that a kept segment does not keep its whole run.
        found.push(count === 1 ? segment : segment.slice());
      }
      return found;
    },
  };
}
