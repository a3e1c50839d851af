import { BloomError, damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { readAt } from '../../io/positioned.ts';
import { type ByteSource, readFully } from '../../io/source.ts';
import type { Following } from '../following.ts';
import type { BitsInOrder } from '../format.ts';
import { COUNT_BYTES, HEADER_BYTES } from './head.ts';

/** The largest cache that is read before the buckets are known. */
const CACHE_LIMIT = 2 ** 31;
const PIECE = 2 ** 20;

/** Throws a `format` error if the size of the file differs. */
export function requireSize({ size }: ByteSource, name: string, needed: number): void {
  if (size === undefined || size >= needed) return;
  throw damaged(name, `it has ${size} bytes instead of the ${needed} of its header`);
}

/** Reads the number of buckets. If the source can only be read in order, the cache before it is read too. */
export async function readBuckets(
  source: ByteSource,
  name: string,
  cacheBytes: number,
): Promise<{ readonly buckets: number; readonly cache: Uint8Array }> {
  const count = new Uint8Array(COUNT_BYTES);
  let cache = new Uint8Array(0);
  let read = 0;
  requireSize(source, name, HEADER_BYTES + cacheBytes + COUNT_BYTES);
  if (source.file === undefined) {
    cache = await readCache(source, name, cacheBytes);
    read = await readFully(source, count);
  } else read = readAt(source.file, count, HEADER_BYTES + cacheBytes);
  if (read < COUNT_BYTES) throw damaged(name, 'it ends before its buckets');
  return { buckets: Number(new DataView(count.buffer).getBigUint64(0, true)), cache };
}

/** Reads the cache in pieces, so that a false length in a short file takes no memory. */
async function readCache(source: ByteSource, name: string, cacheBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (cacheBytes > CACHE_LIMIT)
    throw new BloomError(
      'memory',
      `${name} has a cache of ${cacheBytes} bytes, too large to be read from a pipe`,
      'name the filter as a file',
    );
  const pieces: Uint8Array[] = [];
  for (let left = cacheBytes; left > 0; left -= PIECE) {
    const piece = new Uint8Array(Math.min(left, PIECE));
    if ((await readFully(source, piece)) < piece.length) throw damaged(name, 'it ends within its cache');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The bytes of the buckets, followed by those of the cache, which was read before. */
export function bucketsThen(
  source: ByteSource,
  { check }: Following,
  bucketBytes: number,
  cache: Uint8Array,
): BitsInOrder {
  const name = displayName(source.name);
  let done = 0;
  return {
    async readBits(_, into) {
      const fromBuckets = into.subarray(0, Math.max(0, bucketBytes - done));
      if ((await readFully(source, fromBuckets)) < fromBuckets.length)
        throw damaged(name, 'it ends within its buckets');
      const rest = into.length - fromBuckets.length;
      const from = Math.max(0, done - bucketBytes);
      into.set(cache.subarray(from, from + rest), fromBuckets.length);
      done += into.length;
    },
    finish: check,
  };
}
