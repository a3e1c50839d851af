// XXH3 with 64 bits, after the specification "xxHash fast digest algorithm" by Yann Collet, version 0.2.0, with its
// default secret.

import { foldedProduct, numberAt, reversed, rotate, viewOf, wordAt, wrap } from '../words.ts';
import { avalanche, P1, P2, P3, P4, P5 } from './xxh64.ts';

const PRIME32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn] as const;
const MX1 = 0x165667919e3779f9n;
const MX2 = 0x9fb21c651e98df25n;

const SECRET_WORDS = [
  0xbe4ba423396cfeb8n,
  0x1cad21f72c81017cn,
  0xdb979083e96dd4den,
  0x1f67b3b7a4a44072n,
  0x78e5c0cc4ee679cbn,
  0x2172ffcc7dd05a82n,
  0x8e2443f7744608b8n,
  0x4c263a81e69035e0n,
  0xcb00c391bb52283cn,
  0xa32e531b8b65d088n,
  0x4ef90da297486471n,
  0xd8acdea946ef1938n,
  0x3f349ce33f76faa8n,
  0x1d4f0bc7c7bbdcf9n,
  0x3159b4cd4be0518an,
  0x647378d9c97e9fc8n,
  0xc3ebd33483acc5ean,
  0xeb6313faffa081c5n,
  0x49daf0b751dd0d17n,
  0x9e68d429265516d3n,
  0xfca1477d58be162bn,
  0xce31d07ad1b8f88fn,
  0x280416958f3acb45n,
  0x7e404bbbcafbd7afn,
];

/** The secret of a seed, for keys of more than 240 bytes. */
function secretOf(seed: bigint): DataView {
  const view = new DataView(new ArrayBuffer(8 * SECRET_WORDS.length));
  for (const [i, word] of SECRET_WORDS.entries())
    view.setBigUint64(8 * i, wrap(i % 2 === 0 ? word + seed : word - seed), true);
  return view;
}

const SECRET = secretOf(0n);
const SECRET_BYTES = SECRET.byteLength;
const STRIPE = 64;
const STRIPES = (SECRET_BYTES - STRIPE) / 8;

const secret = (at: number): bigint => wordAt(SECRET, at);

function finish(value: bigint): bigint {
  const mixed = wrap((value ^ (value >> 37n)) * MX1);
  return mixed ^ (mixed >> 32n);
}

function upTo3(key: DataView, length: number, seed: bigint): bigint {
  const [first, middle, last] = [0, length >> 1, length - 1].map((at) => numberAt(key, at, 1)) as [
    bigint,
    bigint,
    bigint,
  ];
  const combined = last | (BigInt(length) << 8n) | (first << 16n) | (middle << 24n);
  return avalanche(wrap((numberAt(SECRET, 0, 4) ^ numberAt(SECRET, 4, 4)) + seed) ^ combined);
}

function upTo8(key: DataView, length: number, seed: bigint): bigint {
  const combined = numberAt(key, length - 4, 4) | (numberAt(key, 0, 4) << 32n);
  const seeded = seed ^ (reversed(seed & 0xffffffffn, 4) << 32n);
  let value = wrap((secret(8) ^ secret(16)) - seeded) ^ combined;
  value = wrap((value ^ rotate(value, 49n) ^ rotate(value, 24n)) * MX2);
  value = wrap((value ^ ((value >> 35n) + BigInt(length))) * MX2);
  return value ^ (value >> 28n);
}

function upTo16(key: DataView, length: number, seed: bigint): bigint {
  const low = wrap((secret(24) ^ secret(32)) + seed) ^ wordAt(key, 0);
  const high = wrap((secret(40) ^ secret(48)) - seed) ^ wordAt(key, length - 8);
  return finish(wrap(BigInt(length) + reversed(low, 8) + high + foldedProduct(low, high)));
}

function mixed(key: DataView, at: number, offset: number, seed: bigint): bigint {
  return foldedProduct(
    wordAt(key, at) ^ wrap(secret(offset) + seed),
    wordAt(key, at + 8) ^ wrap(secret(offset + 8) - seed),
  );
}

function upTo128(key: DataView, length: number, seed: bigint): bigint {
  let sum = BigInt(length) * P1;
  for (let i = 0; 2 * i < length; i += 16)
    sum += mixed(key, i, 2 * i, seed) + mixed(key, length - i - 16, 2 * i + 16, seed);
  return finish(wrap(sum));
}

function upTo240(key: DataView, length: number, seed: bigint): bigint {
  let sum = BigInt(length) * P1;
  for (let i = 0; i < 128; i += 16) sum += mixed(key, i, i, seed);
  sum = finish(wrap(sum));
  for (let i = 128; i + 16 <= length; i += 16) sum += mixed(key, i, i - 128 + 3, seed);
  return finish(wrap(sum + mixed(key, length - 16, 136 - 17, seed)));
}

/** Adds a stripe to the accumulators. Each of two neighbours gets the word of the other. */
function accumulate(sums: bigint[], key: DataView, at: number, secret: DataView, offset: number): void {
  const words = sums.map((_, i) => wordAt(key, at + 8 * i));
  for (const [i, word] of words.entries()) {
    const value = word ^ wordAt(secret, offset + 8 * i);
    sums[i] = wrap((sums[i] ?? 0n) + (words[i ^ 1] ?? 0n) + (value & 0xffffffffn) * (value >> 32n));
  }
}

function longer(key: DataView, length: number, seed: bigint): bigint {
  const secret = secretOf(seed);
  const sums: bigint[] = [PRIME32[2], P1, P2, P3, P4, PRIME32[1], P5, PRIME32[0]];
  const stripes = Math.floor((length - 1) / STRIPE);
  for (let n = 0; n < stripes; n++) {
    accumulate(sums, key, STRIPE * n, secret, 8 * (n % STRIPES));
    if (n % STRIPES !== STRIPES - 1) continue;
    for (const [i, sum] of sums.entries()) {
      const word = wordAt(secret, SECRET_BYTES - STRIPE + 8 * i);
      sums[i] = wrap((sum ^ (sum >> 47n) ^ word) * PRIME32[0]);
    }
  }
  accumulate(sums, key, length - STRIPE, secret, SECRET_BYTES - STRIPE - 7);
  let result = BigInt(length) * P1;
  for (let i = 0; i < 8; i += 2) {
    const [one, other] = [i, i + 1].map((lane) => (sums[lane] ?? 0n) ^ wordAt(secret, 11 + 8 * lane));
    result += foldedProduct(one ?? 0n, other ?? 0n);
  }
  return finish(wrap(result));
}

export function xxh3(bytes: Uint8Array, seed: bigint): bigint {
  const { length } = bytes;
  const key = viewOf(bytes);
  if (length === 0) return avalanche(seed ^ secret(56) ^ secret(64));
  if (length <= 3) return upTo3(key, length, seed);
  if (length <= 8) return upTo8(key, length, seed);
  if (length <= 16) return upTo16(key, length, seed);
  if (length <= 128) return upTo128(key, length, seed);
  return length <= 240 ? upTo240(key, length, seed) : longer(key, length, seed);
}
