// Flags that define the keys of records.

import { KEY_TYPE_NAMES } from '../../formats/key-types.ts';
import { KEY_HASH_TEXTS, type KeyHash, keyHashNamed } from '../../hashes/key-hashes.ts';
import { parseDelimiter, parseFields, parsePath, parseSet, Unreadable } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

/** The sentence of the manual about normalisation. */
const RECORDED = 'The filter records this flag, and every later command obeys it.';

const flag = flagsOf('Keys');

function parseKeyHash(text: string): KeyHash {
  const found = keyHashNamed(text);
  if (found !== undefined) return found;
  throw new Unreadable(`expected one of ${KEY_HASH_TEXTS.join(', ')}`);
}

export const keysFlags = {
  key: (verb: string) =>
    detailed(
      flag.repeated('-e, --key <key>', `${verb} this key; may be repeated`, (text) => text),
      'The key is read like input: a newline in it separates two keys. The standard input is not read then, unless it is named.',
    ),
  field: (several = 'Each of several fields is a key.') =>
    detailed(
      flag.valued('-f, --field <list>', 'use this field as the key, such as 2, 1,3-5 or -1', parseFields),
      `Fields count from 1, and negative numbers count from the last field. ${several} 1- is every field.`,
    ),
  delimiter: () =>
    detailed(
      flag.valued('-d, --delimiter <text>', 'separate fields by this text (default: blanks)', parseDelimiter),
      'By default, runs of spaces and tabs separate fields. \\t is a tab.',
    ),
  delimiters: (several = 'Each field is a key unless -f selects fields.') =>
    detailed(
      flag.valued('-D, --delimiters <set>', 'separate fields by runs of any of these characters', parseSet),
      [several, '\\t is a tab.'].join(' ').trim(),
    ),
  allFields: () =>
    detailed(
      flag.plain('--all-fields', 'select a record only if all of its keys may be in the set'),
      'A record without one of the fields of -f is not selected.',
    ),
  tokens: () =>
    detailed(
      flag.chosen('--tokens <what>', 'use each word of a record as a key', ['words']),
      'A word has letters and digits and, between them, dots, hyphens and underscores. An IPv4 address with more around it in its word is a key too.',
    ),
  csvRecords: () =>
    detailed(
      flag.plain('--csv', 'read CSV, whose fields may be in quotes (RFC 4180)'),
      'A quoted field may contain delimiters and newlines. -d is one character, by default a comma.',
    ),
  header: () =>
    detailed(
      flag.plain('--header', 'read column names from the first record, for -f'),
      'Each input has its own header: --csv --header -f email. The header is not a record. Numbers in -f still count fields.',
    ),
  jsonKey: () =>
    detailed(
      flag.valued('--json-key <path>', 'use the value at this path of a JSON line, such as a.b', parsePath),
      'The path has names with dots between them, such as user.id or .user.id. The value is a string, a number or a boolean.',
    ),
  keyType: () =>
    detailed(
      flag.chosen('--key-type <name>', 'state the type of the keys (default: text)', KEY_TYPE_NAMES),
      'A file that states the type of its keys, such as Parquet, needs no flag.',
    ),
  keyHash: (whose = RECORDED) =>
    detailed(
      flag.valued('--key-hash <name>', 'use the digest of a key as the key: sha1, sha256, md5', parseKeyHash),
      `The digest is text in hexadecimal, in lower case, or in upper case with sha1:upper. ${whose}`,
    ),
  hashed: () =>
    detailed(
      flag.plain('--hashed', 'read keys that are digests of --key-hash already'),
      'Digits may be in any case. Records that are not such digests are counted and skipped.',
    ),
  ignoreCase: (whose = RECORDED) =>
    detailed(
      flag.setting('-i, --ignore-case', 'treat capital and small ASCII letters as equal', 'ignoreCase', true),
      whose,
    ),
  ignoreCaseUnicode: () =>
    detailed(
      flag.setting('--ignore-case-unicode', 'like -i, for the letters of all scripts', 'ignoreCase', 'unicode'),
      'Simple case folding of Unicode 17.0 decides which letters are equal. Bytes that are not UTF-8 are kept.',
    ),
  trim: (whose = RECORDED) => detailed(flag.plain('--trim', 'remove blanks before and after keys'), whose),
  suffixes: () =>
    detailed(
      flag.plain('--suffixes', 'match domain names by any of their parent domains'),
      'With evil.com in the set, a.evil.com is found, and notevil.com is not. A dot or *. before a name, a dot behind it, and capital letters change nothing. A filter that is built with this flag records it. For another filter, query also looks up keys as they are written.',
    ),
  prefixes: () =>
    detailed(
      flag.plain('--prefixes', 'match addresses by any network that contains them'),
      'Keys are IPv4 and IPv6 addresses, and blocks such as 192.0.2.0/24. The filter records this and the lengths of its blocks.',
    ),
  fold: () =>
    detailed(
      flag.plain('--fold', 'look up keys also in lower and in upper case'),
      'Use it for filters of hexadecimal digests that were built without -i.',
    ),
  nullTerminated: () => flag.plain('-0, --null', 'end records with NUL instead of a newline'),
  nullData: () => flag.alias('-z, --null-data', 'null'),
  digests: () =>
    detailed(
      flag.plain('--digests', 'read digests that bloom digest wrote'),
      'State the same --hash, --seed, -i and --trim as for bloom digest.',
    ),
} as const;
