// The sizes of the signatures in an index of files. A signature is a Bloom filter of the keys of one file, with k independent rows of each
// key. Signatures of one length are stored side by side. So lengths come from a series that does not depend on the other files.

import { bitsForK } from './bloom.ts';

/** The length of the shortest signature, in rows. */
const LEAST_ROWS = 64;

/** Lengths per doubling. The next length is at most 3.6 % longer than necessary, and 1.8 % on average. */
const PER_DOUBLING = 20;

/** Rows have numbers of 32 bits. */
const ROWS_LIMIT = 2 ** 32;

/** The rows of a signature of this many keys; undefined if they would be too many. */
export function rowsFor(keys: number, k: number, fpr: number): number | undefined {
  const needed = bitsForK(keys, fpr, k);
  for (let step = Math.max(0, Math.ceil(PER_DOUBLING * Math.log2(needed / LEAST_ROWS)) - 1); ; step++) {
    const rows = Math.ceil(LEAST_ROWS * 2 ** (step / PER_DOUBLING));
    if (rows >= ROWS_LIMIT) return undefined;
    if (rows >= needed) return rows;
  }
}

/** The chance that all k rows of an absent key are among the ones of a signature. */
export function signatureRate(ones: number, rows: number, k: number): number {
  return (ones / rows) ** k;
}
