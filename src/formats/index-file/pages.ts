// Everything after the header of an index is stored in pages. A page has its own checksum, so a row can be read and verified without a
// table of all pages. Such a table of a large index would take longer to read than the rows of a key.

import { damaged } from '../../errors.ts';
import type { Append } from '../../io/atomic-file.ts';
import { expectReads, fetchReads, isRemote, type PositionedFile, readAt } from '../../io/positioned.ts';
import type { ByteRange } from '../../io/remote/range-plan.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { checksumOf } from '../checksum.ts';

/** Bytes of a page: content, and then 8 bytes checksum. The last page may be shorter. */
export const PAGE_BYTES = 4096;
const CHECKSUM_BYTES = 8;
export const CONTENT_BYTES = PAGE_BYTES - CHECKSUM_BYTES;

/** Bytes of the pages for this many bytes of content. */
export function pagedBytes(content: number): number {
  return content + CHECKSUM_BYTES * Math.ceil(content / CONTENT_BYTES);
}

/** XXH64 of the content. The seed ties it to the header and to the number of the page. */
function pageChecksum(kernel: Kernel, content: Uint8Array, header: bigint, page: number): bigint {
  return checksumOf(kernel, content, BigInt.asUintN(64, header + BigInt(page)));
}

/** Pages per write. */
const PAGES_TOGETHER = 64;

/** Divides content into pages. */
export interface PageWriter {
  write(content: Uint8Array): Promise<void>;
  /** Writes the last page. */
  end(): Promise<void>;
}

export function createPageWriter(kernel: Kernel, header: bigint, append: Append): PageWriter {
  const buffer = new Uint8Array(PAGE_BYTES * PAGES_TOGETHER);
  const view = new DataView(buffer.buffer);
  let page = 0;
  let end = 0;
  /** Content of the page that is being filled. */
  let filled = 0;
  const seal = () => {
    const content = buffer.subarray(end - filled, end);
    view.setBigUint64(end, pageChecksum(kernel, content, header, page), true);
    end += CHECKSUM_BYTES;
    filled = 0;
    page++;
  };
  const flush = async () => {
    // A pipe may still hold the bytes of an earlier write.
    await append(buffer.slice(0, end));
    end = 0;
  };
  return {
    async write(content) {
      for (let done = 0; done < content.length; ) {
        const part = content.subarray(done, done + CONTENT_BYTES - filled);
        buffer.set(part, end);
        done += part.length;
        end += part.length;
        filled += part.length;
        if (filled < CONTENT_BYTES) continue;
        seal();
        if (end === buffer.length) await flush();
      }
    },
    async end() {
      if (filled > 0) seal();
      await flush();
    },
  };
}

/** Reads content at any position. All functions throw `input` and `format` errors. */
export interface PageReader {
  /** The bytes from `from` to `to` of the content. */
  read(from: number, to: number): Uint8Array;
  /** Reads ranges of the content that `read` will need, all at once if the file is on a server. Does nothing for a local file. */
  fetch(ranges: readonly ByteRange[]): void;
  /** The same, while this thread does other work. */
  fetchLater(ranges: readonly ByteRange[]): Promise<void>;
}

/** Pages that are kept in memory (16 MiB), because other keys may need them. */
export const KEPT_PAGES = 4096;

/** Pages per read. */
const PAGES_AT_ONCE = 512;

/** The pages of an open index. */
export interface Pages {
  readonly file: PositionedFile;
  /** Offset of the first page. */
  readonly begin: number;
  /** Bytes of the content. */
  readonly content: number;
  /** The checksum of the header. */
  readonly header: bigint;
}

/** Consecutive pages. */
interface PageRun {
  readonly first: number;
  readonly last: number;
}

/** The pages with a range of content. */
export function pagesOf({ from, to }: ByteRange): PageRun {
  return { first: Math.floor(from / CONTENT_BYTES), last: Math.floor((to - 1) / CONTENT_BYTES) };
}

export function createPageReader(kernel: Kernel, { file, begin, content, header }: Pages): PageReader {
  const kept = new Map<number, Uint8Array>();
  const verify = (page: number, bytes: Uint8Array): Uint8Array => {
    const end = bytes.length - CHECKSUM_BYTES;
    const stated = new DataView(bytes.buffer, bytes.byteOffset + end).getBigUint64(0, true);
    const inside = bytes.subarray(0, end);
    if (pageChecksum(kernel, inside, header, page) !== stated)
      throw damaged(file.name, `page ${page + 1} does not match its checksum`);
    return inside;
  };
  const placeOf = ({ first, last }: PageRun): ByteRange => ({
    from: begin + first * PAGE_BYTES,
    to: begin + Math.min((last + 1) * PAGE_BYTES, pagedBytes(content)),
  });
  const load = (run: PageRun): void => {
    const { from, to } = placeOf(run);
    const bytes = new Uint8Array(to - from);
    if (readAt(file, bytes, from) !== bytes.length) throw damaged(file.name, `it ends within page ${run.first + 1}`);
    for (let page = run.first; page <= run.last; page++) {
      const at = (page - run.first) * PAGE_BYTES;
      kept.set(page, verify(page, bytes.subarray(at, at + PAGE_BYTES)));
    }
  };
  const makeSpace = (pages: number): void => {
    if (kept.size + pages > KEPT_PAGES) kept.clear();
  };
  const pageAt = (page: number): Uint8Array => {
    const bytes = kept.get(page);
    if (bytes === undefined) throw new Error(`page ${page} was not read`);
    return bytes;
  };
  /** The missing pages of some ranges, if all of them can be kept. */
  const missingOf = (ranges: readonly ByteRange[]): readonly PageRun[] => {
    const pages = [...new Set(ranges.flatMap((range) => numbersOf(pagesOf(range))))].sort((a, b) => a - b);
    makeSpace(pages.filter((page) => !kept.has(page)).length);
    return runsOf(pages.filter((page) => !kept.has(page)));
  };
  const fetchBatch = async (ranges: readonly ByteRange[]): Promise<void> => {
    const missing = new Map(missingOf(ranges).map((run) => [placeOf(run).from, run]));
    await fetchReads(file, [...missing.values()].map(placeOf), ({ from }) => {
      const run = missing.get(from);
      if (run !== undefined) load(run);
    });
  };
  /** The ranges of the next request. The current request must end first. */
  let waiting: { readonly batch: ByteRange[]; readonly end: Promise<void> } | undefined;
  let before = Promise.resolve();
  const requireContent = (from: number, to: number): void => {
    if (to > content || from > to) throw damaged(file.name, 'it refers to bytes after its end');
  };
  return {
    read(from, to) {
      requireContent(from, to);
      if (from === to) return new Uint8Array();
      const { first, last } = pagesOf({ from, to });
      if (first === last) {
        if (!kept.has(first)) {
          makeSpace(1);
          load({ first, last });
        }
        return pageAt(first).subarray(from - first * CONTENT_BYTES, to - first * CONTENT_BYTES);
      }
      const bytes = new Uint8Array(to - from);
      for (let next = first; next <= last; next += PAGES_AT_ONCE) {
        const run = { first: next, last: Math.min(last, next + PAGES_AT_ONCE - 1) };
        const pages = numbersOf(run);
        // All pages are loaded again if one is missing: the space for the missing page may come from the others.
        if (!pages.every((page) => kept.has(page))) {
          makeSpace(pages.length);
          load(run);
        }
        for (const page of pages) {
          const start = page * CONTENT_BYTES;
          const part = pageAt(page).subarray(Math.max(0, from - start), to - start);
          bytes.set(part, Math.max(start, from) - from);
        }
      }
      return bytes;
    },
    fetch(ranges) {
      if (!isRemote(file)) return;
      const missing = missingOf(ranges);
      expectReads(file, () => missing.map(placeOf));
      for (const run of missing) load(run);
    },
    async fetchLater(ranges) {
      if (!isRemote(file)) return;
      if (waiting === undefined) {
        const batch: ByteRange[] = [];
        const begin = () => {
          waiting = undefined;
          return fetchBatch(batch);
        };
        // The caller of the previous batch gets its error.
        before = before.catch(() => {}).then(begin);
        waiting = { batch, end: before };
      }
      waiting.batch.push(...ranges);
      await waiting.end;
    },
  };
}

function numbersOf({ first, last }: PageRun): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Runs of page numbers in ascending order, each short enough for one read. */
function runsOf(pages: readonly number[]): PageRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const page of pages) {
    const before = runs.at(-1);
    if (before?.last === page - 1 && page - before.first < PAGES_AT_ONCE) before.last = page;
    else runs.push({ first: page, last: page });
  }
  return runs;
}
