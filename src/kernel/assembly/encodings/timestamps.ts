// Timestamps in text (ISO 8601, RFC 3339), as units since 1970-01-01T00:00:00Z or as Impala's INT96. A time without a
// zone counts as UTC.

import { floorDivided, isDate, NO_DATE, readDate } from "./dates";
import { isNegative, isNumber, MINUS, PLUS, readDigits, readInteger, ZERO } from "./numbers";
import { lengthOf, loadSpan, startOf, storeNoKey, storeSpan } from "../spans";

const COLON: u8 = 58;
const POINT: u8 = 46;
const COMMA: u8 = 44;
const BLANK: u8 = 32;

/** Letters with bit 5 set. */
const T: u8 = 116;
const Z: u8 = 122;

const DAY: i64 = 86400;

/** Days before 1970-01-01 in the count of INT96. */
const JULIAN_EPOCH: i64 = 2440588;

@unmanaged
class TimeForm {
  /** Units per second, a power of 10. */
  perSecond: i64;
  /** Whether the time is stored as u64 nanoseconds of the day and u32 days. */
  isInt96: u64;
}

/** Whether the last `readTime` found a time; its seconds since 1970, and the remaining units. */
let isTime: bool = false;
let seconds: i64 = 0;
let fraction: i64 = 0;

/** The end of the last text that was read. */
let next: usize = 0;

/** The number of two digits, up to `most`. */
function readPair(end: usize, most: i64): i64 {
  const value = readDigits(next, next + 2) as i64;
  if (next + 2 > end || !isNumber || value > most) isTime = false;
  next += 2;
  return value;
}

@inline
function follows(end: usize, character: u8): bool {
  return next < end && load<u8>(next) == character;
}

/** The digits after the point, in units. More digits than a unit has are accepted only if they are zeros. */
function readFraction(end: usize, perSecond: i64): i64 {
  const first = next;
  let units: i64 = 0;
  let unit = perSecond;
  for (; next < end; next++) {
    const digit = (load<u8>(next) - ZERO) as i64;
    if (digit < 0 || digit > 9) break;
    unit /= 10;
    units += digit * unit;
    if (unit == 0 && digit != 0) isTime = false;
  }
  if (next == first) isTime = false;
  return units;
}

/** The seconds by which a zone is ahead of UTC. */
function readZone(end: usize): i64 {
  if (next == end) return 0;
  const sign = load<u8>(next++);
  if ((sign | 0x20) == Z) return 0;
  if (sign != PLUS && sign != MINUS) isTime = false;
  const hours = readPair(end, 23);
  let minutes: i64 = 0;
  if (next != end) {
    if (load<u8>(next) == COLON) next++;
    minutes = readPair(end, 59);
  }
  const ahead = 3600 * hours + 60 * minutes;
  return sign == MINUS ? -ahead : ahead;
}

/** Reads the time of day in [start, end), after a date. */
function readClock(start: usize, end: usize, perSecond: i64): void {
  next = start;
  const hours = readPair(end, 23);
  if (!follows(end, COLON)) isTime = false;
  next++;
  seconds += 3600 * hours + 60 * readPair(end, 59);
  if (follows(end, COLON)) {
    next++;
    seconds += readPair(end, 59);
    if (follows(end, POINT) || follows(end, COMMA)) {
      next++;
      fraction = readFraction(end, perSecond);
    }
  }
  seconds -= readZone(end);
  if (next != end) isTime = false;
}

/** Reads the time in [start, end): a number of units, or a date with an optional time of day after a T or a space. */
function readTime(start: usize, end: usize, perSecond: i64): void {
  let middle = start;
  while (middle < end && (load<u8>(middle) | 0x20) != T && load<u8>(middle) != BLANK) middle++;
  if (isDate(start, middle)) {
    const days = readDate(start, middle);
    isTime = days != NO_DATE;
    seconds = days * DAY;
    fraction = 0;
    if (middle < end) readClock(middle + 1, end, perSecond);
    return;
  }
  const magnitude = readInteger(start, end);
  isTime = isNumber && magnitude <= (i64.MAX_VALUE as u64) + (isNegative ? 1 : 0);
  const units = (isNegative ? 0 - magnitude : magnitude) as i64;
  seconds = floorDivided(units, perSecond);
  fraction = units - seconds * perSecond;
}

/** Whether the units of the last time fit a 64-bit number. */
@inline
function fits(perSecond: i64): bool {
  if (seconds >= 0) return seconds <= (i64.MAX_VALUE - fraction) / perSecond;
  return seconds + 1 >= i64.MIN_VALUE / perSecond && (seconds + 1) * perSecond >= i64.MIN_VALUE + (perSecond - fraction);
}

/** Stores the last time and returns the address after it; `to` if the time cannot be stored. */
function storeTime(to: usize, form: TimeForm): usize {
  if (!form.isInt96) {
    if (!fits(form.perSecond)) return to;
    store<i64>(to, seconds * form.perSecond + fraction);
    return to + 8;
  }
  const days = floorDivided(seconds, DAY);
  const julian = days + JULIAN_EPOCH;
  if (julian < 0 || julian > (u32.MAX_VALUE as i64)) return to;
  store<i64>(to, (seconds - days * DAY) * form.perSecond + fraction);
  store<u32>(to, julian as u32, 8);
  return to + 12;
}

/** Encodes timestamps, like `encodeIntegers` encodes numbers. */
export function encodeTimestamps(spans: usize, count: u32, to: usize, parameters: usize): u32 {
  const form = changetype<TimeForm>(parameters);
  let without: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const span = loadSpan(spans, i);
    const start = startOf(span);
    readTime(start, start + lengthOf(span), form.perSecond);
    const end = isTime ? storeTime(to, form) : to;
    if (end > to) {
      storeSpan(spans, i, to, end);
      to = end;
    } else {
      storeNoKey(spans, i);
      without++;
    }
  }
  return without;
}
