// MurmurHash3_x64_128 after its definition, Austin Appleby's MurmurHash3.cpp (SMHasher, public domain). It uses big
// integers, a byte at a time, so that it repeats no trick of the kernel. Both halves start as the seed; the seed has 64
// bits here and 32 in the definition.

import { wrap } from './xxh64.ts';

const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const BLOCK = 16;

function rotate(value: bigint, by: bigint): bigint {
  return wrap(value << by) | (value >> (64n - by));
}

/** A little-endian number; bytes beyond the end are 0. */
export function wordAt(bytes: Uint8Array, at: number): bigint {
  return bytes.subarray(at, at + 8).reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n);
}

function finish(half: bigint): bigint {
  let mixed = wrap((half ^ (half >> 33n)) * 0xff51afd7ed558ccdn);
  mixed = wrap((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return mixed ^ (mixed >> 33n);
}

/** Both halves of MurmurHash3_x64_128, h1 and h2. `lastWordAt` reads the words of the tail after the blocks. */
export function murmur3Halves(bytes: Uint8Array, seed: bigint, lastWordAt = wordAt): readonly [bigint, bigint] {
  const scrambleFirst = (word: bigint) => wrap(rotate(wrap(word * C1), 31n) * C2);
  const scrambleSecond = (word: bigint) => wrap(rotate(wrap(word * C2), 33n) * C1);
  const first = (at: number) => scrambleFirst(wordAt(bytes, at));
  const second = (at: number) => scrambleSecond(wordAt(bytes, at + 8));
  const length = BigInt(bytes.length);
  let h1 = seed;
  let h2 = seed;
  let at = 0;
  for (; at + BLOCK <= bytes.length; at += BLOCK) {
    h1 = wrap((rotate(h1 ^ first(at), 27n) + h2) * 5n + 0x52dce729n);
    h2 = wrap((rotate(h2 ^ second(at), 31n) + h1) * 5n + 0x38495ab5n);
  }
  // A missing word of the tail counts as zeros, which change nothing.
  h1 ^= scrambleFirst(lastWordAt(bytes, at)) ^ length;
  h2 ^= scrambleSecond(lastWordAt(bytes, at + 8)) ^ length;
  h1 = wrap(h1 + h2);
  h2 = wrap(h2 + h1);
  const [mixed1, mixed2] = [finish(h1), finish(h2)];
  const sum = wrap(mixed1 + mixed2);
  return [sum, wrap(sum + mixed2)];
}

/** The digest that FORMAT.md makes of h1, an unsigned number. */
export function murmur3(bytes: Uint8Array, seed: bigint): bigint {
  return murmur3Halves(bytes, seed)[0] ^ 0x9e3779b97f4a7c15n;
}
