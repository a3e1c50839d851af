import { BloomError, damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { cached } from '../filters/cached.ts';
import { displayName } from '../io/look.ts';
import { readAt } from '../io/positioned.ts';
import { type ByteSource, readFully } from '../io/source.ts';
import { type Description, statedKeys, statedTarget } from './description.ts';
import { readHead, requireProbes } from './flat-file.ts';
import type { BitsInOrder, FlatFile, Format } from './format.ts';
import { BYTES } from './key-types.ts';

const HEADER_BYTES = 48;
const COUNT_BYTES = 8;
const BUCKET_BYTES = 4096;
const BUCKET_BITS = 8 * BUCKET_BYTES;

/** Most bytes of a cache that is read before the buckets are known. */
const CACHE_LIMIT = 2 ** 31;
const PIECE = 2 ** 20;

/**
 * Version 2 of poppy, little-endian: the version, one of four optimisations, and six NULs; u64 n, f64 p, u64 k, u64 keys that set a
 * bit, u64 bits of the cache, the cache; u64 buckets, these, of 4096 bytes each; then whatever their user put there.
 */
export const poppy: Format = {
  name: 'poppy',
  system: 'poppy',
  purpose: 'poppy',
  signatures: [0, 1, 2, 3].map((option) => [2, option, 0, 0, 0, 0, 0, 0]),
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + COUNT_BYTES + bits / 8,
  open,
};

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const word = (at: number) => Number(head.getBigUint64(at, true));
  const cacheBytes = Math.ceil(word(40) / 8);
  const { buckets, cache } = await readBuckets(source, name, cacheBytes);
  const k = word(24);
  const isCached = cacheBytes > 0;
  const probes = isCached ? k + 1 : k;
  for (const some of [k, probes]) requireProbes(name, buckets, some);
  const bucketBytes = buckets * BUCKET_BYTES;
  const bits = 8 * (bucketBytes + cacheBytes);
  const bucketsAt = HEADER_BYTES + cacheBytes + COUNT_BYTES;
  requireSize(source, name, bucketsAt + bucketBytes);
  const { file, size } = source;
  const description: Description = {
    format: poppy,
    kind: isCached ? cached : bloom,
    shape: { bits, segments: buckets, segmentBits: BUCKET_BITS, k },
    rules: { hash: 'wyhash1', seed: 0n, ignoreCase: false, trim: false },
    target: statedTarget(head.getBigUint64(8, true), head.getFloat64(16, true)),
    inserted: statedKeys(head.getBigUint64(32, true)),
    bytes: size ?? bucketsAt + bucketBytes,
  };
  const parts = [
    { offset: bucketsAt, bytes: bucketBytes },
    { offset: HEADER_BYTES, bytes: cacheBytes },
  ];
  return {
    layout: 'flat',
    name,
    description,
    arrays: [
      {
        shape: {
          bits,
          k: probes,
          rule: 'poppy',
          order: 'bytes',
          buckets: { count: buckets, bits: BUCKET_BITS },
        },
        bytes: bucketBytes + cacheBytes,
        stored: file && { file, parts },
      },
    ],
    inOrder: file === undefined ? bucketsThen(source, name, bucketBytes, cache) : undefined,
    verified: undefined,
    close: () => source.close(),
  };
}

function requireSize({ size }: ByteSource, name: string, needed: number): void {
  if (size === undefined || size >= needed) return;
  throw damaged(name, `it has ${size} bytes where its header promises ${needed}`);
}

/** Reads the number of buckets and, where that can only be read in order, the cache before it. */
async function readBuckets(
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

/** Reads the cache piece by piece: no more memory is taken than there are bytes. */
async function readCache(source: ByteSource, name: string, cacheBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (cacheBytes > CACHE_LIMIT)
    throw new BloomError(
      'memory',
      `${name} has a cache of ${cacheBytes} bytes, too many to be read in order`,
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

/** The bytes of the buckets, and after them those of the cache, which was read before. */
function bucketsThen(source: ByteSource, name: string, bucketBytes: number, cache: Uint8Array): BitsInOrder {
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
    finish: async () => {},
  };
}
