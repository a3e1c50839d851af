import { BLOCK_BITS, blockedRate, WORDS } from '../blocked.ts';
import { allocated, type SystemSizing } from './system.ts';

/** Bytes of the header before the blocks, as Arrow and parquet-java write it. */
const HEADER_BYTES = 16;

const LEAST_BITS = BLOCK_BITS;
const MOST_BITS = 2 ** 30;

/** Bits for a number of distinct values: -8 n / ln(1 - p^(1/8)). */
const bitsFor = (items: number, fpr: number) => Math.trunc((-WORDS * items) / Math.log(1 - fpr ** (1 / WORDS)));

const powerOfTwo = (bits: number) => Math.min(MOST_BITS, Math.max(LEAST_BITS, 2 ** Math.ceil(Math.log2(bits))));

/**
 * The filter of a column in a row group with a number of distinct values. `rounded` is applied to the bits before they
 * are rounded to a power of two.
 */
function parquetSizing(name: string, rounded: (bits: number) => number): SystemSizing {
  return {
    name,
    system: 'Parquet',
    accepts: ['items', 'fpr'],
    plan({ items, fpr }) {
      if (items === undefined || fpr === undefined) return undefined;
      const bits = powerOfTwo(rounded(bitsFor(items, fpr)));
      const rateWith = (keys: number) => blockedRate(keys, bits);
      const fileBytes = HEADER_BYTES + bits / 8;
      return allocated(this.system, {
        items,
        fpr,
        bits,
        k: WORDS,
        fileBytes,
        parts: bits / BLOCK_BITS,
        kind: 'blocked',
        rateWith,
      });
    },
  };
}

/** The size in Arrow, DuckDB and the Rust library. */
export const PARQUET_SIZING = parquetSizing('parquet', (bits) => bits);

/** The size in parquet-java. It keeps only some bits of a sum, so the sum is often above a power of two. */
export const PARQUET_JAVA_SIZING = parquetSizing('parquet-java', (bits) => Number(BigInt(bits + 255) & ~256n));
