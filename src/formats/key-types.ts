import type { EncodingName } from '../hashes/encodings.ts';
import type { HashName } from '../hashes/registry.ts';

/** What a record may be, for those whose keys are not text, and how it is written. */
export const KEY_TYPES = {
  text: 'the bytes of the record',
  hex: 'bytes, in hexadecimal',
  utf16: 'text that is hashed as UTF-16',
  int8: 'a whole number with 8 bits and a sign',
  int16: 'the same with 16 bits',
  int32: 'the same with 32 bits',
  int64: 'the same with 64 bits',
  uint8: 'a whole number of 8 bits, from 0 on',
  uint16: 'the same with 16 bits',
  uint32: 'the same with 32 bits',
  uint64: 'the same with 64 bits',
  float: 'a number with a fraction or an exponent, rounded to 32 bits',
  double: 'the same, rounded to 64 bits',
  decimal: 'a number with a fraction, as a column of decimals has it',
  boolean: 'true or false, or 1 or 0',
  date: 'a date such as 2024-02-29, or the number of days since 1970',
  timestamp: 'a time such as 2024-02-29T12:34:56.789Z, or as many units since 1970 as a column has',
  uuid: 'a UUID, with hyphens or without',
  cell: 'a row of HBase and a qualifier, with a tab between them',
} as const satisfies Readonly<Record<string, string>>;

export type KeyType = keyof typeof KEY_TYPES;

export const KEY_TYPE_NAMES = Object.keys(KEY_TYPES) as KeyType[];

/** What a system hashes of a key of some type: its bytes under an encoding, or as they are, by a hash of their own if it has one. */
interface KeyTypeRules {
  readonly encoding?: EncodingName;
  readonly hash?: HashName;
}

/** The types of keys that a system has. */
export type KeyTypes = Readonly<Partial<Record<KeyType, KeyTypeRules>>>;

/** Of systems whose keys are text, and of those that take any bytes. */
export const TEXT: KeyTypes = { text: {} };
export const BYTES: KeyTypes = { ...TEXT, hex: { encoding: 'hex' } };
