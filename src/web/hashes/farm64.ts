// FarmHash's Fingerprint64, after Geoff Pike's farmhash.cc (google/farmhash, version 1.1, namespace farmhashna). It is
// farmhashna::Hash64WithSeed if the seed is not 0.

import { numberAt, rotate, viewOf, wordAt, wrap } from '../words.ts';

const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const SEED_MULTIPLIER = 0x9ddfea08eb382d69n;

/** Rotates to the right, as the original does. */
const right = (value: bigint, by: bigint): bigint => rotate(wrap(value), 64n - by);

const shiftMix = (value: bigint): bigint => wrap(value) ^ (wrap(value) >> 47n);

function join(u: bigint, v: bigint, multiplier: bigint): bigint {
  const a = shiftMix((wrap(u) ^ wrap(v)) * multiplier);
  return wrap(shiftMix((wrap(v) ^ a) * multiplier) * multiplier);
}

function upTo16(key: DataView, length: number, multiplier: bigint): bigint {
  const size = BigInt(length);
  if (length >= 8) {
    const a = wordAt(key, 0) + K2;
    const b = wordAt(key, length - 8);
    return join(right(b, 37n) * multiplier + a, (right(a, 25n) + b) * multiplier, multiplier);
  }
  if (length >= 4) return join(size + (numberAt(key, 0, 4) << 3n), numberAt(key, length - 4, 4), multiplier);
  if (length === 0) return K2;
  const y = numberAt(key, 0, 1) + (numberAt(key, length >> 1, 1) << 8n);
  const z = size + (numberAt(key, length - 1, 1) << 2n);
  return wrap(shiftMix(wrap(y * K2) ^ wrap(z * K0)) * K2);
}

/** The two words of a key of 17 to 64 bytes, from its outer words. */
function ends(a: bigint, b: bigint, c: bigint, d: bigint, carried: bigint): [bigint, bigint] {
  return [right(a + b, 43n) + right(c, 30n) + d, a + right(b + carried, 18n) + c];
}

function upTo64(key: DataView, length: number, multiplier: bigint): bigint {
  const [c, d] = [wordAt(key, length - 8) * multiplier, wordAt(key, length - 16) * K2];
  if (length <= 32) return join(...ends(wordAt(key, 0) * K1, wordAt(key, 8), c, d, K2), multiplier);
  const a = wordAt(key, 0) * K2;
  const [y, v] = ends(a, wordAt(key, 8), c, d, K2);
  const z = join(y, v, multiplier);
  const g = (y + wordAt(key, length - 32)) * multiplier;
  const h = (z + wordAt(key, length - 24)) * multiplier;
  return join(...ends(wordAt(key, 16) * multiplier, wordAt(key, 24), g, h, a), multiplier);
}

function weak(key: DataView, at: number, a: bigint, b: bigint): [bigint, bigint] {
  const [w, x, y, z] = [0, 8, 16, 24].map((offset) => wordAt(key, at + offset)) as [bigint, bigint, bigint, bigint];
  const first = a + w;
  return [wrap(first + x + y + z), wrap(right(b + first + z, 21n) + right(first + x + y, 44n) + first)];
}

function longer(key: DataView, length: number): bigint {
  let y = wrap(81n * K1 + 113n);
  let z = wrap(shiftMix(y * K2 + 113n) * K2);
  let x = wrap(81n * K2 + wordAt(key, 0));
  let [v, w] = [
    [0n, 0n],
    [0n, 0n],
  ] as [[bigint, bigint], [bigint, bigint]];
  const round = (at: number, multiplier: bigint, weight: bigint) => {
    const next = wrap(right(x + y + v[0] + wordAt(key, at + 8), 37n) * multiplier) ^ wrap(w[1] * weight);
    y = wrap(right(y + v[1] + wordAt(key, at + 48), 42n) * multiplier + v[0] * weight + wordAt(key, at + 40));
    const last = wrap(right(z + w[0], 33n) * multiplier);
    v = weak(key, at, v[1] * multiplier, next + w[0]);
    w = weak(key, at + 32, last + w[1], y + wordAt(key, at + 16));
    [z, x] = [next, last];
  };
  const blocks = (length - 1) >> 6;
  for (let block = 0; block < blocks; block++) round(64 * block, K1, 1n);
  const multiplier = K1 + ((z & 0xffn) << 1n);
  const rest = w[0] + BigInt((length - 1) & 63);
  v = [wrap(v[0] + rest), v[1]];
  w = [wrap(rest + v[0]), w[1]];
  // The last 64 bytes, which may overlap the block before.
  round(length - 64, multiplier, 9n);
  return join(join(v[0], w[0], multiplier) + shiftMix(y) * K0 + z, join(v[1], w[1], multiplier) + x, multiplier);
}

export function farm64(bytes: Uint8Array, seed: bigint): bigint {
  const { length } = bytes;
  const key = viewOf(bytes);
  const multiplier = K2 + 2n * BigInt(length);
  const hash =
    length <= 16
      ? upTo16(key, length, multiplier)
      : length <= 64
        ? upTo64(key, length, multiplier)
        : longer(key, length);
  return seed === 0n ? hash : join(hash - K2, seed, SEED_MULTIPLIER);
}
