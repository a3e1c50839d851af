// Everything behind the header of an index lies in pages. A page has its own checksum, so that one row can be read and verified without a
// table of all pages: a table of a large index would take longer to read than the rows of a key.

import { damaged } from '../../errors.ts';
import type { Append } from '../../io/atomic-file.ts';
import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { checksumOf } from '../checksum.ts';

/** Bytes of a page: content, and then 8 bytes checksum. The last page may be shorter. */
export const PAGE_BYTES = 4096;
const CHECKSUM_BYTES = 8;
const CONTENT_BYTES = PAGE_BYTES - CHECKSUM_BYTES;

/** Bytes of the pages with so many bytes of content. */
export function pagedBytes(content: number): number {
  return content + CHECKSUM_BYTES * Math.ceil(content / CONTENT_BYTES);
}

/** XXH64 of the content, with a seed that ties it to the header and to its place. */
function pageChecksum(kernel: Kernel, content: Uint8Array, header: bigint, page: number): bigint {
  return checksumOf(kernel, content, BigInt.asUintN(64, header + BigInt(page)));
}

/** Pages that are written at once. */
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

/** Reads content at any position. */
export interface PageReader {
  /** The bytes from `from` to `to` of the content. Throws `input` and `format` errors. */
  read(from: number, to: number): Uint8Array;
}

/** Pages that are kept, because the rows of other keys may be in them too: 16 MiB. */
const KEPT_PAGES = 4096;

/** Where the pages of an open index are. */
export interface Pages {
  readonly file: PositionedFile;
  /** Where the first page begins. */
  readonly begin: number;
  /** Bytes of the content. */
  readonly content: number;
  /** The checksum of the header. */
  readonly header: bigint;
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
  /** Reads pages from the file. */
  const load = (first: number, last: number): void => {
    const from = first * PAGE_BYTES;
    const bytes = new Uint8Array(Math.min((last + 1) * PAGE_BYTES, pagedBytes(content)) - from);
    if (readAt(file, bytes, begin + from) !== bytes.length)
      throw damaged(file.name, `it ends within page ${first + 1}`);
    if (kept.size + last - first >= KEPT_PAGES) kept.clear();
    for (let page = first; page <= last; page++) {
      const at = (page - first) * PAGE_BYTES;
      kept.set(page, verify(page, bytes.subarray(at, at + PAGE_BYTES)));
    }
  };
  const pageAt = (page: number): Uint8Array => {
    const bytes = kept.get(page);
    if (bytes === undefined) throw new Error(`page ${page} was not read`);
    return bytes;
  };
  return {
    read(from, to) {
      if (to > content || from > to) throw damaged(file.name, 'it refers to bytes after its end');
      if (from === to) return new Uint8Array();
      const [first, last] = [Math.floor(from / CONTENT_BYTES), Math.floor((to - 1) / CONTENT_BYTES)];
      if (first === last) {
        if (!kept.has(first)) load(first, first);
        return pageAt(first).subarray(from - first * CONTENT_BYTES, to - first * CONTENT_BYTES);
      }
      const bytes = new Uint8Array(to - from);
      for (let next = first; next <= last; next += PAGES_TOGETHER) {
        const pages = Array.from({ length: Math.min(PAGES_TOGETHER, last - next + 1) }, (_, i) => next + i);
        // All of them: what is loaded may take the place of pages that were kept.
        if (!pages.every((page) => kept.has(page))) load(next, next + pages.length - 1);
        for (const page of pages) {
          const start = page * CONTENT_BYTES;
          const part = pageAt(page).subarray(Math.max(0, from - start), to - start);
          bytes.set(part, Math.max(start, from) - from);
        }
      }
      return bytes;
    },
  };
}
