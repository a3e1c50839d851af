// The keys that the scanner finds, until the binding handles their batch: the position and the owner of each.

import { lengthOf, loadSpan, NO_KEY, spanAt, storeSpan } from "../spans";

/** The address of the u64 spans of keys. */
export let spans: usize = 0;
/** The address of the u32 owners of keys. The owner of a key is its record. */
export let owners: usize = 0;
export let keyLimit: u32 = 0;

/** The number of keys of the batch. The binding resets it after the batch. */
export let keyCount: u32 = 0;

export function configureKeys(spansAt: usize, ownersAt: usize, limit: u32): void {
  spans = spansAt;
  owners = ownersAt;
  keyLimit = limit;
}

/** Stores a key at [start, end), and its owner. */
@inline
export function storeKey(key: u32, start: usize, end: usize, record: u32): void {
  storeSpan(spans, key, start, end);
  store<u32>(owners + ((key as usize) << 2), record);
}

/**
 * The address of one byte per record of the batch, which becomes 1 if a key of the record is skipped; 0 if not needed.
 */
let lacking: usize = 0;

/** Sets the address of these bytes. */
export function configureLacking(at: usize): void {
  lacking = at;
}

/** Discards the keys whose span is NO_KEY, and their owners. Returns the number of remaining keys. */
export function dropKeys(spansAt: usize, ownersAt: usize, count: u32): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spansAt, i);
    if (span == NO_KEY) {
      if (lacking) store<u8>(lacking + (load<u32>(ownersAt + ((i as usize) << 2)) as usize), 1);
      continue;
    }
    store<u64>(spanAt(spansAt, kept), span);
    store<u32>(ownersAt + ((kept as usize) << 2), load<u32>(ownersAt + ((i as usize) << 2)));
    kept++;
  }
  return kept;
}

/** The number of empty keys. */
export function countEmpty(spansAt: usize, count: u32): u32 {
  let empty: u32 = 0;
  for (let i: u32 = 0; i < count; i++) empty += (lengthOf(loadSpan(spansAt, i)) == 0) as u32;
  return empty;
}

/** An owner that no record has. */
const NO_OWNER: u32 = u32.MAX_VALUE;

let lastOwner: u32 = NO_OWNER;

/**
 * The number of records that own these keys, which come in the order of the records. A record whose earlier keys were
 * counted in the same batch is not counted again.
 */
export function countOwners(ownersAt: usize, count: u32): u32 {
  const end = ownersAt + ((count as usize) << 2);
  let counted: u32 = 0;
  let last = lastOwner;
  for (let at = ownersAt; at < end; at += 4) {
    const owner = load<u32>(at);
    counted += (owner != last) as u32;
    last = owner;
  }
  lastOwner = last;
  return counted;
}

let lastSeen: u32 = NO_OWNER;

/** Counts records like `countOwners`, and apart from it, one key at a time: 1 if the record was not counted yet, or 0. */
@inline
export function countOwner(owner: u32): u32 {
  const isNew = (owner != lastSeen) as u32;
  lastSeen = owner;
  return isNew;
}

/** Starts `countOwners` and `countOwner` anew for another batch. */
export function clearOwners(): void {
  lastOwner = NO_OWNER;
  lastSeen = NO_OWNER;
}

/** Sets the number of keys. */
export function keepKeys(count: u32): void {
  keyCount = count;
}
