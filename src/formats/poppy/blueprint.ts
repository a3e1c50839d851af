import { cachedBy } from '../../filters/cached.ts';
import { sum } from '../../filters/kind.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { log } from '../../sizing/logarithm.ts';
import {
  BUCKET_BITS,
  BUCKET_BYTES,
  cacheBytes,
  OPTIMISATIONS,
  type Optimisation,
  poppySize,
} from '../../sizing/systems/poppy.ts';
import type { ArrayBlueprint, ArrayMerging, BlueprintArray, FilePiece } from '../array-blueprint.ts';
import { type Description, statedKeys, statedTarget } from '../description.ts';
import type { Format } from '../format.ts';
import { countedHead, sameArrays } from '../headed-blueprint.ts';
import { COUNT_BYTES, HEADER_BYTES } from './head.ts';

const KEYS_AT = 32;

/** A head and the number of buckets, and what they describe. */
export interface Known {
  readonly head: DataView;
  readonly description: Description;
  readonly array: BlueprintArray;
  readonly buckets: number;
  readonly bucketBytes: number;
  readonly cacheBytes: number;
}

/** The structure of a filter without a cache. */
const IN_BUCKETS = bloomBy('poppy');

/** The description of a head and a number of buckets. The filter must be possible. */
export function knownOf(format: Format, head: DataView, buckets: number): Known {
  const word = (at: number) => Number(head.getBigUint64(at, true));
  const k = word(24);
  const cacheBytes = Math.ceil(word(40) / 8);
  const bucketBytes = buckets * BUCKET_BYTES;
  const bits = 8 * (bucketBytes + cacheBytes);
  const isCached = cacheBytes > 0;
  return {
    head,
    description: {
      format,
      kind: isCached ? cachedBy(IN_BUCKETS) : IN_BUCKETS,
      shape: { bits, segments: buckets, segmentBits: BUCKET_BITS, k },
      rules: { hash: 'wyhash1', seed: 0n, ignoreCase: false, trim: false },
      target: statedTarget(head.getBigUint64(8, true), head.getFloat64(16, true)),
      inserted: statedKeys(head.getBigUint64(KEYS_AT, true)),
      // Keys of up to 8 bytes are their own first hash. They share bits and prefer some buckets, so an estimate from
      // the bits is too low.
      countsNew: true,
      bytes: HEADER_BYTES + COUNT_BYTES + bits / 8,
    },
    array: {
      shape: {
        bits,
        k: isCached ? k + 1 : k,
        rule: 'poppy',
        order: 'bytes',
        buckets: { count: buckets, bits: BUCKET_BITS },
        uncounted: isCached ? 1 : 0,
      },
      bytes: bucketBytes + cacheBytes,
    },
    buckets,
    bucketBytes,
    cacheBytes,
  };
}

/** The filter, and what follows its buckets. It accepts no more keys than its capacity. */
export function blueprintOf(
  { head, description, array, buckets, bucketBytes, cacheBytes }: Known,
  rest?: FilePiece,
): ArrayBlueprint {
  const { target, inserted = 0 } = description;
  const count = new DataView(new ArrayBuffer(COUNT_BYTES));
  count.setBigUint64(0, BigInt(buckets), true);
  return {
    description,
    arrays: [array],
    countsKeys: true,
    // A union may have more keys than the capacity. It accepts any number.
    remaining: target === undefined || inserted > target.capacity ? undefined : target.capacity - inserted,
    written([added = 0]) {
      const counted = countedHead(new Uint8Array(head.buffer), KEYS_AT, added, description);
      const pieces = [
        counted.head,
        { array: 0, from: bucketBytes, bytes: cacheBytes },
        new Uint8Array(count.buffer),
        { array: 0, from: 0, bytes: bucketBytes },
        ...(rest === undefined ? [] : [rest]),
      ];
      return { description: counted.description, pieces };
    },
  };
}

/** `union_merge`. The number of keys is estimated again, from the ones of each bucket. */
export function mergingOf(known: Known, rest: FilePiece): ArrayMerging {
  const { head, description, array, buckets, cacheBytes } = known;
  const blueprint = blueprintOf(known, rest);
  const fields = {
    n: Number(head.getBigUint64(8, true)),
    p: head.getFloat64(16, true),
    optimisation: head.getUint8(1),
    'bytes of its cache': cacheBytes,
  };
  const { k } = description.shape;
  const keysIn = (ones: number) => Math.trunc(-(BUCKET_BITS * log(1 - ones / BUCKET_BITS)) / k);
  return {
    fields,
    unionWith: (others) => ({
      description,
      arrays: [{ ...array, from: sameArrays(0, 1 + others.length) }],
      countsOnes: true,
      written(ones) {
        const keys = sum(ones.slice(0, buckets).map(keysIn));
        return blueprint.written([keys - Number(head.getBigUint64(KEYS_AT, true))], () => 0);
      },
    }),
  };
}

/** An empty filter of the same parameters. */
export function emptied(format: Format, { head, buckets }: Known): ArrayBlueprint {
  const copy = new DataView(head.buffer.slice(0));
  copy.setBigUint64(KEYS_AT, 0n, true);
  return blueprintOf(knownOf(format, copy, buckets));
}

/** A new filter. */
export function emptyBlueprint(format: Format, items: number, fpr: number, optimisation: Optimisation): ArrayBlueprint {
  const size = poppySize(items, fpr, optimisation);
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setUint8(0, 2);
  head.setUint8(1, OPTIMISATIONS.indexOf(optimisation));
  for (const [at, value] of [
    [8, items],
    [24, size.k],
    [40, 8 * cacheBytes(size)],
  ] as const)
    head.setBigUint64(at, BigInt(value), true);
  head.setFloat64(16, fpr, true);
  return blueprintOf(knownOf(format, head, size.buckets));
}
