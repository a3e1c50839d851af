// Flags that say what the keys of records are.

import { KEY_TYPE_NAMES } from '../../formats/key-types.ts';
import { parseDelimiter, parseFields, parsePath, parseSet } from '../numbers.ts';
import { flagsOf } from './define.ts';

/** What becomes of the normalisation of keys. */
const RECORDED = '; recorded in the filter and obeyed by every later command';

const flag = flagsOf('Keys');

export const keysFlags = {
  key: () =>
    flag.repeated(
      '-e, --key <key>',
      'ask about this key, read like input: a newline makes two of it; may be repeated',
      (text) => text,
    ),
  field: (severalAreKeys = 'each') =>
    flag.valued(
      '-f, --field <list>',
      `the key is this field of the record, counted from 1, or of several, such as 1,3-5,-1, ${severalAreKeys}; -1 is the last one`,
      parseFields,
    ),
  delimiter: () =>
    flag.valued(
      '-d, --delimiter <text>',
      'what separates fields (default: runs of blanks; \\t is a tab)',
      parseDelimiter,
    ),
  delimiters: (areKeys = ', each of which is a key unless -f says which') =>
    flag.valued(
      '-D, --delimiters <set>',
      `runs of any of these characters separate fields${areKeys}; \\t is a tab`,
      parseSet,
    ),
  anyToken: () =>
    flag.plain('--any-token', 'each field is a key, any of which may match; with -d they may be empty, as with -f'),
  allFields: () =>
    flag.plain(
      '--all-fields',
      'a record matches only if it has all fields that -f names and all of its keys are in the set',
    ),
  tokens: () =>
    flag.chosen(
      '--tokens <what>',
      'each word is a key: letters, digits and, inside, dots, hyphens and _; so is an address with more in its word',
      ['words'],
    ),
  csvRecords: () =>
    flag.plain('--csv', 'fields may be in quotes, and records then have several lines (RFC 4180); -d is one character'),
  jsonKey: () =>
    flag.valued(
      '--json-key <path>',
      'the key is what a line of JSON has at this path of names, such as user.id or .user.id: a text, a number or a boolean',
      parsePath,
    ),
  keyType: () =>
    flag.chosen(
      '--key-type <name>',
      'what a record is, or its field, where the file does not say (default: text)',
      KEY_TYPE_NAMES,
    ),
  ignoreCase: (whose = RECORDED) => flag.plain('-i, --ignore-case', `fold ASCII letters${whose}`),
  trim: (whose = RECORDED) => flag.plain('--trim', `drop blanks around keys${whose}`),
  nullTerminated: () => flag.plain('-0, --null', 'records end with NUL instead of a newline'),
  nullData: () => flag.alias('-z, --null-data', 'null'),
  digests: () =>
    flag.plain(
      '--digests',
      'the inputs are digests that bloom digest wrote, with the --hash, --seed, -i and --trim that are stated here',
    ),
} as const;
