// Arithmetic of 64-bit words, as big integers.

export const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);

export const high = (value: bigint): bigint => value >> 32n;

/** Rotates to the left. */
export function rotate(value: bigint, by: bigint): bigint {
  return wrap(value << by) | (value >> (64n - by));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A little-endian word. */
export function wordAt(view: DataView, at: number): bigint {
  return view.getBigUint64(at, true);
}

/** A little-endian number of `count` bytes, at most 8. */
export function numberAt(view: DataView, at: number, count: number): bigint {
  let word = 0n;
  for (let i = count - 1; i >= 0; i--) word = (word << 8n) | BigInt(view.getUint8(at + i));
  return word;
}

/** The low half of a product of 128 bits, xor the high half. */
export function foldedProduct(a: bigint, b: bigint): bigint {
  const product = a * b;
  return wrap(product) ^ (product >> 64n);
}

/** The order of the bytes of a word of `count` bytes, reversed. */
export function reversed(value: bigint, count: number): bigint {
  let result = 0n;
  for (let i = 0; i < count; i++) result = (result << 8n) | ((value >> BigInt(8 * i)) & 0xffn);
  return result;
}

/** The finalizer of MurmurHash3, which mixes the keys of static filters too. */
export function mix(value: bigint): bigint {
  const first = wrap((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  const second = wrap((first ^ (first >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return second ^ (second >> 33n);
}
