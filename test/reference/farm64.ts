// FarmHash's Fingerprint64 after its definition, Geoff Pike's farmhash.cc (google/farmhash, version 1.1, namespace
// farmhashna). It uses big integers, a word at a time, and the names of that file.

import { wrap } from './xxh64.ts';

const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const SEED_MUL = 0x9ddfea08eb382d69n;

type Pair = readonly [bigint, bigint];

function rotate(value: bigint, by: bigint): bigint {
  return wrap(value << (64n - by)) | (value >> by);
}

function shiftMix(value: bigint): bigint {
  return value ^ (value >> 47n);
}

/** A little-endian number of `count` bytes. */
function fetch(s: Uint8Array, at: number, count = 8): bigint {
  return s.subarray(at, at + count).reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n);
}

function hashLen16(u: bigint, v: bigint, mul: bigint): bigint {
  const a = shiftMix(wrap((u ^ v) * mul));
  const b = shiftMix(wrap((v ^ a) * mul));
  return wrap(b * mul);
}

function hashLen0to16(s: Uint8Array): bigint {
  const len = s.length;
  const mul = K2 + 2n * BigInt(len);
  if (len >= 8) {
    const a = wrap(fetch(s, 0) + K2);
    const b = fetch(s, len - 8);
    const c = wrap(rotate(b, 37n) * mul + a);
    const d = wrap((rotate(a, 25n) + b) * mul);
    return hashLen16(c, d, mul);
  }
  if (len >= 4) return hashLen16(BigInt(len) + (fetch(s, 0, 4) << 3n), fetch(s, len - 4, 4), mul);
  if (len === 0) return K2;
  const y = fetch(s, 0, 1) + (fetch(s, len >> 1, 1) << 8n);
  const z = BigInt(len) + (fetch(s, len - 1, 1) << 2n);
  return wrap(shiftMix(wrap(y * K2) ^ wrap(z * K0)) * K2);
}

/** Mixes the words a, b, c and d. Keys of 17 to 64 bytes need one or two such steps. */
function ends(a: bigint, b: bigint, c: bigint, d: bigint, carried: bigint): Pair {
  return [wrap(rotate(wrap(a + b), 43n) + rotate(c, 30n) + d), wrap(a + rotate(wrap(b + carried), 18n) + c)];
}

function hashLen17to32(s: Uint8Array): bigint {
  const mul = K2 + 2n * BigInt(s.length);
  const c = wrap(fetch(s, s.length - 8) * mul);
  const [u, v] = ends(wrap(fetch(s, 0) * K1), fetch(s, 8), c, wrap(fetch(s, s.length - 16) * K2), K2);
  return hashLen16(u, v, mul);
}

function hashLen33to64(s: Uint8Array): bigint {
  const mul = K2 + 2n * BigInt(s.length);
  const a = wrap(fetch(s, 0) * K2);
  const c = wrap(fetch(s, s.length - 8) * mul);
  const [y, v] = ends(a, fetch(s, 8), c, wrap(fetch(s, s.length - 16) * K2), K2);
  const z = hashLen16(y, v, mul);
  const g = wrap((y + fetch(s, s.length - 32)) * mul);
  const h = wrap((z + fetch(s, s.length - 24)) * mul);
  return hashLen16(...ends(wrap(fetch(s, 16) * mul), fetch(s, 24), g, h, a), mul);
}

function weakHashLen32WithSeeds(s: Uint8Array, at: number, seedA: bigint, seedB: bigint): Pair {
  const [w, x, y, z] = [0, 8, 16, 24].map((offset) => fetch(s, at + offset)) as [bigint, bigint, bigint, bigint];
  const c = wrap(seedA + w);
  const a = wrap(c + x + y);
  const b = wrap(rotate(wrap(seedB + c + z), 21n) + rotate(a, 44n));
  return [wrap(a + z), wrap(b + c)];
}

interface State {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly v: Pair;
  readonly w: Pair;
}

/** Mixes 64 bytes into the state; `nine` is 9 for the last 64 bytes and 1 before them. */
function round(s: Uint8Array, at: number, { x, y, z, v, w }: State, mul: bigint, nine: bigint): State {
  const newX = wrap(rotate(wrap(x + y + v[0] + fetch(s, at + 8)), 37n) * mul) ^ wrap(w[1] * nine);
  const newY = wrap(rotate(wrap(y + v[1] + fetch(s, at + 48)), 42n) * mul + v[0] * nine + fetch(s, at + 40));
  const newZ = wrap(rotate(wrap(z + w[0]), 33n) * mul);
  return {
    x: newZ,
    y: newY,
    z: newX,
    v: weakHashLen32WithSeeds(s, at, wrap(v[1] * mul), newX + w[0]),
    w: weakHashLen32WithSeeds(s, at + 32, newZ + w[1], newY + fetch(s, at + 16)),
  };
}

function hashLong(s: Uint8Array): bigint {
  const seed = 81n;
  const y = wrap(seed * K1 + 113n);
  const z = wrap(shiftMix(wrap(y * K2 + 113n)) * K2);
  let state: State = { x: wrap(seed * K2 + fetch(s, 0)), y, z, v: [0n, 0n], w: [0n, 0n] };
  const rest = (s.length - 1) % 64;
  for (let at = 0; at < s.length - 1 - rest; at += 64) state = round(s, at, state, K1, 1n);
  const mul = K1 + 2n * (state.z & 0xffn);
  const w0 = state.w[0] + BigInt(rest);
  const v0 = state.v[0] + w0;
  state = { ...state, v: [v0, state.v[1]], w: [w0 + v0, state.w[1]] };
  const { x, y: lastY, z: lastZ, v, w } = round(s, s.length - 64, state, mul, 9n);
  const first = hashLen16(v[0], w[0], mul) + wrap(shiftMix(lastY) * K0) + lastZ;
  return hashLen16(wrap(first), wrap(hashLen16(v[1], w[1], mul) + x), mul);
}

/** Fingerprint64 of bytes, unsigned; Hash64WithSeed if the seed is not 0. */
export function farm64(s: Uint8Array, seed: bigint): bigint {
  const lengths = [16, 32, 64, Number.POSITIVE_INFINITY];
  const hashes = [hashLen0to16, hashLen17to32, hashLen33to64, hashLong];
  const hash = hashes[lengths.findIndex((most) => s.length <= most)]?.(s) ?? 0n;
  return seed === 0n ? hash : hashLen16(wrap(hash - K2), seed, SEED_MUL);
}
