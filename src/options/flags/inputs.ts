// Flags that say what is read.

import { parseComment, parsePart } from '../numbers.ts';
import { flagsOf } from './define.ts';

const flag = flagsOf('Inputs');

export const inputsFlags = {
  filesFrom: () =>
    flag.repeated(
      '--files-from <file>',
      "read also the files that this one names, one a line; '-' is standard input",
      (text) => text,
    ),
  files0From: () =>
    flag.repeated(
      '--files0-from <file>',
      'the same with names that end with NUL, as find -print0 gives them',
      (text) => text,
    ),
  slice: () =>
    flag.valued(
      '--slice <k/n>',
      'of the files, as if they were one, read only the records that begin in part K of N equal ones, from 1 on',
      parsePart,
    ),
  comment: () => flag.valued('--comment <prefix>', 'leave out records that begin with this, such as #', parseComment),
  raw: () =>
    flag.plain(
      '--raw',
      'take inputs byte for byte: decompress nothing, keep a byte order mark, accept UTF-16 and filters',
    ),
} as const;
