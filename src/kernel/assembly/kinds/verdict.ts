// The last column of a filter with protected keys. It is a ribbon of one column with two kinds of equations: a member
// selects an even number of ones, and a protected key that the screen accepts selects an odd number. The screen is the
// segment of a static kind, with the other bits per key; it precedes the verdict.
//
// A draft has two lists (see drafts.ts): the members, and the protected keys that the screen accepts.
//
// The windows of a verdict must differ from those of its screen: the screen accepts every key whose equation follows
// from those of the members. So keys are mixed once more often than the trials of both sections together.

import { append, countOf, fraction, LIST, numberAt, setCount } from "./drafts";
import { Parameters } from "../parameters";
import { highOf, lowOf, startOf } from "./ribbon";
import { HEAD, headOf, mix, mixAll, mixed, TRIALS, tidy, trialsOf, writeHead } from "./static";

/** The bytes of a number in both lists. Members and protected keys differ only in whole digests. */
const WIDTH: usize = 8;

/** The lists that a key in both lists leaves. */
const DROP_PROTECTED: u32 = 1;
const DROP_MEMBER: u32 = 2;

/** Appends the digests whose byte at `hits` is 1 to the protected keys. Returns the number that did not fit. */
export function verdictProtect(list: usize, digests: usize, count: u32, hits: usize, parameters: Parameters): u32 {
  const segments = parameters.segments;
  const capacity = parameters.capacity as u32;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(hits + i) == 0) continue;
    if (countOf(list) == capacity && tidy(list, parameters) == capacity) return count - i;
    append(list, fraction(load<u64>(digests + ((i as usize) << 3)), segments), WIDTH);
  }
  return 0;
}

/**
 * Mixes both lists once per new trial of the screen. `membersMixed` of these mixes were already applied to the members. Discards copies, and
 * the keys in both lists that `drops` names. Returns the number of keys that were in both.
 */
export function verdictClashes(
  members: usize, others: usize, screen: usize, membersMixed: u32, drops: u32, parameters: Parameters,
): u32 {
  tidy(members, parameters);
  tidy(others, parameters);
  const trials = trialsOf(headOf(screen));
  for (let i = membersMixed; i < trials; i++) mixAll(members, parameters);
  for (let i: u32 = 0; i < trials; i++) mixAll(others, parameters);
  const membersEnd = endOf(members);
  const othersEnd = endOf(others);
  let clashes: u32 = 0;
  let member = members + LIST;
  let other = others + LIST;
  let memberPlace = member;
  let otherPlace = other;
  while (member < membersEnd || other < othersEnd) {
    const order = compare(member, membersEnd, other, othersEnd);
    if (order == 0) clashes++;
    if (order <= 0) {
      if (order < 0 || drops != DROP_MEMBER) {
        store<u64>(memberPlace, load<u64>(member));
        memberPlace += WIDTH;
      }
      member += WIDTH;
    }
    if (order >= 0) {
      if (order > 0 || drops != DROP_PROTECTED) {
        store<u64>(otherPlace, load<u64>(other));
        otherPlace += WIDTH;
      }
      other += WIDTH;
    }
  }
  setCount(members, ((memberPlace - members - LIST) / WIDTH) as u32);
  setCount(others, ((otherPlace - others - LIST) / WIDTH) as u32);
  store<u32>(screen, countOf(members));
  return clashes;
}

/** -1 if the next number is one of the members, 1 if it is one of the others, 0 if it is in both lists. */
@inline
function compare(member: usize, membersEnd: usize, other: usize, othersEnd: usize): i32 {
  if (other == othersEnd) return -1;
  if (member == membersEnd) return 1;
  const a = load<u64>(member);
  const b = load<u64>(other);
  return a < b ? -1 : ((a > b) as i32);
}

@inline
function endOf(list: usize): usize {
  return list + LIST + (countOf(list) as usize) * WIDTH;
}

/** Finds digests in the list of members. Writes a byte each at `hits`, 1 or 0, and returns the number of ones. */
export function verdictMembers(
  members: usize, screen: usize, digests: usize, count: u32, hits: usize, parameters: Parameters,
): u32 {
  const trials = trialsOf(headOf(screen));
  const segments = parameters.segments;
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = mixed(fraction(load<u64>(digests + ((i as usize) << 3)), segments), 0, trials);
    let from: u32 = 0;
    let to = countOf(members);
    while (from < to) {
      const middle = (from + to) >> 1;
      if (numberAt(members + LIST + (middle as usize) * WIDTH, WIDTH) < value) from = middle + 1;
      else to = middle;
    }
    const hit = (from < countOf(members) && numberAt(members + LIST + (from as usize) * WIDTH, WIDTH) == value) as u32;
    store<u8>(hits + i, hit as u8);
    found += hit;
  }
  return found;
}

/** Makes the verdict of two lists without common keys. Returns the number of keys above the limit. */
export function verdictSeal(members: usize, others: usize, segment: usize, parameters: Parameters): u32 {
  const limit = parameters.limit as u32;
  const blocks = parameters.units as u32;
  const protecteds = countOf(others);
  const count = countOf(members) + protecteds;
  if (count > limit) return count - limit;
  const rows = parameters.scratch as usize;
  const odds = rows + ((blocks as usize) << 10);
  let trials: u32 = 0;
  for (;;) {
    mixAll(members, parameters);
    mixAll(others, parameters);
    memory.fill(rows, 0, odds - rows + ((blocks as usize) << 6));
    if (reduceAll(members, 0, blocks, rows, odds) && reduceAll(others, 1, blocks, rows, odds)) break;
    if (trials++ == TRIALS) return 1;
  }
  memory.fill(segment, 0, parameters.bytes as usize);
  writeHead(segment, protecteds, trials, WIDTH);
  solve(segment + HEAD, blocks, rows, odds);
  return 0;
}

/** Brings the equations of a list into echelon form. Returns false if one of them contradicts others. */
function reduceAll(list: usize, odd: u32, blocks: u32, rows: usize, odds: usize): bool {
  const end = endOf(list);
  for (let at = list + LIST; at < end; at += WIDTH) {
    const place = load<u64>(at);
    if (!reduce(startOf(place, blocks), lowOf(place), highOf(place), odd, rows, odds)) return false;
  }
  return true;
}

/** Reduces an equation by those that begin where it does. An equation that follows from others must agree with them. */
@inline
function reduce(start: u32, low: u64, high: u64, odd: u32, rows: usize, odds: usize): bool {
  let unknown = start as usize;
  for (let held = load<u64>(rows + (unknown << 4)); held; held = load<u64>(rows + (unknown << 4))) {
    low ^= held;
    high ^= load<u64>(rows + (unknown << 4), 8);
    odd ^= load<u8>(odds + unknown);
    if (!low) {
      if (!high) return odd == 0;
      low = high;
      high = 0;
      unknown += 64;
    }
    const zeros = ctz(low);
    unknown += zeros as usize;
    low = (low >> zeros) | ((high << 1) << (63 - zeros));
    high >>= zeros;
  }
  const row = rows + (unknown << 4);
  store<u64>(row, low);
  store<u64>(row, high, 8);
  store<u8>(odds + unknown, odd as u8);
  return true;
}

/** Solves the equations from the last unknown to the first, a block of 64 at a time. */
function solve(words: usize, blocks: u32, rows: usize, odds: usize): void {
  let low: u64 = 0;
  let high: u64 = 0;
  for (let block = blocks; block-- > 0; ) {
    // Unknowns that no equation fixes are random, but the same on every machine.
    const free = mix((block as u64) + 1);
    for (let i: i32 = 63; i >= 0; i--) {
      const unknown = ((block as usize) << 6) + (i as usize);
      const row = rows + (unknown << 4);
      high = (high << 1) | (low >> 63);
      low <<= 1;
      const equation = load<u64>(row);
      const ones = popcnt((equation & low) ^ (load<u64>(row, 8) & high)) + load<u8>(odds + unknown);
      low |= equation ? ones & 1 : (free >> i) & 1;
    }
    store<u64>(words + ((block as usize) << 3), low);
  }
}

/** Tests the digests whose byte at `hits` is 1. Leaves the ones of maybe present keys, and returns their number. */
export function verdictTest(
  screen: usize, segment: usize, digests: usize, count: u32, hits: usize, parameters: Parameters,
): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const mixes = 1 + trialsOf(headOf(screen)) + trialsOf(headOf(segment));
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(hits + i) == 0) continue;
    const place = mixed(fraction(load<u64>(digests + ((i as usize) << 3)), segments), 0, mixes);
    const start = startOf(place, blocks);
    const shift = (start & 63) as u64;
    const low = lowOf(place);
    const high = highOf(place);
    const at = segment + HEAD + (((start >> 6) as usize) << 3);
    const ones =
      (load<u64>(at) & (low << shift)) ^
      (load<u64>(at, 8) & (((low >> 1) >> (63 - shift)) | (high << shift))) ^
      (load<u64>(at, 16) & ((high >> 1) >> (63 - shift)));
    const hit = ((popcnt(ones) & 1) ^ 1) as u32;
    store<u8>(hits + i, hit as u8);
    found += hit;
  }
  return found;
}
