// The keys that the scanner finds, until the binding takes their batch: where each lies, and whose it is.

import { lengthOf, loadSpan, NO_KEY, spanAt, storeSpan } from "../spans";

/** Address of the u64 spans of keys. */
export let spans: usize = 0;
/** Address of the u32 owners of keys, the records that they are of. */
export let owners: usize = 0;
export let keyLimit: u32 = 0;

/** Keys of the batch; the binding resets them once it has applied them. */
export let keyCount: u32 = 0;

export function configureKeys(spansAt: usize, ownersAt: usize, limit: u32): void {
  spans = spansAt;
  owners = ownersAt;
  keyLimit = limit;
}

/** Stores a key that lies at [start, end), and its owner. */
@inline
export function storeKey(key: u32, start: usize, end: usize, record: u32): void {
  storeSpan(spans, key, start, end);
  store<u32>(owners + ((key as usize) << 2), record);
}

/** Address of a byte for each record of the batch, which becomes 1 where a key is left out; 0: not wanted. */
let lacking: usize = 0;

/** Sets where it is noted which records lack a key. */
export function configureLacking(at: usize): void {
  lacking = at;
}

/** Leaves out those of some keys whose span says so, and their owners; returns how many are left. */
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

/** Counts the keys without any byte. */
export function countEmpty(spansAt: usize, count: u32): u32 {
  let empty: u32 = 0;
  for (let i: u32 = 0; i < count; i++) empty += (lengthOf(loadSpan(spansAt, i)) == 0) as u32;
  return empty;
}

/** No record has this number. */
const NOBODY: u32 = u32.MAX_VALUE;

let lastOwner: u32 = NOBODY;

/** Counts the records whose keys these are, which have come in their order; of the batch, without one whose keys have come before. */
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

/** Lets `countOwners` begin with the keys of another batch. */
export function clearOwners(): void {
  lastOwner = NOBODY;
}

/** Sets how many keys there are. */
export function keepKeys(count: u32): void {
  keyCount = count;
}
