// Days since 1970-01-01 in the Gregorian calendar, which is extended to all times (ISO 8601).

import { isNegative, isNumber, MINUS, readDigits, readInteger, ZERO } from "./numbers";

/** The result for a text that is not a date. */
export const NO_DATE: i64 = i64.MIN_VALUE;

/** Later or earlier years are not dates, because their days do not fit 32 bits. */
const YEARS_LIMIT: u64 = 10_000_000;

/** Characters after the year, and the fewest characters of a year. */
const REST: usize = 6;
const YEAR: usize = 4;

/**
 * Days before a month, in a year that begins in March and so ends with the leap day. Months alternate between 31 and 30
 * days except for one pair: 153 days in five months.
 */
@inline
function daysBefore(month: u64): i64 {
  return ((153 * ((month + 9) % 12) + 2) / 5) as i64;
}

@inline
function daysOf(month: u64, isLeap: bool): u64 {
  if (month == 2) return isLeap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** Days in all years from the year 0 to before this year. Years begin in March. */
@inline
function daysBeforeYear(year: i64): i64 {
  return 365 * year + floorDivided(year, 4) - floorDivided(year, 100) + floorDivided(year, 400);
}

@inline
export function floorDivided(a: i64, b: i64): i64 {
  return a >= 0 ? a / b : (a + 1) / b - 1;
}

/** 1970-01-01 in this count. */
const EPOCH: i64 = 719468;

/** Days of a year, month and day, written in [start, end) and separated by minus signs. */
function readParts(start: usize, end: usize): i64 {
  const magnitude = readInteger(start, end - REST);
  const isBefore = isNegative;
  if (!isNumber || magnitude >= YEARS_LIMIT) return NO_DATE;
  const month = readDigits(end - 5, end - 3);
  if (!isNumber || month < 1 || month > 12) return NO_DATE;
  const day = readDigits(end - 2, end);
  const year = isBefore ? -(magnitude as i64) : (magnitude as i64);
  const isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (!isNumber || day < 1 || day > daysOf(month, isLeap)) return NO_DATE;
  return daysBeforeYear(month > 2 ? year : year - 1) + daysBefore(month) + (day as i64) - 1 - EPOCH;
}

/** Whether [start, end) has the form of a date. */
@inline
export function isDate(start: usize, end: usize): bool {
  const digits = start < end && load<u8>(start) < ZERO ? start + 1 : start;
  return end - digits >= YEAR + REST && load<u8>(end - 3) == MINUS && load<u8>(end - REST) == MINUS;
}

/**
 * Days from 1970-01-01 to the date in [start, end), such as 2024-02-29, or the number of days that is written there;
 * else `NO_DATE`.
 */
export function readDate(start: usize, end: usize): i64 {
  const days = isDate(start, end) ? readParts(start, end) : readDays(start, end);
  return days == (days as i32 as i64) ? days : NO_DATE;
}

function readDays(start: usize, end: usize): i64 {
  const days = readInteger(start, end);
  if (!isNumber || days > u32.MAX_VALUE) return NO_DATE;
  return isNegative ? -(days as i64) : (days as i64);
}
