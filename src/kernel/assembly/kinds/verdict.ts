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
import { accepts as narrowAccepts } from "./ribbon";
import { HEAD, headOf, mixAll, mixed, TRIALS, tidy, trialsOf, writeHead } from "./static";
import { accepts, addEquations, clearSystem, solve } from "./wide-ribbon";

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
  for (let trials: u32 = 0; trials <= TRIALS; trials++) {
    mixAll(members, parameters);
    mixAll(others, parameters);
    const windows = clearSystem(rows, blocks);
    // An equation may follow from others that it agrees with.
    const areConsistent = addEquations(members, WIDTH, 0, false, blocks, rows) && addEquations(others, WIDTH, 1, false, blocks, rows);
    if (!areConsistent) continue;
    memory.fill(segment, 0, parameters.bytes as usize);
    writeHead(segment, protecteds, trials, WIDTH);
    solve(segment + HEAD, blocks, 1, rows, windows);
    return 0;
  }
  return 1;
}

/**
 * Tests the digests whose byte at `hits` is 1. Leaves the ones of maybe present keys, and returns their number. Narrow verdicts are those of
 * earlier versions, with the windows of ribbon.ts.
 */
export function verdictTest(
  screen: usize, segment: usize, digests: usize, count: u32, hits: usize, isNarrow: bool, parameters: Parameters,
): u32 {
  const segments = parameters.segments;
  const blocks = parameters.units as u32;
  const mixes = 1 + trialsOf(headOf(screen)) + trialsOf(headOf(segment));
  const words = segment + HEAD;
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(hits + i) == 0) continue;
    const place = mixed(fraction(load<u64>(digests + ((i as usize) << 3)), segments), 0, mixes);
    const hit = (isNarrow ? narrowAccepts(words, place, blocks, 1) : accepts(words, place, blocks, 1)) as u32;
    store<u8>(hits + i, hit as u8);
    found += hit;
  }
  return found;
}
