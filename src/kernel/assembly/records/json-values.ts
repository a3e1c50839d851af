// The value at a path in a record that is a text of JSON (RFC 8259): the text is read to its end, as of members of the same name
// the last one counts, and what is no JSON has no value.

import { decodedEnd, keepDecoded } from "./decoded";
import { decodeString, hasEscapes, stringEnd } from "./json-strings";
import { keepKeys, keyCount, storeKey } from "./keys";

/** The names of the path: pairs of u32, the address and the length. */
let names: usize = 0;
let nameCount: u32 = 0;
/** A byte for each container that is open, what ends it. */
let open: usize = 0;
let deepest: u32 = 0;

/** Sets the path, and where there is room for a byte for each level of the deepest text that is read. */
export function configurePath(namesAt: usize, count: u32, openAt: usize, levels: u32): void {
  names = namesAt;
  nameCount = count;
  open = openAt;
  deepest = levels;
}

const QUOTE: u8 = 34;
const COMMA: u8 = 44;
const COLON: u8 = 58;
const OPEN_ARRAY: u8 = 91;
const CLOSE_ARRAY: u8 = 93;
const OPEN_OBJECT: u8 = 123;
const CLOSE_OBJECT: u8 = 125;

@inline
function skipSpace(at: usize, end: usize): usize {
  while (at < end && isSpace(load<u8>(at))) at++;
  return at;
}

@inline
function isSpace(byte: u8): bool {
  return byte == 32 || byte == 10 || byte == 13 || byte == 9;
}

@inline
function digitsEnd(at: usize, end: usize): usize {
  while (at < end && (load<u8>(at) as u32) - 48 < 10) at++;
  return at;
}

/** The end of the number that begins there; 0 if none does. */
function numberEnd(from: usize, end: usize): usize {
  let at = from;
  if (at < end && load<u8>(at) == 45) at++;
  const whole = at;
  at = digitsEnd(at, end);
  if (at == whole || (load<u8>(whole) == 48 && at - whole > 1)) return 0;
  if (at < end && load<u8>(at) == 46) {
    const fraction = at + 1;
    at = digitsEnd(fraction, end);
    if (at == fraction) return 0;
  }
  if (at < end && (load<u8>(at) | 32) == 101) {
    at++;
    if (at < end && (load<u8>(at) == 43 || load<u8>(at) == 45)) at++;
    const exponent = at;
    at = digitsEnd(exponent, end);
    if (at == exponent) return 0;
  }
  return at;
}

/** The end of the literal or number that begins there; 0 if none does. */
function scalarEnd(at: usize, end: usize): usize {
  const left = end - at;
  const four = load<u32>(at);
  if (left >= 4 && (four == 0x65757274 || four == 0x6c6c756e)) return at + 4;
  if (left >= 5 && four == 0x736c6166 && load<u8>(at + 4) == 101) return at + 5;
  return numberEnd(at, end);
}

/** Whether a string, [from, to), is the name at this place of the path. */
function isName(place: u32, from: usize, to: usize): bool {
  const name = names + ((place as usize) << 3);
  const length = load<u32>(name, 4) as usize;
  if (hasEscapes) {
    // It takes this room for the moment.
    const decoded = decodedEnd;
    to = decodeString(decoded, from, to);
    from = decoded;
  }
  return to - from == length && memory.compare(from, load<u32>(name), length) == 0;
}

/** The value that was found, as it stands; none if it has no beginning. */
let valueStart: usize = 0;
let valueEnd: usize = 0;
let valueHasEscapes: bool = false;

/** The member whose name was read last is the next of the path. */
let isNext: bool = false;

/**
 * Reads the name of a member and the colon behind it, and returns the address behind that; 0 if there is none. `place` is that of
 * the name that is sought in this object, past the path if it is not on it.
 */
function readName(from: usize, end: usize, place: u32): usize {
  let at = skipSpace(from, end);
  if (at >= end || load<u8>(at) != QUOTE) return 0;
  const nameEnd = stringEnd(at + 1, end);
  if (nameEnd == 0) return 0;
  isNext = place < nameCount && isName(place, at + 1, nameEnd);
  // Of members of the same name the last one counts.
  if (isNext) valueStart = 0;
  at = skipSpace(nameEnd + 1, end);
  return at < end && load<u8>(at) == COLON ? at + 1 : 0;
}

/** Finds the value in the text [from, end); false if that is no JSON. */
function findValue(from: usize, end: usize): bool {
  valueStart = 0;
  isNext = false;
  let at = from;
  let depth: u32 = 0;
  // So many of the containers that are open are objects of the path.
  let onPath: u32 = 0;
  while (true) {
    at = skipSpace(at, end);
    if (at >= end) return false;
    const first = load<u8>(at);
    const isWanted = isNext && onPath == nameCount;
    if (first == OPEN_OBJECT || first == OPEN_ARRAY) {
      if (depth == deepest) return false;
      const isObject = first == OPEN_OBJECT;
      const closing = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
      if (isObject && (depth == 0 || (isNext && !isWanted))) onPath++;
      isNext = false;
      store<u8>(open + depth, closing);
      depth++;
      at = skipSpace(at + 1, end);
      if (at >= end) return false;
      if (load<u8>(at) != closing) {
        if (isObject) {
          at = readName(at, end, depth == onPath ? onPath - 1 : nameCount);
          if (at == 0) return false;
        }
        continue;
      }
    } else {
      const isString = first == QUOTE;
      const last = isString ? stringEnd(at + 1, end) : scalarEnd(at, end);
      if (last == 0) return false;
      if (isWanted && first != 110) {
        valueStart = at + (isString as usize);
        valueEnd = last;
        valueHasEscapes = isString && hasEscapes;
      }
      isNext = false;
      at = last + (isString as usize);
    }
    // Behind a value: what closes containers, or the next value.
    while (true) {
      at = skipSpace(at, end);
      if (depth == 0) return at >= end;
      if (at >= end) return false;
      const closing = load<u8>(open + depth - 1);
      const byte = load<u8>(at++);
      if (byte == COMMA) {
        if (closing == CLOSE_OBJECT) {
          at = readName(at, end, depth == onPath ? onPath - 1 : nameCount);
          if (at == 0) return false;
        }
        break;
      }
      if (byte != closing) return false;
      if (depth == onPath) onPath--;
      depth--;
    }
  }
}

/** Appends the value in the record [start, end), if it has one; there is room. */
export function pushValue(start: usize, end: usize, record: u32): void {
  if (!findValue(start, end) || valueStart == 0) return;
  if (valueHasEscapes) {
    const decoded = decodedEnd;
    keepDecoded(decodeString(decoded, valueStart, valueEnd));
    storeKey(keyCount, decoded, decodedEnd, record);
  } else storeKey(keyCount, valueStart, valueEnd, record);
  keepKeys(keyCount + 1);
}
