// IPv4 addresses with the same first 16 bits have much in common: the blocks of up to 16 bits around them, and the
// lengths of the longer blocks that begin with these bits. A set may have markers for such lengths. All of this is
// looked up once for each prefix of 16 bits, and a table keeps the answers.

import { countOwner } from "../records/keys";
import { bits, FORMS_BYTES, isV4, low, NOT_PLAIN, readNetwork, readPlainV4, writeForms } from "../records/networks";
import { lengthOf, loadSpan, startOf, storeSpan } from "../spans";
import { addAround, afterKeys, noteLength, pushBlock, storeV4Key } from "./networks";

const PREFIX_BITS: u32 = 16;
const V4_BITS: u32 = 32;

// The entry of a prefix is 0 if nothing is known. While it waits for answers it is ASKED. Afterwards it has the longer
// lengths to look up (bit i is length i + 17), and, if all of its addresses are in a block, COVERED and its length.
const LENGTH_AT: u32 = 16;
const LENGTHS: u32 = 31;
const COVERED: u32 = 1 << 29;
const ASKED: u32 = 1 << 30;
const ANSWERED: u32 = 1 << 31;

/** The entries are followed by the table of forms. */
const ENTRIES_BYTES: u32 = 4 << PREFIX_BITS;

/** Bytes of the table. */
export function prefixTableBytes(): u32 {
  return ENTRIES_BYTES + FORMS_BYTES;
}

/** Makes the table, in which nothing is known. */
export function beginPrefixes(table: usize): void {
  memory.fill(table, 0, ENTRIES_BYTES as usize);
  writeForms(table + (ENTRIES_BYTES as usize));
}

@inline
function entryAt(table: usize, prefix: u32): usize {
  return table + ((prefix as usize) << 2);
}

// What a key is: an IPv4 address or block with a prefix, as its length above the 32 bits of its address; another
// address or block; or no network at all.
const LENGTH_OF_KEY: u64 = 32;
const OTHER: u64 = 1 << 40;
const NONE: u64 = 1 << 41;

/** The lengths up to that of a prefix. */
const SHORT: u32 = 0xffff;

/** The number of keys of some lengths: the bit of length 1 stands for length 0 too. */
@inline
function keysOf(lengths: u32): u32 {
  return popcnt(lengths) + (lengths & 1);
}

/**
 * Reads keys, and writes each as a u64 to `read`. Writes the prefixes without an entry to `prefixes`, a u32 each, and
 * returns their number.
 */
export function readAddresses(spans: usize, count: u32, read: usize, table: usize, prefixes: usize): u32 {
  let asked: u32 = 0;
  for (let i: u32 = 0; i < count; i++, read += 8) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    const end = start + lengthOf(span);
    let key = readPlainV4(start, end, table + (ENTRIES_BYTES as usize)) | ((V4_BITS as u64) << LENGTH_OF_KEY);
    if (key == NOT_PLAIN) {
      if (!readNetwork(start, end)) key = NONE;
      else key = isV4 && bits >= PREFIX_BITS ? low | ((bits as u64) << LENGTH_OF_KEY) : OTHER;
    }
    store<u64>(read, key);
    if (key >= OTHER) continue;
    const prefix = (key as u32) >> PREFIX_BITS;
    const entry = entryAt(table, prefix);
    if (load<u32>(entry)) continue;
    store<u32>(entry, ASKED);
    store<u32>(prefixes + ((asked as usize) << 2), prefix);
    asked++;
  }
  return asked;
}

// The key of a marker is the prefix, two zeros, and the length plus this. No block has such a length.
const MARKER: u32 = 128;

@inline
function storeMarker(spans: usize, key: u32, to: usize, address: u32, length: u32): usize {
  store<u32>(to, bswap(address >> PREFIX_BITS << PREFIX_BITS));
  store<u8>(to, (MARKER + length) as u8, 4);
  storeSpan(spans, key, to, to + 5);
  return to + 5;
}

/**
 * Writes the blocks that are read from keys, each with its marker if its length is among `marked`. Bit i of `marked` is
 * the length i + 17. Notes the lengths, and returns the number of blocks and markers.
 */
export function addMarked(
  spans: usize, owners: usize, count: u32, intoSpans: usize, intoOwners: usize, to: usize, marked: u32,
): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    if (!readNetwork(start, start + lengthOf(span))) continue;
    noteLength();
    const owner = load<u32>(owners + ((i as usize) << 2));
    to = pushBlock(intoSpans, intoOwners, keys++, owner, to, isV4, bits);
    if (!isV4 || bits <= PREFIX_BITS || !((marked >> (bits - PREFIX_BITS - 1)) & 1)) continue;
    store<u32>(intoOwners + ((keys as usize) << 2), owner);
    to = storeMarker(intoSpans, keys++, to, low as u32, bits);
  }
  return keys;
}

/**
 * Writes the keys that are looked up for prefixes: the blocks around each, and the markers of longer ones. Returns their
 * number.
 */
export function addPrefixKeys(prefixes: usize, count: u32, spans: usize, to: usize, v4: u32, marked: u32): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const address = load<u32>(prefixes + ((i as usize) << 2)) << (V4_BITS - PREFIX_BITS);
    for (let left = v4 & SHORT; left; left &= left - 1) {
      const length: u32 = ctz(left) + 1;
      if (length == 1) to = storeV4Key(spans, keys++, to, address, 0);
      to = storeV4Key(spans, keys++, to, address, length);
    }
    for (let left = (v4 >> PREFIX_BITS) & marked; left; left &= left - 1)
      to = storeMarker(spans, keys++, to, address, ctz(left) + PREFIX_BITS + 1);
  }
  return keys;
}

/** Enters the answers for the keys of `addPrefixKeys`, a byte each. */
export function enterPrefixes(prefixes: usize, count: u32, answers: usize, table: usize, v4: u32, marked: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    let entry = ANSWERED | ((v4 >> PREFIX_BITS) & ~marked);
    for (let left = v4 & SHORT; left; left &= left - 1) {
      const length: u32 = ctz(left) + 1;
      // The length is that of the last block around the prefix.
      if (length == 1 && load<u8>(answers++)) entry |= COVERED;
      if (load<u8>(answers++)) entry = (entry & ~(LENGTHS << LENGTH_AT)) | COVERED | (length << LENGTH_AT);
    }
    for (let left = (v4 >> PREFIX_BITS) & marked; left; left &= left - 1)
      if (load<u8>(answers++)) entry |= left & -left;
    store<u32>(entryAt(table, load<u32>(prefixes + ((i as usize) << 2))), entry);
  }
}

/** The blocks that `addKnownBlocks` did not write, because the table has their answers, and the records with a network. */
export let keysSaved: u32 = 0;
export let recordsKeyed: u32 = 0;

/**
 * Like `addBlocks`, for keys of which `read` has what `readAddresses` found. The blocks around the prefix of an address
 * are written only if they may be in the set, and then one of them is enough.
 */
export function addKnownBlocks(
  spans: usize, owners: usize, count: u32, read: usize, table: usize, intoSpans: usize, intoOwners: usize, first: usize,
  v4: u32, v6: u64, v6Long: u32,
): u32 {
  const around = keysOf(v4 & SHORT);
  let to = first;
  let keys: u32 = 0;
  let all: u32 = 0;
  let keyed: u32 = 0;
  for (let i: u32 = 0; i < count; i++, read += 8) {
    const known = load<u64>(read);
    if (known == NONE) continue;
    const owner = load<u32>(owners + ((i as usize) << 2));
    keyed += countOwner(owner);
    if (known == OTHER) {
      const span = loadSpan(spans, i);
      const start = startOf(span);
      readNetwork(start, start + lengthOf(span));
      const before = keys;
      keys = addAround(intoSpans, intoOwners, keys, owner, first, v4, v6, v6Long);
      all += keys - before;
      to = afterKeys(intoSpans, keys, first);
      continue;
    }
    const address = known as u32;
    const entry = load<u32>(entryAt(table, address >> PREFIX_BITS));
    const longer = entry & ((1 << (((known >> LENGTH_OF_KEY) as u32) - PREFIX_BITS)) - 1);
    all += around + popcnt(longer);
    if (entry & COVERED) {
      store<u32>(intoOwners + ((keys as usize) << 2), owner);
      to = storeV4Key(intoSpans, keys++, to, address, (entry >> LENGTH_AT) & LENGTHS);
      continue;
    }
    for (let left = longer; left; left &= left - 1) {
      store<u32>(intoOwners + ((keys as usize) << 2), owner);
      to = storeV4Key(intoSpans, keys++, to, address, ctz(left) + PREFIX_BITS + 1);
    }
  }
  keysSaved = all - keys;
  recordsKeyed = keyed;
  return keys;
}
