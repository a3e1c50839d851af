// Networks as keys: the bytes of the first address of a block, highest first, and its length in bits.

import { bits, high, isV4, low, readNetwork } from "../records/networks";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

/** The first bits of a number of 64 bits. */
@inline
function firstBits(number: u64, count: u32): u64 {
  return count == 0 ? 0 : number & (u64.MAX_VALUE << ((64 - count) as u64));
}

/** Writes the block of a length around the address that was read. Returns the address after it. */
@inline
function storeBlock(to: usize, asV4: bool, length: u32): usize {
  if (asV4) {
    store<u32>(to, bswap((firstBits(low << 32, length) >> 32) as u32));
    store<u8>(to, length as u8, 4);
    return to + 5;
  }
  store<u64>(to, bswap(firstBits(high, min(length, 64 as u32))));
  store<u64>(to, bswap(length > 64 ? firstBits(low, length - 64) : 0), 8);
  store<u8>(to, length as u8, 16);
  return to + 17;
}

// The lengths of blocks, as a header records them: one bit per length from 1 to 32 of IPv4, one per length from 1 to 64
// of IPv6, and one per two lengths from 65 to 128. The bits of length 1 stand for length 0 too.

/** The lengths of all blocks since `clearLengths`. */
export let v4Lengths: u32 = 0;
export let v6Lengths: u64 = 0;
export let v6LongLengths: u32 = 0;

export function clearLengths(): void {
  v4Lengths = 0;
  v6Lengths = 0;
  v6LongLengths = 0;
}

@inline
export function noteLength(): void {
  const index = bits == 0 ? 0 : bits - 1;
  if (isV4) v4Lengths |= 1 << index;
  else if (index < 64) v6Lengths |= 1 << (index as u64);
  else v6LongLengths |= 1 << ((index - 64) >> 1);
}

/** Writes the bytes of blocks one after the other, and notes their lengths. Returns the number of texts without a block. */
export function encodeNetworks(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    if (!readNetwork(startOf(span), startOf(span) + lengthOf(span))) {
      storeNoKey(spans, i);
      without++;
      continue;
    }
    noteLength();
    const end = storeBlock(to, isV4, bits);
    storeSpan(spans, i, to, end);
    to = end;
  }
  return without;
}

/** Stores a key, its owner and its bytes. Returns the address after the bytes. */
@inline
export function pushBlock(spans: usize, owners: usize, key: u32, owner: u32, to: usize, asV4: bool, length: u32): usize {
  const end = storeBlock(to, asV4, length);
  storeSpan(spans, key, to, end);
  store<u32>(owners + ((key as usize) << 2), owner);
  return end;
}

/** The address after the last of some keys, which follow one another from `first` on. */
@inline
export function afterKeys(spans: usize, keys: u32, first: usize): usize {
  if (keys == 0) return first;
  const span = loadSpan(spans, keys - 1);
  return startOf(span) + lengthOf(span);
}

/**
 * Appends the blocks of some lengths around the address or block that was read. The bytes of the first key are at
 * `first`. Returns the new number of keys.
 */
export function addAround(
  spans: usize, owners: usize, keys: u32, owner: u32, first: usize, v4: u32, v6: u64, v6Long: u32,
): u32 {
  let to = afterKeys(spans, keys, first);
  const most = bits;
  if (isV4) {
    for (let left = v4; left; left &= left - 1) {
      const length: u32 = ctz(left) + 1;
      if (length == 1) to = pushBlock(spans, owners, keys++, owner, to, true, 0);
      if (length > most) break;
      to = pushBlock(spans, owners, keys++, owner, to, true, length);
    }
    return keys;
  }
  for (let left = v6; left; left &= left - 1) {
    const length: u32 = (ctz(left) as u32) + 1;
    if (length == 1) to = pushBlock(spans, owners, keys++, owner, to, false, 0);
    if (length > most) break;
    to = pushBlock(spans, owners, keys++, owner, to, false, length);
  }
  for (let left = v6Long; left; left &= left - 1) {
    const length: u32 = 65 + 2 * (ctz(left) as u32);
    if (length > most) break;
    to = pushBlock(spans, owners, keys++, owner, to, false, length);
    if (length < most) to = pushBlock(spans, owners, keys++, owner, to, false, length + 1);
  }
  return keys;
}

/**
 * Finds the blocks of some lengths around each address or block. They are written to `to`, and have the owner of the
 * key. Returns their number.
 */
export function addBlocks(
  spans: usize, owners: usize, count: u32, intoSpans: usize, intoOwners: usize, to: usize,
  v4: u32, v6: u64, v6Long: u32,
): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    if (!readNetwork(start, start + lengthOf(span))) continue;
    const owner = load<u32>(owners + ((i as usize) << 2));
    keys = addAround(intoSpans, intoOwners, keys, owner, to, v4, v6, v6Long);
  }
  return keys;
}

/** Stores an IPv4 block around an address, and returns the address after its bytes. */
@inline
export function storeV4Key(spans: usize, key: u32, to: usize, address: u32, length: u32): usize {
  const first = length == 0 ? 0 : address & (u32.MAX_VALUE << (32 - length));
  store<u32>(to, bswap(first));
  store<u8>(to, length as u8, 4);
  storeSpan(spans, key, to, to + 5);
  return to + 5;
}
