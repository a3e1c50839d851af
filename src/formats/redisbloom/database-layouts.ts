// The layouts of values in a database file of Redis by their types: rdb.h and rdb.c of
// https://github.com/redis/redis, up to version 12.

import type { Tape } from './tape.ts';

/**
 * A part of a value: a string, a length, a number in decimal digits, a fixed number of bytes; or a count followed by
 * that many repetitions of a layout.
 */
type Part = 'string' | 'length' | 'digits' | number | ValueLayout;
export type ValueLayout = readonly Part[];

/** A stream: its entries, their number, and its last id; fields of later versions; and its groups of consumers. */
function stream(added: ValueLayout, addedToGroup: ValueLayout, addedToConsumer: ValueLayout): ValueLayout {
  const consumer: ValueLayout = ['string', 8, ...addedToConsumer, [16]];
  const group: ValueLayout = ['string', 'length', 'length', ...addedToGroup, [24, 'length'], consumer];
  return [['string', 'string'], 'length', 'length', 'length', ...added, group];
}

/** The first id, the highest deleted id, and the number of entries that were ever added. */
const STREAM_ADDED: ValueLayout = ['length', 'length', 'length', 'length', 'length'];

/** Values by their types, without those of modules. */
export const VALUES: ReadonlyMap<number, ValueLayout> = new Map<number, ValueLayout>([
  ...[0, 9, 10, 11, 12, 13, 16, 17, 20].map((type): [number, ValueLayout] => [type, ['string']]),
  [1, [['string']]],
  [2, [['string']]],
  [3, [['string', 'digits']]],
  [4, [['string', 'string']]],
  [5, [['string', 8]]],
  [14, [['string']]],
  [15, stream([], [], [])],
  [18, [['length', 'string']]],
  [19, stream(STREAM_ADDED, ['length'], [])],
  [21, stream(STREAM_ADDED, ['length'], [8])],
  [24, [8, ['length', 'string', 'string']]],
  [25, [8, 'string']],
]);

/** Records that are not keys, by their first byte. */
export const OPCODES: ReadonlyMap<number, ValueLayout> = new Map<number, ValueLayout>([
  // A slot of a cluster, a library of functions.
  [0xf4, ['length', 'length', 'length']],
  [0xf5, ['string']],
  // The idle time of a key, the frequency of its use.
  [0xf8, ['length']],
  [0xf9, [1]],
  // Facts about the file, and sizes of tables.
  [0xfa, ['string', 'string']],
  [0xfb, ['length', 'length']],
  // The time when a key expires, in milliseconds and in seconds.
  [0xfc, [8]],
  [0xfd, [4]],
]);

/** The lowest type that is not a key. */
export const FIRST_OPCODE = 0xf0;

/** The fields of a value of a module by their types. Type 0 ends them. */
export const FIELDS: ReadonlyMap<number, ValueLayout> = new Map<number, ValueLayout>([
  [1, ['length']],
  [2, ['length']],
  [3, [4]],
  [4, [8]],
  [5, ['string']],
]);

/** From here on, a byte is not a length of digits: not a number, or infinite. */
const NO_DIGITS = 253;

/** Skips a value of this layout. Throws a `format` error if the file ends early. */
export function passOver(tape: Tape, layout: ValueLayout): void {
  for (const part of layout) {
    if (part === 'string') tape.skipString();
    else if (part === 'length') tape.length();
    else if (part === 'digits') {
      const length = tape.byte();
      if (length < NO_DIGITS) tape.skip(length);
    } else if (typeof part === 'number') tape.skip(part);
    else for (let left = tape.length(); left > 0; left--) passOver(tape, part);
  }
}
