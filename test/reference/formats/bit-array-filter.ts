// Filters that are one bit array, in which a probe can be anywhere.

import { type BitArrayBytes, type BitArrayRules, hasPosition, setPosition } from '../bit-array-bits.ts';
import type { ForeignFilter } from './system.ts';

/** How a system uses a bit array. */
export interface BitArraySystem extends BitArrayRules {
  /** The positions of a key; a position can occur several times. */
  positions(key: Uint8Array): readonly number[];
  /** The file of a filter with these bits; `added` is the number of added keys that set a bit. */
  encode(bits: Uint8Array, added: number): Uint8Array;
}

/** A filter with the bits of a file, or an empty one. The array consists of words of 8 bytes. */
export function bitArrayFilter(system: BitArraySystem, words: Uint8Array = new Uint8Array(0)): ForeignFilter {
  const { bits, k } = system;
  const bytes: BitArrayBytes = new Map(words.entries());
  let added = 0;
  const fill = () => {
    let ones = 0;
    for (let position = 0; position < bits; position++) if (hasPosition(bytes, position, system)) ones++;
    return ones / bits;
  };
  return {
    add(key) {
      const changes = system.positions(key).filter((position) => setPosition(bytes, position, system));
      if (changes.length > 0) added++;
    },
    has: (key) => system.positions(key).every((position) => hasPosition(bytes, position, system)),
    fill,
    rate: () => fill() ** k,
    encode() {
      const all = new Uint8Array(8 * Math.ceil(bits / 64));
      for (const [byte, value] of bytes) all[byte] = value;
      return system.encode(all, added);
    },
  };
}
