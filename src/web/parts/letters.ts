// Filters that ignore the case of all letters. A table has the folding, because the tables of engines differ in new letters.

import type { WebPart } from '../filter.ts';
import { FOLDING_RUNS } from '../folding-runs.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What characters fold to. Others do not change. */
let table: Map<number, number> | undefined;

function readTable(): Map<number, number> {
  const folded = new Map<number, number>();
  let character = 0;
  for (const [, gap = '', step, more = '0', distance = ''] of FOLDING_RUNS.matchAll(
    /(\w+)(?:([.:])(\w+))?([+-]\w+)/g,
  )) {
    character += Number.parseInt(gap, 36);
    const by = step === '.' ? 2 : 1;
    const last = character + by * Number.parseInt(more, 36);
    for (; character <= last; character += by) folded.set(character, character + Number.parseInt(distance, 36));
    character = last;
  }
  return folded;
}

/** The bytes of a folded character; undefined for bytes that are not well-formed UTF-8. */
function foldedCharacter(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const character = decoder.decode(bytes).codePointAt(0) ?? 0;
    table ??= readTable();
    return new TextEncoder().encode(String.fromCodePoint(table.get(character) ?? character));
  } catch {
    return undefined;
  }
}

/** Looks up keys in filters that ignore the case of all letters. */
export const letters: WebPart = {
  letters(key) {
    const folded: number[] = [];
    for (let at = 0; at < key.length; ) {
      const first = key[at] ?? 0;
      const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      const character = foldedCharacter(key.subarray(at, at + length));
      folded.push(...(character ?? [first]));
      at += character === undefined ? 1 : length;
    }
    return Uint8Array.from(folded);
  },
};
