// XXH64. It follows the specification ("xxHash fast digest algorithm", version 0.1.1, section XXH64) step by step. It uses
// big integers, so that it repeats no trick of the kernel.

const PRIME1 = 0x9e3779b185ebca87n;
const PRIME2 = 0xc2b2ae3d27d4eb4fn;
const PRIME3 = 0x165667b19e3779f9n;
const PRIME4 = 0x85ebca77c2b2ae63n;
const PRIME5 = 0x27d4eb2f165667c5n;

const STRIPE = 32;

/** The low 64 bits, as unsigned arithmetic that wraps leaves them. */
export function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotate(value: bigint, by: bigint): bigint {
  return wrap(value << by) | (value >> (64n - by));
}

function round(accumulator: bigint, lane: bigint): bigint {
  return wrap(rotate(wrap(accumulator + lane * PRIME2), 31n) * PRIME1);
}

function mergeAccumulator(hash: bigint, accumulator: bigint): bigint {
  return wrap((hash ^ round(0n, accumulator)) * PRIME1 + PRIME4);
}

/** Steps 1 to 3: four accumulators consume whole stripes. Returns the number of consumed bytes and the converged hash. */
function consumeStripes(view: DataView, seed: bigint): { at: number; hash: bigint } {
  if (view.byteLength < STRIPE) return { at: 0, hash: wrap(seed + PRIME5) };
  let a = wrap(seed + PRIME1 + PRIME2);
  let b = wrap(seed + PRIME2);
  let c = seed;
  let d = wrap(seed - PRIME1);
  let at = 0;
  for (; at + STRIPE <= view.byteLength; at += STRIPE) {
    a = round(a, view.getBigUint64(at, true));
    b = round(b, view.getBigUint64(at + 8, true));
    c = round(c, view.getBigUint64(at + 16, true));
    d = round(d, view.getBigUint64(at + 24, true));
  }
  const converged = wrap(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
  return { at, hash: [a, b, c, d].reduce(mergeAccumulator, converged) };
}

export function xxh64(bytes: Uint8Array, seed: bigint): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { at, hash } = consumeStripes(view, seed);
  hash = wrap(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME1 + PRIME4);
  }
  if (at + 4 <= bytes.length) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * PRIME1), 23n) * PRIME2 + PRIME3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint8(at)) * PRIME5), 11n) * PRIME1);
  }
  hash = wrap((hash ^ (hash >> 33n)) * PRIME2);
  hash = wrap((hash ^ (hash >> 29n)) * PRIME3);
  return hash ^ (hash >> 32n);
}
