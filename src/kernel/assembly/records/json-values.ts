// The value at a path in a record of JSON (RFC 8259). If a name occurs twice, the last member counts, so the text is
// read to its end. A record that is not JSON has no value.

import { decodedEnd, keepDecoded } from "./decoded";
import { decodeString, hasEscapes, stringEnd } from "./json-strings";
import { keepKeys, keyCount, storeKey } from "./keys";

/** The names of the path: pairs of u32, address and length. */
let names: usize = 0;
let nameCount: u32 = 0;
/** One byte per open container: the character that closes it. */
let open: usize = 0;
let deepest: u32 = 0;

/** Sets the path, and the address of one byte per level of the deepest text that is accepted. */
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

/** The end of the number that begins at an address; 0 if there is no number. */
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

/** The end of the literal or number that begins at an address; 0 if there is none. */
function scalarEnd(at: usize, end: usize): usize {
  const left = end - at;
  const four = load<u32>(at);
  if (left >= 4 && (four == 0x65757274 || four == 0x6c6c756e)) return at + 4;
  if (left >= 5 && four == 0x736c6166 && load<u8>(at + 4) == 101) return at + 5;
  return numberEnd(at, end);
}

/** Whether a string [from, to) is the name at this position of the path. */
function isName(place: u32, from: usize, to: usize): bool {
  const name = names + ((place as usize) << 3);
  const length = load<u32>(name, 4) as usize;
  if (hasEscapes) {
    // The decoded name uses the buffer only for the comparison.
    const decoded = decodedEnd;
    to = decodeString(decoded, from, to);
    from = decoded;
  }
  return to - from == length && memory.compare(from, load<u32>(name), length) == 0;
}

/** The value that was found, as written in the record; `valueStart` is 0 without a value. */
let valueStart: usize = 0;
let valueEnd: usize = 0;
let valueHasEscapes: bool = false;

/** Whether the last member name is the next name of the path. */
let isNext: bool = false;

/**
 * Reads a member name and its colon, and returns the address after the colon; 0 if they are missing. `place` is the
 * position in the path of the name that is sought in this object. It is past the path if the object is not on the path.
 */
function readName(from: usize, end: usize, place: u32): usize {
  let at = skipSpace(from, end);
  if (at >= end || load<u8>(at) != QUOTE) return 0;
  const nameEnd = stringEnd(at + 1, end);
  if (nameEnd == 0) return 0;
  isNext = place < nameCount && isName(place, at + 1, nameEnd);
  // If a name occurs twice, the last member counts.
  if (isNext) valueStart = 0;
  at = skipSpace(nameEnd + 1, end);
  return at < end && load<u8>(at) == COLON ? at + 1 : 0;
}

/** Finds the value in the text [from, end). Returns false if the text is not JSON. */
function findValue(from: usize, end: usize): bool {
  valueStart = 0;
  isNext = false;
  let at = from;
  let depth: u32 = 0;
  // The number of open containers that are objects on the path.
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
    // After a value: containers close, or the next value follows.
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

/** Appends the value of the record [start, end), if it has one. The caller has checked the space. */
export function pushValue(start: usize, end: usize, record: u32): void {
  if (!findValue(start, end) || valueStart == 0) return;
  if (valueHasEscapes) {
    const decoded = decodedEnd;
    keepDecoded(decodeString(decoded, valueStart, valueEnd));
    storeKey(keyCount, decoded, decodedEnd, record);
  } else storeKey(keyCount, valueStart, valueEnd, record);
  keepKeys(keyCount + 1);
}
