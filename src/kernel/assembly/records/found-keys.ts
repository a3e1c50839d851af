// Keys that were found once more, as records that can be printed.

import { lengthOf, loadSpan, startOf } from "../spans";

/** Bytes of those keys whose match is this, each with an end. */
export function keyBytes(spans: usize, matches: usize, wanted: u32, count: u32): usize {
  let bytes: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(matches + (i as usize)) == wanted) bytes += lengthOf(loadSpan(spans, i)) + 1;
  }
  return bytes;
}

/** Copies them one behind the other, each with its end, and notes the address past each key; others have no bytes. */
export function layOutKeys(
  spans: usize, matches: usize, wanted: u32, count: u32, terminator: u32, out: usize, ends: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(matches + (i as usize)) == wanted) {
      const span = loadSpan(spans, i);
      memory.copy(out, startOf(span), lengthOf(span));
      out += lengthOf(span);
      store<u8>(out++, terminator as u8);
    }
    store<u32>(ends + ((i as usize) << 2), out as u32);
  }
}
