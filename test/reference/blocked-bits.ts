// From a digest to its block and its bits, after the Apache Parquet format's BloomFilter.md, one bit at a time.

import { type DigestRules, digestOf } from './digests.ts';
import { wrap } from './xxh64.ts';

const SALT = [0x47b6137bn, 0x44974d91n, 0x8824ad5bn, 0xa2b7289dn, 0x705495c7n, 0x2df1424bn, 0x9efc4947n, 0x5c6bfb31n];
const BLOCK_BITS = 256;

/** The positions of a digest in a bitset of `bits` bits. */
export function bitsOfDigest(digest: bigint, bits: number): number[] {
  const blocks = BigInt(bits / BLOCK_BITS);
  const block = Number(((digest >> 32n) * blocks) >> 32n);
  const key = wrap(digest) & 0xffffffffn;
  return SALT.map((salt, word) => BLOCK_BITS * block + 32 * word + Number(((key * salt) & 0xffffffffn) >> 27n));
}

/** The positions of a key in the whole payload. */
export function blockedBitsOfKey(
  key: Uint8Array,
  rules: DigestRules & { segments: number; segmentBits: number },
): number[] {
  return bitsOfDigest(digestOf(key, rules), rules.segments * rules.segmentBits);
}

/** The number of ones in every byte. */
const ONES = Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** The entry of a segment in the table: its ones, and the number that encodes the false-positive rate. */
export function blockedFill(segment: Uint8Array): bigint {
  let ones = 0n;
  let sum = 0n;
  for (let block = 0; block < segment.length; block += 32) {
    let product = 1n;
    for (let word = block; word < block + 32; word += 4) {
      const inWord = BigInt(segment.subarray(word, word + 4).reduce((sum, byte) => sum + (ONES[byte] ?? 0), 0));
      ones += inWord;
      product *= inWord;
    }
    sum += product;
  }
  let cut = 0n;
  while (sum >> cut >= 2n ** 13n) cut++;
  return ones + 2n ** 32n * (2n ** 12n * cut + (sum >> cut));
}
