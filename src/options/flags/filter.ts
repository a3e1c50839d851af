// Flags that describe a filter.

import { BloomError } from '../../errors.ts';
import { KINDS } from '../../filters/registry.ts';
import { NOTE_LIMIT } from '../../formats/note.ts';
import { HASH_NAMES } from '../../hashes/registry.ts';
import { SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { countBetween, parseCount, parsePart, parsePositive, parseSeed, Unreadable } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const KIND_NAMES = KINDS.map(({ name }) => name);

const flag = flagsOf('Filter');

export const filterFlags = {
  kind: () => flag.chosen('--kind <name>', 'choose the structure of the filter', KIND_NAMES),
  kinds: () => flag.repeatedNames('--kind <name>', 'size this structure, or all of them; may be repeated', KIND_NAMES),
  hash: () => flag.chosen('--hash <name>', 'choose the hash function of the keys', HASH_NAMES),
  seed: () => flag.valued('--seed <number>', 'set the seed of the hash: a number, or random', parseSeed),
  moreFilters: () =>
    detailed(
      flag.repeated('-F, --filter <filter>', 'query this filter too; may be repeated', (text) => text),
      'The value is a file, a folder, a URL, or a pattern in quotes.',
    ),
  filtersFrom: () =>
    detailed(
      flag.repeated('--filters-from <file>', 'query the filters named in this file, one per line', (text) => text),
      "'-' is the standard input.",
    ),
  format: (names: readonly string[]) =>
    detailed(
      flag.named('--format <name>', 'state the format of the filter if bloom cannot detect it', names),
      'bloom formats lists the formats. Most files tell their format by their content.',
    ),
  newFormat: (names: readonly string[]) =>
    detailed(
      flag.named('--format <name>', 'make a filter for another system (see the list below)', names),
      'By default, build makes a filter in its own format, bloomery.',
    ),
  sizedFormats: (names: readonly string[]) =>
    flag.repeatedNames('--format <name>', 'size filters of this system, or all; may be repeated', names),
  column: () =>
    detailed(
      flag.text('--column <name>', 'query this column, if the file has several filters'),
      'A nested column has a dot between the names, as in a.b.',
    ),
  timeout: () => flag.valued('--timeout <seconds>', 'wait this long for a silent server (default: 30)', parsePositive),
  httpHeader: () =>
    detailed(
      flag.repeated('--http-header <source>', 'send the headers in @FILE or env:NAME to the server', parseHeaderSource),
      'A line is a header, such as Authorization: Bearer TOKEN. Only the server of the first URL gets it.',
    ),
  never: () =>
    detailed(
      flag.repeated('--never <file>', 'never select the keys of this file; may be repeated', (text) => text),
      "'-' is the standard input. The flags that choose keys apply to this file too. Needs --kind ribbon or fuse.",
    ),
  universe: () =>
    detailed(
      flag.repeated('--universe <file>', 'answer exactly for all keys of this file', (text) => text),
      "The file has all keys that will be looked up. '-' is the standard input. Needs --kind ribbon or fuse.",
    ),
  neverWins: () =>
    detailed(
      flag.plain('--never-wins', 'leave keys of --never out of the filter'),
      'Without this flag, build refuses a key that is both to be added and to be protected.',
    ),
  memberWins: () =>
    detailed(
      flag.plain('--member-wins', 'keep added keys in the filter despite --never'),
      'Without this flag, build refuses a key that is both to be added and to be protected.',
    ),
  protectedKeys: () => flag.valued('--protected <count>', 'size for this many keys of build --never', parseCount),
  universeKeys: () => flag.valued('--universe <count>', 'size for a universe of this many keys', parseCount),
  part: () =>
    detailed(
      flag.valued('--part <k/n>', 'build only part K of N; bloom merge joins the parts', parsePart),
      'K counts from 1. The part has the keys of its share of the segments, and takes its share of the memory.',
    ),
  passes: () =>
    detailed(
      flag.valued('--passes <count>', 'read the files this many times to save memory', countBetween(1, SEGMENTS_LIMIT)),
      'Each pass builds one part of the filter and needs only the memory of that part.',
    ),
  resume: () =>
    detailed(
      flag.plain('--resume', 'keep finished passes, and go on after them'),
      'Needs --passes. Each finished part is in a hidden file beside the output until the filter is complete.',
    ),
  note: () =>
    detailed(
      flag.valued('--note <text>', 'store this text in the filter; bloom stats shows it', parseNote),
      'The text has at most 1,000 bytes.',
    ),
  stamp: () =>
    detailed(
      flag.plain('--stamp', 'store the time of the build in the filter'),
      'The time is now, or SOURCE_DATE_EPOCH if that is set. With a time the bytes of the filter differ from build to build.',
    ),
} as const;

/** The source of headers: a file, or a variable of the environment. */
export type HeaderSource = { readonly file: string } | { readonly variable: string };

function parseHeaderSource(text: string): HeaderSource {
  const [, file, variable] = /^(?:@(.+)|env:([A-Za-z_]\w*))$/s.exec(text) ?? [];
  if (file !== undefined) return { file };
  if (variable !== undefined) return { variable };
  // The message does not show the text, which may be a secret.
  throw new BloomError(
    'usage',
    '--http-header is @FILE or env:NAME, because other users can see the command line',
    'write the header to a file that only you can read, and use --http-header @FILE',
  );
}

/** The text of a note. */
function parseNote(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes >= 1 && bytes <= NOTE_LIMIT) return text;
  throw new Unreadable(`expected from 1 to ${NOTE_LIMIT} bytes, not ${bytes}`);
}
