// XXH3 with 128 bits and seed 0, of inputs of 16 bytes and more. It follows the specification ("xxHash fast digest
// algorithm", version 0.2.0) step by step, with big integers.

import {
  avalanche,
  DEFAULT_SECRET,
  longSums,
  mergedSums,
  mixStep,
  PRIME32_2,
  PRIME64_1,
  PRIME64_2,
  PRIME64_4,
  swapped,
  word,
} from './xxh3.ts';
import { wrap } from './xxh64.ts';

type Halves = readonly [bigint, bigint];

function of16(input: Uint8Array): Halves {
  const [first, last] = [word(input, 0), word(input, 8)];
  const flip = last ^ word(DEFAULT_SECRET, 48) ^ word(DEFAULT_SECRET, 56);
  const product = (first ^ last ^ word(DEFAULT_SECRET, 32) ^ word(DEFAULT_SECRET, 40)) * PRIME64_1;
  const high = wrap((product >> 64n) + flip + (flip & 0xffffffffn) * (PRIME32_2 - 1n));
  const low = wrap(product + (15n << 54n)) ^ swapped(high, 8);
  const next = low * PRIME64_2;
  return [avalanche(wrap(next)), avalanche(wrap((next >> 64n) + high * PRIME64_2))];
}

/** `XXH128_mix32B` of two blocks of 16 bytes. */
function mixed([low, high]: Halves, input: Uint8Array, one: number, other: number, offset: number): Halves {
  const sumAt = (at: number) => wrap(word(input, at) + word(input, at + 8));
  return [
    wrap(low + mixStep(input, one, offset, 0n)) ^ sumAt(other),
    wrap(high + mixStep(input, other, offset + 16, 0n)) ^ sumAt(one),
  ];
}

function finished([low, high]: Halves, length: number): Halves {
  const upper = wrap(low * PRIME64_1 + high * PRIME64_4 + BigInt(length) * PRIME64_2);
  return [avalanche(wrap(low + high)), wrap(-avalanche(upper))];
}

function upTo128(input: Uint8Array): Halves {
  const { length } = input;
  let halves: Halves = [wrap(BigInt(length) * PRIME64_1), 0n];
  for (const i of [48, 32, 16, 0]) if (length > 2 * i) halves = mixed(halves, input, i, length - i - 16, 2 * i);
  return finished(halves, length);
}

function upTo240(input: Uint8Array): Halves {
  const { length } = input;
  let halves: Halves = [wrap(BigInt(length) * PRIME64_1), 0n];
  for (let i = 0; i < 4; i++) halves = mixed(halves, input, 32 * i, 32 * i + 16, 32 * i);
  halves = [avalanche(halves[0]), avalanche(halves[1])];
  for (let i = 4; i < length >> 5; i++) halves = mixed(halves, input, 32 * i, 32 * i + 16, 32 * (i - 4) + 3);
  return finished(mixed(halves, input, length - 16, length - 32, 103), length);
}

function longer(input: Uint8Array): Halves {
  const length = BigInt(input.length);
  const sums = longSums(input, DEFAULT_SECRET);
  const high = mergedSums(sums, DEFAULT_SECRET, DEFAULT_SECRET.length - 75, wrap(-1n - length * PRIME64_2));
  return [mergedSums(sums, DEFAULT_SECRET, 11, length * PRIME64_1), high];
}

/** XXH3 with 128 bits, as its canonical 16 bytes: big-endian, the upper half first. */
export function xxh128(input: Uint8Array): Uint8Array {
  const { length } = input;
  if (length < 16) throw new RangeError('fewer than 16 bytes');
  const of = length === 16 ? of16 : length <= 128 ? upTo128 : length <= 240 ? upTo240 : longer;
  const [low, high] = of(input);
  const bytes = new DataView(new ArrayBuffer(16));
  bytes.setBigUint64(0, high);
  bytes.setBigUint64(8, low);
  return new Uint8Array(bytes.buffer);
}
