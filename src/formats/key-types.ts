import type { EncodingName } from '../hashes/encodings.ts';
import type { HashName } from '../hashes/registry.ts';

/** What a record contains if keys are not text, and how it is written. */
export const KEY_TYPES = {
  text: 'the bytes of the record',
  hex: 'bytes in hexadecimal',
  utf16: 'text that is hashed as UTF-16',
  int8: 'a signed whole number of 8 bits',
  int16: 'the same of 16 bits',
  int32: 'the same of 32 bits',
  int64: 'the same of 64 bits',
  uint8: 'an unsigned whole number of 8 bits',
  uint16: 'the same of 16 bits',
  uint32: 'the same of 32 bits',
  uint64: 'the same of 64 bits',
  float: 'a floating-point number, rounded to 32 bits',
  double: 'a floating-point number, rounded to 64 bits',
  decimal: 'a decimal number, as in a column of decimals',
  boolean: 'true or false, or 1 or 0',
  date: 'a date such as 2024-02-29, or the number of days since 1970',
  timestamp: 'a time such as 2024-02-29T12:34:56.789Z, or the units of the column since 1970',
  uuid: 'a UUID, with hyphens or without',
  cell: 'a row and a qualifier of HBase, separated by a tab',
} as const satisfies Readonly<Record<string, string>>;

export type KeyType = keyof typeof KEY_TYPES;

/** The same, and the types that filters of bloomery's own format record. */
export type AnyKeyType = KeyType | 'domain' | 'network';

export const KEY_TYPE_NAMES = Object.keys(KEY_TYPES) as KeyType[];

/**
 * The bytes of a key that a system hashes: the encoding of its type, or the key itself. A type may have a hash of its
 * own.
 */
interface KeyTypeRules {
  readonly encoding?: EncodingName;
  readonly hash?: HashName;
}

/** The key types of a system. */
export type KeyTypes = Readonly<Partial<Record<KeyType, KeyTypeRules>>>;

/** For systems whose keys are text, and for those that accept any bytes. */
export const TEXT: KeyTypes = { text: {} };
export const BYTES: KeyTypes = { ...TEXT, hex: { encoding: 'hex' } };
