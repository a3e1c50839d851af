// Checks of arguments: callers may be untyped.

import { noteOf } from '../engine/notes.ts';
import { BloomError, valueType } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS } from '../filters/registry.ts';
import { NOTE_LIMIT, type Note } from '../formats/note.ts';
import { KEY_HASH_TEXTS, type KeyHash, keyHashNamed } from '../hashes/key-hashes.ts';
import type { ServerHeaders } from '../io/remote/client.ts';
import type { RemoteOptions } from '../io/remote/open-remote.ts';
import { isHeader, requireOther } from '../io/request-headers.ts';
import { K_LIMIT } from '../sizing/bloom.ts';
import { type Constraints, SMALLEST_RATE, withHeadroom } from '../sizing/solve.ts';
import type { BuildOptions, OpenOptions, SizeOptions } from './options.ts';

/** Throws a `usage` error for a value that is not an iterable of keys. A text or bytes are rejected: their elements are not keys. */
export function requireIterable(what: string, given: unknown, mayBeAsync = false): void {
  const gives = typeof given === 'object' && given !== null && !(given instanceof Uint8Array);
  if (gives && (Symbol.iterator in given || (mayBeAsync && Symbol.asyncIterator in given))) return;
  throw new BloomError(
    'usage',
    `${what} must be an array or another iterable, not ${valueType(given)}`,
    'put a single key into an array',
  );
}

/** Throws a `usage` error for an option that is not such a number. */
export function requireNumber(
  option: string,
  value: unknown,
  isPossible: (value: number) => boolean,
  expected: string,
): void {
  if (value === undefined || (typeof value === 'number' && isPossible(value))) return;
  throw new BloomError('usage', `${option} must be ${expected}, not ${String(value)}`);
}

/** Throws a `usage` error for options that are not booleans: a mistaken value could be stored in a file. */
export function requireBooleans(options: Readonly<Record<string, unknown>>): void {
  for (const [option, value] of Object.entries(options))
    if (value !== undefined && typeof value !== 'boolean')
      throw new BloomError('usage', `${option} must be true or false, not ${String(value)}`);
}

/** The key hash with a name. Throws a `usage` error for unknown names. */
export function keyHashOf(name: string | undefined): KeyHash | undefined {
  const found = name === undefined ? undefined : keyHashNamed(name);
  if (found !== undefined || name === undefined) return found;
  throw new BloomError('usage', `there is no key hash ${name}`, `known: ${KEY_HASH_TEXTS.join(', ')}`);
}

/** The key hash of the keys of a new filter. Throws a `usage` error for unknown names, and for digests of an unknown hash. */
export function newKeyHashOf({ keyHash, hashed }: BuildOptions): KeyHash | undefined {
  const known = keyHashOf(keyHash);
  if (!hashed) return known;
  if (known !== undefined) return { ...known, areGiven: true };
  throw new BloomError('usage', 'hashed keys are digests, and nothing states of which hash', 'add keyHash');
}

/** The kind with a name; the default kind without a name. Throws a `usage` error for unknown names. */
export function kindOf(name: string = KINDS[0].name): FilterKind {
  const kind = KINDS.find((known) => known.name === name);
  if (kind !== undefined) return kind;
  throw new BloomError('usage', `there is no kind ${name}`, `known: ${KINDS.map((known) => known.name).join(', ')}`);
}

/** The constraints on the size in options. Throws a `usage` error for invalid numbers. */
export function constraintsOf({ items, fpr, bits, bitsPerKey, hashes }: SizeOptions): Constraints {
  const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
  for (const [name, value] of Object.entries({ items, bits }))
    requireNumber(name, value, isCount, 'a whole number above 0');
  requireNumber('hashes', hashes, (value) => isCount(value) && value <= K_LIMIT, `a whole number from 1 to ${K_LIMIT}`);
  const isRate = (value: number) => value >= SMALLEST_RATE && value < 1;
  requireNumber('fpr', fpr, isRate, 'a number from 1e-15 to below 1');
  requireNumber(
    'bitsPerKey',
    bitsPerKey,
    (value) => value > 0 && value <= 1e6,
    'a number above 0 and at most a million',
  );
  return { items, fpr, bits, bitsPerKey, k: hashes };
}

/** The constraints on the size of a filter to build: keys include their headroom. Throws `usage` errors as `constraintsOf` does. */
export function constraintsToBuild(options: BuildOptions): Constraints {
  const { headroom } = options;
  requireNumber('headroom', headroom, (value) => value >= 0 && value <= 1000, 'a number from 0 to 1000, such as 0.3');
  const constraints = constraintsOf(options);
  const { items, bits } = constraints;
  if (headroom !== undefined && items === undefined && bits !== undefined)
    throw new BloomError('usage', 'headroom adds to items, which is not stated', 'add items, or leave out headroom');
  return items === undefined ? constraints : { ...constraints, items: withHeadroom(items, headroom) };
}

/** The options for a file on a server. `url` is undefined for other files. Throws `usage` errors. */
export function serverOptionsOf(
  url: string | undefined,
  { timeout, headers }: Pick<OpenOptions, 'timeout' | 'headers'>,
): Pick<RemoteOptions, 'timeout' | 'headers'> {
  requireNumber('timeout', timeout, (value) => value > 0 && Number.isFinite(value), 'a number of seconds above 0');
  return { timeout, headers: headersFor(url, headers) };
}

/**
 * The headers for the server of a URL; undefined without headers. Throws a `usage` error for headers without a URL, for headers that bloom
 * sets itself, and for invalid values. Errors never show a value.
 */
function headersFor(url: string | undefined, given: unknown): ServerHeaders | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null)
    throw new BloomError('usage', `headers must be an object of names and values, not ${valueType(given)}`);
  if (url === undefined || !URL.canParse(url))
    throw new BloomError('usage', 'headers are for a file on a server', 'open it by its URL, or leave out headers');
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string' || !isHeader(name, value))
      throw new BloomError(
        'usage',
        `the header ${JSON.stringify(name)} is not valid`,
        'a header is a name and a text of ASCII, such as { authorization: "Bearer ..." }',
      );
    requireOther(name, 'leave it out');
    values[name.toLowerCase()] = value;
  }
  return { origin: new URL(url).origin, values };
}

/** The note in options. Throws a `usage` error for a note that is not a text, or is too long. */
export function noteIn({ note, stamp }: BuildOptions): Note | undefined {
  if (note !== undefined && (typeof note !== 'string' || Buffer.byteLength(note) > NOTE_LIMIT))
    throw new BloomError('usage', `note must be a text of at most ${NOTE_LIMIT} bytes`);
  return noteOf(note, stamp === true, process.env);
}
