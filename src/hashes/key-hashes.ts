/** A hash whose digests are keys: its number in files, and the hexadecimal digits of a digest. */
interface KeyHashFacts {
  readonly id: number;
  readonly digits: number;
}

/** The hashes that may replace keys. Their numbers are append-only, like those of src/formats/bloomery. */
export const KEY_HASHES = {
  sha1: { id: 1, digits: 40 },
  sha256: { id: 2, digits: 64 },
  md5: { id: 3, digits: 32 },
} as const satisfies Readonly<Record<string, KeyHashFacts>>;

export type KeyHashName = keyof typeof KEY_HASHES;

/** The key of a record is the digest of its key in hexadecimal. */
export interface KeyHash {
  readonly name: KeyHashName;
  /** The digits A to F are capital. */
  readonly isUpper: boolean;
  /** The records are such digests already, in lower or upper case. No file states this. */
  readonly areGiven?: true;
}

const UPPER = ':upper';

function isName(name: string): name is KeyHashName {
  return Object.hasOwn(KEY_HASHES, name);
}

/** The names of all key hashes, in lower and in upper case. */
export const KEY_HASH_TEXTS: readonly string[] = ['sha1', 'sha1:upper', 'sha256', 'sha256:upper', 'md5', 'md5:upper'];

/** The key hash with a name. Undefined if there is none. */
export function keyHashNamed(text: string): KeyHash | undefined {
  const isUpper = text.endsWith(UPPER);
  const name = isUpper ? text.slice(0, -UPPER.length) : text;
  return isName(name) ? { name, isUpper } : undefined;
}

/** The name of a key hash, such as sha1:upper. */
export function nameOfKeyHash({ name, isUpper }: KeyHash): string {
  return isUpper ? `${name}${UPPER}` : name;
}

/** The key hash with a number in files. Undefined if there is none. */
export function keyHashWithId(id: number, isUpper: boolean): KeyHash | undefined {
  for (const [name, hash] of Object.entries(KEY_HASHES)) if (hash.id === id && isName(name)) return { name, isUpper };
  return undefined;
}
