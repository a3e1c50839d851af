// The content of an index, which is divided into pages. Each page is verified.

import { CONTENT_BYTES, PAGE_BYTES, pagesOf } from '../../formats/index-file/pages.ts';
import { refuse } from '../file.ts';
import { xxh64 } from '../hashes/xxh64.ts';
import type { WebFile } from '../http.ts';
import { createPages } from '../pages.ts';
import { viewOf, wordAt, wrap } from '../words.ts';

const CHECKSUM_BYTES = PAGE_BYTES - CONTENT_BYTES;

/** The most requests at a time. A server that shares a connection among requests answers all of them at once. */
const CONNECTIONS = 16;

/** Bytes of the content from `from` to before `to`. */
export interface ContentRange {
  readonly from: number;
  readonly to: number;
}

export interface PagedContent {
  /** Reads the pages of some ranges, and returns a function for the bytes of these ranges. */
  read(ranges: readonly ContentRange[]): Promise<(from: number, to: number) => Uint8Array>;
  clear(): void;
}

/** The pages from `begin` to before `end` of a file, whose first bytes are `head`. At most `limit` bytes of them are kept. */
export function createPagedContent(
  file: WebFile,
  { head, begin, end }: { readonly head: Uint8Array; readonly begin: number; readonly end: number },
  checksum: bigint,
  limit: number,
): PagedContent {
  const pages = createPages(PAGE_BYTES, limit, async ({ first, count }) => {
    const from = begin + first * PAGE_BYTES;
    const to = Math.min(end, from + count * PAGE_BYTES);
    const run = to <= head.length ? head.subarray(from, to) : await file.read(from, to);
    if (run.length !== to - from) return refuse(file, head, 'it is cut off');
    const found: Uint8Array[] = [];
    for (let at = 0; at < run.length; at += PAGE_BYTES) {
      const page = run.slice(at, at + PAGE_BYTES);
      const inside = page.subarray(0, -CHECKSUM_BYTES);
      const number = first + found.length;
      if (xxh64(inside, wrap(checksum + BigInt(number))) !== wordAt(viewOf(page), inside.length))
        return refuse(file, head, `page ${number + 1} does not match its checksum`);
      found.push(inside);
    }
    return found;
  });

  return {
    async read(ranges) {
      const wanted = new Set<number>();
      for (const range of ranges) {
        const { first, last } = pagesOf(range);
        for (let page = first; page <= last; page++) wanted.add(page);
      }
      const found = new Map<number, Uint8Array>();
      const runs = pages.runsOf([...wanted].sort((a, b) => a - b)).values();
      const readRuns = async () => {
        for (const run of runs)
          for (const [i, page] of (await pages.getRun(run)).entries()) found.set(run.first + i, page);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, readRuns));
      return (from, to) => {
        const bytes = new Uint8Array(to - from);
        const { first, last } = pagesOf({ from, to });
        for (let page = first; page <= last; page++) {
          const start = page * CONTENT_BYTES;
          const part = found.get(page)?.subarray(Math.max(0, from - start), to - start);
          if (part !== undefined) bytes.set(part, Math.max(start, from) - from);
        }
        return bytes;
      };
    },
    clear: pages.clear,
  };
}
