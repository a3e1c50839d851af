// IPv4 addresses with the same first 16 bits have much in common: the blocks of up to 16 bits around them. These blocks
// are looked up once for each prefix of 16 bits, and a table keeps the answers.

import { countOwner } from "../records/keys";
import { bits, isV4, low, NOT_PLAIN, readNetwork, readPlainV4 } from "../records/networks";
import { lengthOf, loadSpan, startOf } from "../spans";
import { addAround, afterKeys, storeV4Key } from "./networks";

const PREFIX_BITS: u32 = 16;
const V4_BITS: u32 = 32;

// The entry of a prefix is 0 if nothing is known. While it waits for answers it is ASKED. Afterwards it has the longer
// lengths to look up (bit i is length i + 17), and, if all of its addresses are in a block, COVERED and its length.
const LONGER: u32 = 0xffff;
const LENGTH_AT: u32 = 16;
const COVERED: u32 = 1 << 29;
const ASKED: u32 = 1 << 30;
const ANSWERED: u32 = 1 << 31;

/** Bytes of the table. */
export function prefixTableBytes(): u32 {
  return 4 << PREFIX_BITS;
}

@inline
function entryAt(table: usize, prefix: u32): usize {
  return table + ((prefix as usize) << 2);
}

// What a key is, if it is not an IPv4 address: another address or a block, or no network at all.
const OTHER: u64 = 1 << 32;
const NONE: u64 = 1 << 33;

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
    let address = readPlainV4(start, end);
    if (address == NOT_PLAIN) {
      if (!readNetwork(start, end)) address = NONE;
      else address = isV4 && bits == V4_BITS ? low : OTHER;
    }
    store<u64>(read, address);
    if (address >= OTHER) continue;
    const prefix = (address as u32) >> PREFIX_BITS;
    const entry = entryAt(table, prefix);
    if (load<u32>(entry)) continue;
    store<u32>(entry, ASKED);
    store<u32>(prefixes + ((asked as usize) << 2), prefix);
    asked++;
  }
  return asked;
}

/** Writes the keys that are looked up for prefixes: the blocks around each. Returns their number. */
export function addPrefixKeys(prefixes: usize, count: u32, spans: usize, to: usize, v4: u32): u32 {
  let keys: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const address = load<u32>(prefixes + ((i as usize) << 2)) << (V4_BITS - PREFIX_BITS);
    for (let left = v4 & SHORT; left; left &= left - 1) {
      const length: u32 = ctz(left) + 1;
      if (length == 1) to = storeV4Key(spans, keys++, to, address, 0);
      to = storeV4Key(spans, keys++, to, address, length);
    }
  }
  return keys;
}

/** Enters the answers for the keys of `addPrefixKeys`, a byte each. */
export function enterPrefixes(prefixes: usize, count: u32, answers: usize, table: usize, v4: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    let entry = ANSWERED | (v4 >> PREFIX_BITS);
    for (let left = v4 & SHORT; left; left &= left - 1) {
      const length: u32 = ctz(left) + 1;
      if (length == 1 && load<u8>(answers++)) entry = ANSWERED | COVERED;
      if (load<u8>(answers++)) entry = ANSWERED | COVERED | (length << LENGTH_AT);
    }
    store<u32>(entryAt(table, load<u32>(prefixes + ((i as usize) << 2))), entry);
  }
}

/** The keys that `addKnownBlocks` did not write, because the table has their answers, and the records with a network. */
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
  const around = keysOf(v4);
  let to = first;
  let keys: u32 = 0;
  let all: u32 = 0;
  let keyed: u32 = 0;
  for (let i: u32 = 0; i < count; i++, read += 8) {
    const address = load<u64>(read);
    if (address == NONE) continue;
    const owner = load<u32>(owners + ((i as usize) << 2));
    keyed += countOwner(owner);
    if (address == OTHER) {
      const span = loadSpan(spans, i);
      const start = startOf(span);
      readNetwork(start, start + lengthOf(span));
      const before = keys;
      keys = addAround(intoSpans, intoOwners, keys, owner, first, v4, v6, v6Long);
      all += keys - before;
      to = afterKeys(intoSpans, keys, first);
      continue;
    }
    all += around;
    const entry = load<u32>(entryAt(table, (address as u32) >> PREFIX_BITS));
    if (entry & COVERED) {
      store<u32>(intoOwners + ((keys as usize) << 2), owner);
      to = storeV4Key(intoSpans, keys++, to, address as u32, (entry >> LENGTH_AT) & 31);
      continue;
    }
    for (let left = entry & LONGER; left; left &= left - 1) {
      store<u32>(intoOwners + ((keys as usize) << 2), owner);
      to = storeV4Key(intoSpans, keys++, to, address as u32, ctz(left) + PREFIX_BITS + 1);
    }
  }
  keysSaved = all - keys;
  recordsKeyed = keyed;
  return keys;
}
