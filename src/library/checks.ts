// What callers state, which need not be typed.

import { noteOf } from '../engine/notes.ts';
import { BloomError, valueType } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS } from '../filters/registry.ts';
import { NOTE_LIMIT, type Note } from '../formats/description.ts';
import type { Constraints } from '../sizing/solve.ts';
import type { BuildOptions, SizeOptions } from './options.ts';

/** Throws a `usage` error for what does not give many of something: a text or bytes would give other things than keys. */
export function requireIterable(what: string, given: unknown, mayBeAsync = false): void {
  const gives = typeof given === 'object' && given !== null && !(given instanceof Uint8Array);
  if (gives && (Symbol.iterator in given || (mayBeAsync && Symbol.asyncIterator in given))) return;
  throw new BloomError(
    'usage',
    `${what} are given by an array or another iterable, and not by ${valueType(given)}`,
    'put one alone into an array',
  );
}

/** Throws a `usage` error for an option that is no such number. */
export function requireNumber(
  option: string,
  value: unknown,
  isPossible: (value: number) => boolean,
  expected: string,
): void {
  if (value === undefined || (typeof value === 'number' && isPossible(value))) return;
  throw new BloomError('usage', `${option} is ${expected}, not ${String(value)}`);
}

/** The kind of a name, the first if there is none. Throws a `usage` error for others. */
export function kindOf(name: string = KINDS[0].name): FilterKind {
  const kind = KINDS.find((known) => known.name === name);
  if (kind !== undefined) return kind;
  throw new BloomError('usage', `there is no kind ${name}`, `known: ${KINDS.map((known) => known.name).join(', ')}`);
}

/** What options state of a size. Throws a `usage` error for what is no such number. */
export function constraintsOf({ items, fpr, bits, bitsPerKey, hashes }: SizeOptions): Constraints {
  const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
  for (const [name, value] of Object.entries({ items, bits, hashes }))
    requireNumber(name, value, isCount, 'a whole number above 0');
  requireNumber('fpr', fpr, (value) => value > 0 && value < 1, 'a number between 0 and 1');
  requireNumber('bitsPerKey', bitsPerKey, (value) => value > 0 && Number.isFinite(value), 'a number above 0');
  return { items, fpr, bits, bitsPerKey, k: hashes };
}

/** The note that is stated. Throws a `usage` error for one that is no text, or too long. */
export function noteIn({ note, stamp }: BuildOptions): Note | undefined {
  if (note !== undefined && (typeof note !== 'string' || Buffer.byteLength(note) > NOTE_LIMIT))
    throw new BloomError('usage', `note is a text of at most ${NOTE_LIMIT} bytes`);
  return noteOf(note, stamp === true, process.env);
}
