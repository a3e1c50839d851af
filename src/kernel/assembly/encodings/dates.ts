// Days since 1970-01-01 of the Gregorian calendar, which holds at all times (ISO 8601).

import { isNegative, isNumber, MINUS, readDigits, readInteger, ZERO } from "./numbers";

/** What is no date. */
export const NO_DATE: i64 = i64.MIN_VALUE;

/** Years beyond these are no dates: so many days have no 32 bits. */
const YEARS_LIMIT: u64 = 10_000_000;

/** Characters behind a year, and the least of a year. */
const REST: usize = 6;
const YEAR: usize = 4;

/**
 * Days before a month of a year that begins in March, so that it ends with the day that may be there or not: months have 31 and
 * 30 days in turns but for one pair, 153 days in five.
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

/** Days of all years before one that begins in March, from the year 0 on. */
@inline
function daysBeforeYear(year: i64): i64 {
  return 365 * year + floorDivided(year, 4) - floorDivided(year, 100) + floorDivided(year, 400);
}

@inline
export function floorDivided(a: i64, b: i64): i64 {
  return a >= 0 ? a / b : (a + 1) / b - 1;
}

/** 1970-01-01, counted so. */
const EPOCH: i64 = 719468;

/** Year, month and day, which stand in [start, end) with a minus between two. */
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

/** Whether [start, end) is written as a date is. */
@inline
export function isDate(start: usize, end: usize): bool {
  const digits = start < end && load<u8>(start) < ZERO ? start + 1 : start;
  return end - digits >= YEAR + REST && load<u8>(end - 3) == MINUS && load<u8>(end - REST) == MINUS;
}

/** Days from 1970-01-01 to the date in [start, end), such as 2024-02-29, or as many as stand there; or `NO_DATE`. */
export function readDate(start: usize, end: usize): i64 {
  const days = isDate(start, end) ? readParts(start, end) : readDays(start, end);
  return days == (days as i32 as i64) ? days : NO_DATE;
}

function readDays(start: usize, end: usize): i64 {
  const days = readInteger(start, end);
  if (!isNumber || days > u32.MAX_VALUE) return NO_DATE;
  return isNegative ? -(days as i64) : (days as i64);
}
