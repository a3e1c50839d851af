// The first word of MurmurHash3_x64_128, after Austin Appleby's MurmurHash3.cpp (SMHasher, public domain), as FORMAT.md
// has it.

import { mix, numberAt, rotate, viewOf, wordAt, wrap } from '../words.ts';

const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const MASK = 0x9e3779b97f4a7c15n;

const scrambledFirst = (word: bigint): bigint => wrap(rotate(wrap(word * C1), 31n) * C2);
const scrambledSecond = (word: bigint): bigint => wrap(rotate(wrap(word * C2), 33n) * C1);

export function murmur3(bytes: Uint8Array, seed: bigint): bigint {
  const { length } = bytes;
  const key = viewOf(bytes);
  const tail = length - (length % 16);
  let [first, second] = [seed, seed];
  for (let at = 0; at < tail; at += 16) {
    first = wrap((rotate(first ^ scrambledFirst(wordAt(key, at)), 27n) + second) * 5n + 0x52dce729n);
    second = wrap((rotate(second ^ scrambledSecond(wordAt(key, at + 8)), 31n) + first) * 5n + 0x38495ab5n);
  }
  second ^= scrambledSecond(numberAt(key, Math.min(tail + 8, length), Math.max(0, length - tail - 8)));
  first ^= scrambledFirst(numberAt(key, tail, Math.min(8, length - tail)));
  first ^= BigInt(length);
  second ^= BigInt(length);
  first = wrap(first + second);
  return wrap(mix(first) + mix(wrap(second + first))) ^ MASK;
}
