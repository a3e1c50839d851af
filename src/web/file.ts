// A file of bloomery's own format: its header, its table and its segments, each verified.

import { BloomError, damaged } from '../errors.ts';
import {
  decodeHeader,
  HEADER_BYTES,
  type Header,
  hasNote,
  headerChecksum,
  storedBytes,
} from '../formats/bloomery/header.ts';
import { NOTED_BYTES } from '../formats/bloomery/note.ts';
import { tableBytes } from '../formats/bloomery/segment-table.ts';
import { seedOfTag, TAG_BYTES } from '../formats/tags.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { xxh64 } from './hashes/xxh64.ts';
import { changed, type WebFile } from './http.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Run } from './pages.ts';
import { viewOf, wordAt } from './words.ts';

/** Bytes of the first read: the header and its note, and small filters whole. */
const FIRST_BYTES = 4096;

/** The flags that this reader obeys: ignore-case, trim, part, note and tags. */
const KNOWN_FLAGS = 31;

/** The entries of a table. */
export interface WebTable {
  readonly checksums: readonly bigint[];
  /** The fill of each segment, as its kind packs it. */
  readonly fills: readonly bigint[];
}

/** A header without the flags that this reader does not know. */
export interface WebHeader extends Header {
  readonly ignoreCase: boolean;
}

export interface WebFilterFile {
  readonly header: WebHeader;
  readonly kind: Kind;
  readonly bytes: number;
  /** Bytes of a segment with its tag. */
  readonly pageBytes: number;
  table(): Promise<WebTable>;
  /** The segments of a run. */
  segments(run: Run): Promise<Uint8Array[]>;
}

const checksum = (bytes: Uint8Array): bigint => xxh64(bytes, 0n);

/** Reads the header. Rejects with `format` if the file is not a filter that this reader knows. */
export async function openFile(source: WebFile): Promise<WebFilterFile> {
  const { name } = source;
  const first = await source.read(0, FIRST_BYTES);
  const decoded = await decodeHeader(first.subarray(0, HEADER_BYTES), name, checksum);
  const header: WebHeader = { ...decoded, ignoreCase: decoded.ignoreCase === true };
  const kind = KINDS[header.kind];
  const flags = viewOf(first).getUint32(16, true);
  if (kind === undefined || (flags & ~KNOWN_FLAGS) !== 0) {
    const what = kind === undefined ? `the kind number ${header.kind}` : `flags ${flags}`;
    throw new BloomError('format', `${name} has ${what}, which this reader does not know`, 'use a newer bloomery');
  }
  if (!kind.isShape(header)) throw damaged(name, `its shape is impossible for a ${kind.name} filter`);
  // A note changes no answer, so only its length counts.
  const begin = hasNote(first) ? NOTED_BYTES : HEADER_BYTES;
  const payload = storedBytes(header, header.isTagged);
  const bytes = begin + payload + tableBytes(header.segments);
  const size = source.size() ?? (first.length < FIRST_BYTES ? first.length : undefined);
  if (size !== undefined && size !== bytes)
    throw damaged(name, `it has ${size} bytes instead of the ${bytes} of its header`);

  const length = segmentBytes(header);
  const pageBytes = length + (header.isTagged ? TAG_BYTES : 0);
  const own = headerChecksum(first);
  let loaded: Promise<WebTable> | undefined;

  async function read(from: number, to: number): Promise<Uint8Array> {
    const found = to <= first.length ? first.subarray(from, to) : await source.read(from, to);
    if (found.length !== to - from) return refuse(`it ends before byte ${to}`);
    return found;
  }

  /** The error for bytes that do not belong to the header. The file may have been replaced by another one. */
  async function refuse(what: string): Promise<never> {
    const now = await source.read(0, HEADER_BYTES);
    const isSame = now.length === HEADER_BYTES && now.every((byte, i) => byte === first[i]);
    throw isSame ? damaged(name, what) : changed(name);
  }

  async function readTable(): Promise<WebTable> {
    const table = await read(begin + payload, bytes);
    const view = viewOf(table);
    const entries = table.subarray(0, 16 * header.segments);
    if (wordAt(view, entries.length) !== xxh64(entries, own))
      return refuse('its table of checksums does not match its header, which is intact');
    const words = (at: number) => Array.from({ length: header.segments }, (_, i) => wordAt(view, 16 * i + at));
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
    kind,
    bytes,
    pageBytes,
    table,
    async segments({ first, count }) {
      const from = begin + first * pageBytes;
      const checksums = header.isTagged ? undefined : table();
      // The error of the segments is the one to report.
      checksums?.catch(() => {});
      const run = await read(from, from + count * pageBytes);
      const expected = (await checksums)?.checksums;
      const segments: Uint8Array[] = [];
      for (let i = 0; i < count; i++) {
        const segment = run.subarray(i * pageBytes, i * pageBytes + length);
        const seed = header.isTagged ? seedOfTag(own, first + i) : 0n;
        const stated = header.isTagged ? wordAt(viewOf(run), i * pageBytes + length) : expected?.[first + i];
        if (xxh64(segment, seed) !== stated)
          return refuse(`its segment ${first + i + 1} of ${header.segments} does not match its checksum`);
        // A copy, so that a kept segment does not keep its whole run.
        segments.push(count === 1 ? segment : segment.slice());
      }
      return segments;
    },
  };
}
