import { STEPS } from '../steps.ts';
import { allocated, bloomRate, type SystemSizing } from './system.ts';

/** The default of `io.storefile.bloom.block.size`, a multiple of the sizes to which a chunk may be folded. */
const CHUNK_BYTES = 131_072;

/** The capacity of a chunk in keys, and its hash functions. */
function chunkFor(fpr: number): { readonly keys: number; readonly k: number } {
  const bits = 8 * CHUNK_BYTES;
  // HBase keeps the rate as a float.
  const rate = Math.fround(fpr);
  const ideal = Math.trunc((bits * Math.LN2 * Math.LN2) / -Math.log(rate));
  const k = Math.ceil(Math.LN2 * Math.trunc(bits / ideal));
  return { k, keys: Math.trunc((-bits / k) * Math.log(1 - Math.exp(Math.log(rate) / k))) };
}

/** Bytes of a chunk with `keys` keys. HBase folds the chunk while half of it has the capacity for them. */
function foldedBytes(keys: number, most: number): number {
  let bytes = CHUNK_BYTES;
  for (let capacity = most; bytes % 2 === 0 && capacity > 2 * keys; capacity = Math.trunc(capacity / 2)) bytes /= 2;
  return bytes;
}

/** The chunks of the Bloom filter of an HFile with a number of rows. */
export const HBASE_SIZING: SystemSizing = {
  name: 'hbase',
  system: 'HBase',
  accepts: ['items', 'fpr'],
  plan({ items, fpr }) {
    if (items === undefined || fpr === undefined) return undefined;
    const { keys: most, k } = chunkFor(fpr);
    const chunks = Math.ceil(items / most);
    const inLast = items - (chunks - 1) * most;
    const lastBytes = foldedBytes(inLast, most);
    const bytes = (chunks - 1) * CHUNK_BYTES + lastBytes;
    // A row is looked up only in the chunk whose range of rows includes it.
    const rateWith = (keys: number) => {
      const share = keys / items;
      const whole = bloomRate(most * share, 8 * CHUNK_BYTES, k, STEPS.hbase);
      return ((items - inLast) * whole + inLast * bloomRate(inLast * share, 8 * lastBytes, k, STEPS.hbase)) / items;
    };
    return allocated(this.system, { items, fpr, bits: 8 * bytes, k, fileBytes: bytes, parts: chunks, rateWith });
  },
};
