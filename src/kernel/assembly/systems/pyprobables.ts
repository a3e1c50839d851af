// Digests of pyprobables, after its hashes.py. They are the positions. Each is 64-bit FNV-1a mod m. Of a text, the
// characters are hashed instead of the UTF-8 bytes, and a character above 255 changes more than the lowest byte. Bytes
// that are not UTF-8 become the characters of Python's bytes.decode('utf-8', 'replace').
//
// From version 0.5 on, hash number i begins with the offset of FNV-1a plus 31 i. In earlier versions each hash was the
// hash of the hash before, in hexadecimal without leading zeros, with another offset.

import { reciprocal, remainder } from "./remainder";
import { lengthOf, spanAt, startOf } from "../spans";
import { characterEnd, readCharacter } from "../utf8";

const PRIME: u64 = 0x100000001b3;
const OFFSET: u64 = 14695981039346656037;
const OLD_OFFSET: u64 = 14695981039346656073;
const STEP: u64 = 31;

@inline
function mixed(hash: u64, value: u64): u64 {
  return (hash ^ value) * PRIME;
}

function hashOf(start: usize, end: usize, offset: u64, isText: bool): u64 {
  let hash = offset;
  for (let at = start; at < end; ) {
    const byte = load<u8>(at) as u32;
    if (isText && byte > 0x7f) {
      hash = mixed(hash, readCharacter(at, end, false) as u64);
      at = characterEnd();
    } else {
      hash = mixed(hash, byte as u64);
      at++;
    }
  }
  return hash;
}

/** The hash of a number in hexadecimal. */
function hashOfDigits(value: u64): u64 {
  let hash = OLD_OFFSET;
  const first = 63 - (clz(value | 1) as i32);
  for (let shift = first & ~3; shift >= 0; shift -= 4) {
    const digit = (value >> (shift as u64)) & 15;
    hash = mixed(hash, digit < 10 ? digit + 0x30 : digit + 0x57);
  }
  return hash;
}

/** Writes the positions of keys. The parameters are an unused seed, k, m, and whether hashes are chained. */
@inline
function writePositions(spans: usize, count: u32, digests: usize, params: usize, isText: bool): void {
  const k = load<u64>(params, 8);
  const m = load<u64>(params, 16);
  const isChained = load<u64>(params, 24) != 0;
  const inverse = reciprocal(m);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const start = startOf(span);
    const keyEnd = start + lengthOf(span);
    let hash: u64 = 0;
    for (let i: u64 = 0; i < k; i++) {
      if (!isChained) hash = hashOf(start, keyEnd, OFFSET + STEP * i, isText);
      else hash = i ? hashOfDigits(hash) : hashOf(start, keyEnd, OLD_OFFSET, isText);
      store<u64>(digests, remainder(hash, m, inverse));
      digests += 8;
    }
  }
}

/** Writes the positions of keys that are text. */
export function pyprobablesTextHash(spans: usize, count: u32, digests: usize, params: usize): void {
  writePositions(spans, count, digests, params, true);
}

/** Writes the positions of keys that are bytes. */
export function pyprobablesBytesHash(spans: usize, count: u32, digests: usize, params: usize): void {
  writePositions(spans, count, digests, params, false);
}
