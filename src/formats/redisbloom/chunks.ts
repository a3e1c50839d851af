import { damaged } from '../../errors.ts';
import type { Cursor } from '../../io/cursor.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { BitsInOrder, StoredArray } from '../format.ts';
import type { Chunks } from './commands.ts';
import { type Links, shapeOf } from './links.ts';

/** Arrays whose bits are in commands of a file: where they are. Throws a `format` error for a file that has not all of them. */
export async function locatedArrays(chunks: Chunks, cursor: Cursor, file: PositionedFile): Promise<StoredArray[]> {
  const arrays: StoredArray[] = [];
  for (const link of chunks.links.links) {
    const parts: { offset: number; bytes: number }[] = [];
    for (let left = link.bytes; left > 0; ) {
      const bytes = await chunks.begin();
      parts.push({ offset: cursor.position(), bytes });
      await cursor.skip(bytes);
      await chunks.end();
      left -= bytes;
    }
    arrays.push({ shape: shapeOf(link), bytes: link.bytes, stored: { file, parts } });
  }
  await chunks.finish();
  return arrays;
}

/** Arrays that can only be read in order. */
export function unlocatedArrays({ links }: Links): StoredArray[] {
  return links.map((link) => ({ shape: shapeOf(link), bytes: link.bytes, stored: undefined }));
}

/** Reads the bits of commands one after the other. */
export function chunksInOrder(chunks: Chunks, cursor: Cursor, name: string): BitsInOrder {
  let left = 0;
  return {
    async readBits(_, into) {
      for (let end = 0; end < into.length; ) {
        if (left === 0) left = await chunks.begin();
        const bytes = await cursor.take(Math.min(left, into.length - end));
        if (bytes.length === 0) throw damaged(name, 'it ends within its bits');
        into.set(bytes, end);
        end += bytes.length;
        left -= bytes.length;
        if (left === 0) await chunks.end();
      }
    },
    finish: () => chunks.finish(),
  };
}
