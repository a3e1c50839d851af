// Flags that say what a filter is.

import { KINDS } from '../../filters/registry.ts';
import { HASH_NAMES } from '../../hashes/registry.ts';
import { SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { parseNote } from '../note.ts';
import { countBetween, parsePart, parsePositive, parseSeed } from '../numbers.ts';
import { flagsOf } from './define.ts';

const KIND_NAMES = KINDS.map(({ name }) => name);

const flag = flagsOf('Filter');

export const filterFlags = {
  kind: () => flag.chosen('--kind <name>', 'structure of the filter', KIND_NAMES),
  kinds: () =>
    flag.repeatedNames(
      '--kind <name>',
      `structure to size, all or one of: ${KIND_NAMES.join(', ')}; may be repeated`,
      KIND_NAMES,
    ),
  hash: () => flag.chosen('--hash <name>', 'hash of the keys', HASH_NAMES),
  seed: () => flag.valued('--seed <number>', 'seed of the hash, or random', parseSeed),
  moreFilters: () =>
    flag.repeated(
      '-F, --filter <filter>',
      'ask this one too: a file, a folder, a URL, or a pattern in quotes; may be repeated',
      (text) => text,
    ),
  filtersFrom: () =>
    flag.repeated(
      '--filters-from <file>',
      "ask also the filters that this file names, one a line; '-' is standard input",
      (text) => text,
    ),
  format: (names: readonly string[]) =>
    flag.named('--format <name>', 'what the filter is, where its content does not tell (see bloom formats)', names),
  newFormat: (names: readonly string[]) =>
    flag.named('--format <name>', 'what is made: our own filters, or those of another system (see below)', names),
  sizedFormats: (names: readonly string[]) =>
    flag.repeatedNames('--format <name>', 'whose filters to size, all or one of those below; may be repeated', names),
  column: () => flag.text('--column <name>', 'the column that is asked, where a file has filters of several, as a.b'),
  timeout: () => flag.valued('--timeout <seconds>', 'seconds to wait for a silent server (default: 30)', parsePositive),
  part: () =>
    flag.valued(
      '--part <k/n>',
      'build part K of N, from 1 on: only the keys of its segments, in its share of the memory; bloom merge joins all',
      parsePart,
    ),
  passes: () =>
    flag.valued(
      '--passes <count>',
      'read the input files so many times, each time for a part of the filter, whose memory is all that is needed',
      countBetween(1, SEGMENTS_LIMIT),
    ),
  note: () =>
    flag.valued('--note <text>', 'what the filter says of itself, up to 1,000 bytes; stats shows it', parseNote),
  stamp: () =>
    flag.plain('--stamp', 'the filter says when it was made (now, or SOURCE_DATE_EPOCH): its bytes differ each time'),
} as const;
