// Filters of domain names: a name and its parent domains, after FORMAT.md.

import type { WebPart } from '../filter.ts';
import { isBlank, lowered } from '../keys.ts';

const STAR = 0x2a;
const DOT = 0x2e;
/** The longest suffix of a name that is looked up. */
const LONGEST_NAME = 253;

const isAround = (byte: number | undefined): boolean => isBlank(byte) || byte === DOT;

/** A text as a domain name: without what lists of hosts have around names. */
function nameOf(bytes: Uint8Array): Uint8Array {
  let [from, to] = [0, bytes.length];
  while (to > from && isAround(bytes[to - 1])) to--;
  while (from < to && (isAround(bytes[from]) || (bytes[from] === STAR && from + 1 < to && bytes[from + 1] === DOT)))
    from++;
  return bytes.subarray(from, to);
}

/** Looks up names and their parent domains in filters of domain names. */
export const domain: WebPart = {
  domain(key) {
    const name = nameOf(lowered(key));
    const suffixes = Array.from(name.entries(), ([at, byte]) =>
      nameOf(byte === DOT ? name.subarray(at + 1) : name.subarray(at, at)),
    );
    return [name, ...suffixes.filter(({ length }) => length <= LONGEST_NAME)].filter(({ length }) => length > 0);
  },
};
