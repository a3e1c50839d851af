// Flags that select the inputs.

import { parseComment, parsePart } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const flag = flagsOf('Inputs');

export const inputsFlags = {
  filesFrom: () =>
    detailed(
      flag.repeated('--files-from <file>', 'also read the files named in this file, one per line', (text) => text),
      "'-' is the standard input.",
    ),
  files0From: () =>
    detailed(
      flag.repeated('--files0-from <file>', 'like --files-from, but every name ends with NUL', (text) => text),
      'find -print0 prints names that end with NUL.',
    ),
  recursive: () =>
    detailed(
      flag.plain('-r, --recursive', 'read the files in folders too'),
      'Files that are not text are skipped. Links to folders are not followed.',
    ),
  slice: () =>
    detailed(
      flag.valued('--slice <k/n>', 'read only slice K of N equal slices of the files', parsePart),
      'K counts from 1. The files are divided as if they were one file. A slice has the records that begin in it.',
    ),
  comment: () =>
    detailed(
      flag.repeated('--comment <prefix>', 'skip records that begin with this, such as #', parseComment),
      'The flag may be repeated. Spaces and tabs may stand before the prefix, but not with --csv.',
    ),
  trailingComments: () =>
    detailed(
      flag.plain('--trailing-comments', 'also cut comments at the end of records'),
      'A record ends before a space or tab and a prefix of --comment.',
    ),
  skipEmpty: () =>
    detailed(
      flag.plain('--skip-empty', 'skip empty records'),
      'A record of spaces and tabs is empty too. Without this flag, an empty record is the empty key.',
    ),
  raw: () =>
    detailed(
      flag.plain('--raw', 'read the bytes as they are; decompress nothing'),
      'A byte order mark stays part of the first record. UTF-16 text and filters are accepted as records.',
    ),
} as const;
