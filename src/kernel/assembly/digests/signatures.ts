// The signatures of files in an index: the bits that the keys of one file set. src/formats/index-file/INDEX.md has the same rules.

/** The fractional part of the golden ratio, as SplitMix64 adds it (Steele et al. 2014, "Fast splittable pseudorandom number generators"). */
const STEP: u64 = 0x9e3779b97f4a7c15;

/** The output function of SplitMix64. */
@inline
function mix(state: u64): u64 {
  let z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** floor(z * rows / 2^64), for rows below 2^32. */
@inline
function rowOf(z: u64, rows: u64): u64 {
  return ((z >> 32) * rows + (((z & 0xffffffff) * rows) >> 32)) >> 32;
}

/** 0 marks an empty slot of a set, so the digest 0 counts as 1. */
@inline
function valueOf(digest: u64): u64 {
  return digest ? digest : 1;
}

/**
 * Adds `count` digests to a set, a hash table with linear probing. `slots` is a power of two, and larger than the number of digests that
 * the set then has. `held` is the number of digests before; returns the number afterwards. With `isTable`, a digest of 0 is an empty slot,
 * and is skipped. Moves the digests that are new to the first places at `digests`.
 */
export function addToSet(set: usize, slots: u32, held: u32, digests: usize, count: u32, isTable: bool): u32 {
  const mask = (slots - 1) as u64;
  const lastSlot = (mask as usize) << 3;
  let to = digests;
  for (let i: u32 = 0; i < count; i++) {
    const digest = load<u64>(digests + ((i as usize) << 3));
    if (isTable && digest == 0) continue;
    const value = valueOf(digest);
    let slot = set + (((value & mask) as usize) << 3);
    let found = load<u64>(slot);
    while (found != 0 && found != value) {
      slot = set + ((slot - set + 8) & lastSlot);
      found = load<u64>(slot);
    }
    if (found == 0) {
      store<u64>(slot, value);
      store<u64>(to, value);
      to += 8;
    }
  }
  return held + (((to - digests) >> 3) as u32);
}

/** Moves the digests of a set to its first slots, and returns their number. Afterwards it is no longer a set. */
export function listSet(set: usize, slots: u32): u32 {
  let to = set;
  for (let i: u32 = 0; i < slots; i++) {
    const digest = load<u64>(set + ((i as usize) << 3));
    store<u64>(to, digest);
    to += ((digest != 0) as usize) << 3;
  }
  return ((to - set) >> 3) as u32;
}

/** Sets the bits of digests in a signature of `rows` bits, `k` for each. */
export function sign(digests: usize, count: u32, rows: u32, k: u32, signature: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    let state = valueOf(load<u64>(digests + ((i as usize) << 3)));
    for (let probe: u32 = 0; probe < k; probe++) {
      state += STEP;
      const row = rowOf(mix(state), rows as u64);
      const at = signature + ((row >> 3) as usize);
      store<u8>(at, load<u8>(at) | ((1 as u8) << ((row as u8) & 7)));
    }
  }
}

/**
 * Marks the row of a state: the product of z and the rows, without its low 64 bits. The low half of z changes the row only if the product of
 * the high half is `near` the next row or nearer.
 */
@inline
function mark(state: u64, rows: u64, near: u32, marks: usize): void {
  const z = mix(state);
  let product = (z >> 32) * rows;
  if ((product as u32) >= near) product += ((z & 0xffffffff) * rows) >> 32;
  store<u8>(marks + ((product >> 32) as usize), 0xff);
}

/**
 * Makes the signature of digests that `addToSet` has moved. `marks` has a byte per row, and 15 more. They are 0 before and afterwards: a row
 * is marked faster in a byte than in a bit. Up to 15 rows are written past the last one, as zeros.
 */
export function signSmall(digests: usize, count: u32, rows: u32, k: u32, signature: usize, marks: usize): void {
  const near = (0 - rows) as u32;
  const end = digests + ((count as usize) << 3);
  const whole = digests + (((count & ~3) as usize) << 3);
  let step: u64 = 0;
  for (let probe: u32 = 0; probe < k; probe++) {
    step += STEP;
    let at = digests;
    for (; at < whole; at += 32) {
      mark(load<u64>(at) + step, rows as u64, near, marks);
      mark(load<u64>(at, 8) + step, rows as u64, near, marks);
      mark(load<u64>(at, 16) + step, rows as u64, near, marks);
      mark(load<u64>(at, 24) + step, rows as u64, near, marks);
    }
    for (; at < end; at += 8) mark(load<u64>(at) + step, rows as u64, near, marks);
  }
  for (let row: u32 = 0; row < rows; row += 16) {
    const at = marks + (row as usize);
    store<u16>(signature + ((row >> 3) as usize), i8x16.bitmask(v128.load(at)) as u16);
    v128.store(at, i8x16.splat(0));
  }
}

/** Writes the `k` rows of each digest, as u32. */
export function signatureRows(digests: usize, count: u32, rows: u32, k: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    let state = valueOf(load<u64>(digests + ((i as usize) << 3)));
    for (let probe: u32 = 0; probe < k; probe++) {
      state += STEP;
      store<u32>(out, rowOf(mix(state), rows as u64) as u32);
      out += 4;
    }
  }
}

/** Transposes 8 x 8 bits: bit i of byte j becomes bit j of byte i (Warren 2012, "Hacker's Delight", 7-3). */
@inline
function transposed(bits: u64): u64 {
  let x = bits;
  let t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aa;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000cccc0000cccc;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0;
  return x ^ t ^ (t << 28);
}

/**
 * Writes rows `from` to `to` of `columns` signatures: for each row its bit of each signature, one row after the other without a gap. The
 * signatures are `stride` bytes apart. `from` is a multiple of 8. `out` is zeroed, and has one byte more than the rows.
 */
export function layRows(signatures: usize, stride: u32, columns: u32, from: u32, to: u32, out: usize): void {
  for (let row = from; row < to; row += 8) {
    const rows = min(8, to - row);
    for (let column: u32 = 0; column < columns; column += 8) {
      const there = min(8, columns - column);
      let at = signatures + (column as usize) * (stride as usize) + ((row >> 3) as usize);
      let bits: u64 = 0;
      for (let i: u32 = 0; i < there; i++, at += stride as usize) bits |= (load<u8>(at) as u64) << (i << 3);
      if (bits == 0) continue;
      bits = transposed(bits);
      let place = ((row - from) as u64) * (columns as u64) + (column as u64);
      for (let i: u32 = 0; i < rows; i++, bits >>= 8, place += columns as u64) {
        const to = out + ((place >> 3) as usize);
        store<u16>(to, load<u16>(to) | (((bits & 0xff) as u16) << ((place & 7) as u16)));
      }
    }
  }
}

/**
 * The inverse of `layRows`: writes to each of `columns` signatures its bits of rows `from` to `to`, a multiple of 8 each, or the last row.
 * `laid` has the rows, and one byte after them can be read.
 */
export function liftRows(laid: usize, columns: u32, from: u32, to: u32, signatures: usize, stride: u32): void {
  for (let row = from; row < to; row += 8) {
    const rows = min(8, to - row);
    for (let column: u32 = 0; column < columns; column += 8) {
      const there = min(8, columns - column);
      let place = ((row - from) as u64) * (columns as u64) + (column as u64);
      let bits: u64 = 0;
      for (let i: u32 = 0; i < rows; i++, place += columns as u64) {
        const some = (load<u16>(laid + ((place >> 3) as usize)) >> ((place & 7) as u16)) as u64;
        bits |= (some & 0xff) << (i << 3);
      }
      bits = transposed(bits);
      let at = signatures + (column as usize) * (stride as usize) + ((row >> 3) as usize);
      for (let i: u32 = 0; i < there; i++, at += stride as usize, bits >>= 8) store<u8>(at, bits as u8);
    }
  }
}
