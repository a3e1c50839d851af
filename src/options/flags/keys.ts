// Flags that say what the keys of records are.

import { KEY_TYPE_NAMES } from '../../formats/key-types.ts';
import { countBetween, parseDelimiter } from '../numbers.ts';
import { flagsOf } from './define.ts';

/** Fields are counted in 32 bits. */
const FIELD_LIMIT = 2 ** 32 - 1;

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
  field: () =>
    flag.valued(
      '-f, --field <number>',
      'the key is this field of the record, counted from 1',
      countBetween(1, FIELD_LIMIT),
    ),
  delimiter: () =>
    flag.valued(
      '-d, --delimiter <text>',
      'what separates fields (default: runs of blanks; \\t is a tab)',
      parseDelimiter,
    ),
  anyToken: () =>
    flag.plain('--any-token', 'a record matches if any of its fields does; with -d they may be empty, as with -f'),
  keyType: () =>
    flag.chosen(
      '--key-type <name>',
      'what a record is, or its field, where the file does not say (default: text)',
      KEY_TYPE_NAMES,
    ),
  ignoreCase: (whose = RECORDED) => flag.plain('-i, --ignore-case', `fold ASCII letters${whose}`),
  trim: (whose = RECORDED) => flag.plain('--trim', `drop blanks around keys${whose}`),
  nullTerminated: () => flag.plain('-0, --null', 'records end with NUL instead of a newline'),
  digests: () =>
    flag.plain(
      '--digests',
      'the inputs are digests that bloom digest wrote, with the --hash, --seed, -i and --trim that are stated here',
    ),
} as const;
