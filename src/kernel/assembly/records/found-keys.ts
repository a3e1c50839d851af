// Keys that were found again in their records, laid out as records for the output.

import { lengthOf, loadSpan, startOf } from "../spans";

/** The bytes of the keys whose match is `wanted`, each with a terminator. */
export function keyBytes(spans: usize, matches: usize, wanted: u32, count: u32): usize {
  let bytes: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(matches + (i as usize)) == wanted) bytes += lengthOf(loadSpan(spans, i)) + 1;
  }
  return bytes;
}

/**
 * Copies these keys one after the other, each with its terminator. Notes the address after each key; other keys take no
 * bytes.
 */
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
