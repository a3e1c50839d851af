// Answers: from a byte per key to a byte per record, and from there to the lines that are printed.

/** ORs each key's hit into the byte of the record that owns it. */
export function collectHits(hits: usize, owners: usize, count: u32, matches: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const match = matches + (load<u32>(owners + (i << 2)) as usize);
    store<u8>(match, load<u8>(match) | load<u8>(hits + i));
  }
}

/** Number of ones among `count` bytes that are 0 or 1. */
export function countMatches(matches: usize, count: u32): u32 {
  let sum: u32 = 0;
  let i: usize = 0;
  const end = count as usize;
  for (; i + 8 <= end; i += 8) sum += popcnt(load<u64>(matches + i)) as u32;
  for (; i < end; i++) sum += load<u8>(matches + i) as u32;
  return sum;
}

/** Which records are printed: those whose match byte is 0, those whose byte is 1, or all. */
const EVERY: u32 = 2;

let wanted: u32 = 1;
let tagged: bool = false;
let numbered: bool = false;
let prefix: usize = 0;
let prefixLength: usize = 0;

/** Sets what is printed and what stands before each record: a tag (+ or -), a prefix, the record's number and ':'. */
export function configureLines(select: u32, tag: bool, prefixAt: usize, length: usize, number: bool): void {
  wanted = select;
  tagged = tag;
  prefix = prefixAt;
  prefixLength = length;
  numbered = number;
}

const DIGITS_LIMIT: usize = 20;

function writeNumber(at: usize, value: u64): usize {
  let digits: usize = 1;
  for (let rest = value / 10; rest; rest /= 10) digits++;
  for (let i = digits; i > 0; i--) {
    store<u8>(at + i - 1, (48 + (value % 10)) as u8);
    value /= 10;
  }
  return at + digits;
}

/** Copies 16 bytes at a time and so writes and reads up to 15 bytes too many: both sides have padding. */
@inline
function copy(into: usize, from: usize, length: usize): usize {
  for (let offset: usize = 0; offset < length; offset += 16) v128.store(into + offset, v128.load(from + offset));
  return into + length;
}

/** Writes what stands before a record and returns the address past it. */
export function writeLead(out: usize, match: u32, number: u64): usize {
  if (tagged) store<u8>(out++, match ? 43 : 45);
  if (prefixLength) out = copy(out, prefix, prefixLength);
  if (numbered) {
    out = writeNumber(out, number);
    store<u8>(out++, 58);
  }
  return out;
}

/** Address past the last line that `writeLines` wrote. */
export let linesEnd: usize = 0;

/**
 * Writes the wanted records from index `from` to `count` at `out`, and returns the index of the first one that did
 * not fit before `limit`. The first record starts at `start`; record 0 has the number `firstNumber`.
 */
export function writeLines(
  start: usize, ends: usize, matches: usize, from: u32, count: u32, firstNumber: u64, out: usize, limit: usize,
): u32 {
  const leadLimit: usize = 1 + prefixLength + DIGITS_LIMIT + 1;
  const leads = tagged || numbered || prefixLength > 0;
  let recordStart = from ? (load<u32>(ends + (((from - 1) as usize) << 2)) as usize) : start;
  let i = from;
  for (; i < count; i++) {
    const recordEnd = load<u32>(ends + ((i as usize) << 2)) as usize;
    const match = load<u8>(matches + (i as usize)) as u32;
    if (wanted == EVERY || match == wanted) {
      if (out + leadLimit + (recordEnd - recordStart) > limit) break;
      if (leads) out = writeLead(out, match, firstNumber + i);
      out = copy(out, recordStart, recordEnd - recordStart);
    }
    recordStart = recordEnd;
  }
  linesEnd = out;
  return i;
}
