// Answers: from one byte per key to one byte per record, and from the answers of several filters to one answer.

/** The values of a record's match byte, besides 0 for absent. */
export const PRESENT: u32 = 1;
export const UNANSWERED: u32 = 2;

@inline
function matchOf(owners: usize, key: usize, matches: usize): usize {
  return matches + (load<u32>(owners + (key << 2)) as usize);
}

@inline
function collectHit(hits: usize, owners: usize, key: usize, matches: usize): void {
  const match = matchOf(owners, key, matches);
  store<u8>(match, load<u8>(match) | load<u8>(hits + key));
}

/** If at most this many of eight keys hit, the hits are handled one by one. Most keys are usually absent. */
const FEW_HITS: u64 = 2;

/** ORs the hit of each key into the byte of the key's record. */
export function collectHits(hits: usize, owners: usize, count: u32, matches: usize): void {
  const end = count as usize;
  let i: usize = 0;
  for (; i + 8 <= end; i += 8) {
    let found = load<u64>(hits + i);
    if (!found) continue;
    if (popcnt(found) > FEW_HITS) {
      for (let key = i; key < i + 8; key++) collectHit(hits, owners, key, matches);
      continue;
    }
    do {
      store<u8>(matchOf(owners, i + ((ctz(found) >> 3) as usize), matches), 1);
      found &= found - 1;
    } while (found);
  }
  for (; i < end; i++) collectHit(hits, owners, i, matches);
}

/** Sets the match of a record to 2 if it is 0 and the record's byte at `elsewhere` is 1. */
export function leaveUnanswered(matches: usize, elsewhere: usize, count: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    if (load<u8>(elsewhere + i) && !load<u8>(matches + i)) store<u8>(matches + i, UNANSWERED);
  }
}

/** Notes in the byte of each key's record whether a key has no hit, and that the record has a key. */
export function collectMissing(hits: usize, owners: usize, count: u32, missing: usize, keyed: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const record = load<u32>(owners + (i << 2)) as usize;
    store<u8>(missing + record, load<u8>(missing + record) | (load<u8>(hits + i) ^ 1));
    store<u8>(keyed + record, 1);
  }
}

/**
 * Turns bytes that say whether a record misses a key, or lacks an answer, into matches. A record matches if it has
 * keys, misses none and is complete.
 */
export function withoutMissing(missing: usize, keyed: usize, lacking: usize, count: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const known = load<u8>(missing + i) as u32;
    const isWhole = (load<u8>(lacking + i) as u32) ^ 1;
    store<u8>(missing + i, known == UNANSWERED ? UNANSWERED * isWhole : (load<u8>(keyed + i) as u32) & isWhole & (known ^ 1));
  }
}

/** ORs 1 into the byte of each key's record if the key's hit is 0. */
export function collectMisses(hits: usize, owners: usize, count: u32, matches: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const match = matches + (load<u32>(owners + (i << 2)) as usize);
    store<u8>(match, load<u8>(match) | (load<u8>(hits + i) ^ 1));
  }
}

/**
 * Copies those of `count` digests that have a hit, with their owners, and returns their number. If `owners` is 0, the
 * owners are `firstOwner` and the following numbers.
 */
export function keepHits(
  digests: usize, owners: usize, firstOwner: u32, count: u32, hits: usize, digestsTo: usize, ownersTo: usize,
): u32 {
  let kept: usize = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u64>(digestsTo + (kept << 3), load<u64>(digests + (i << 3)));
    store<u32>(ownersTo + (kept << 2), owners ? load<u32>(owners + (i << 2)) : firstOwner + (i as u32));
    kept += load<u8>(hits + i) as usize;
  }
  return kept as u32;
}

const EACH_BYTE: u64 = 0x0101010101010101;

/** The number of bytes that are `answer` (1 or 2), among `count` bytes that are 0, 1 or 2. */
@inline
function countOf(answer: u32, matches: usize, count: u32): u32 {
  let sum: u32 = 0;
  let i: usize = 0;
  const end = count as usize;
  for (; i + 8 <= end; i += 8) sum += popcnt(load<u64>(matches + i) & (EACH_BYTE * (answer as u64))) as u32;
  for (; i < end; i++) sum += (load<u8>(matches + i) == answer) as u32;
  return sum;
}

/** The number of matching records among `count`. */
export function countMatches(matches: usize, count: u32): u32 {
  return countOf(PRESENT, matches, count);
}

/** The number of records without an answer. */
export function countUnanswered(matches: usize, count: u32): u32 {
  return countOf(UNANSWERED, matches, count);
}

// The matches of several filters are rows of bytes, one row per filter, `stride` bytes apart. They are read 16 records
// at a time. So each row has space up to a multiple of 16.

/** Combines the matches of each record into one match at `into`: 1 if any is 1, else 2 if any is 2. */
export function combineAny(rows: usize, stride: usize, rowCount: u32, count: u32, into: usize): void {
  for (let i: usize = 0; i < (count as usize); i += 16) {
    let seen = i8x16.splat(0);
    let row = rows + i;
    for (let r: u32 = 0; r < rowCount; r++, row += stride) seen = v128.or(seen, v128.load(row));
    const one = i8x16.splat(PRESENT as i8);
    v128.store(into + i, v128.bitselect(one, seen, i8x16.eq(v128.and(seen, one), one)));
  }
}

/** Combines the matches of each record into one match at `into`: 0 if any is 0, else 2 if any is 2. */
export function combineAll(rows: usize, stride: usize, rowCount: u32, count: u32, into: usize): void {
  const zero = i8x16.splat(0);
  for (let i: usize = 0; i < (count as usize); i += 16) {
    let seen = zero;
    let isAbsent = zero;
    let row = rows + i;
    for (let r: u32 = 0; r < rowCount; r++, row += stride) {
      const match = v128.load(row);
      seen = v128.or(seen, match);
      isAbsent = v128.or(isAbsent, i8x16.eq(match, zero));
    }
    v128.store(into + i, v128.andnot(i8x16.min_u(seen, i8x16.splat(UNANSWERED as i8)), isAbsent));
  }
}

/** Keeps only the first match that is 1 of each record. */
export function keepFirst(rows: usize, stride: usize, rowCount: u32, count: u32): void {
  const one = i8x16.splat(PRESENT as i8);
  for (let i: usize = 0; i < (count as usize); i += 16) {
    let isFound = i8x16.splat(0);
    let row = rows + i;
    for (let r: u32 = 0; r < rowCount; r++, row += stride) {
      const match = v128.load(row);
      v128.store(row, v128.andnot(match, isFound));
      isFound = v128.or(isFound, i8x16.eq(match, one));
    }
  }
}
