// Each flag of the command line once: its name, its help and its grammar. Commands pick the ones they take.

import { InvalidArgumentError, Option } from 'commander';
import { BloomError } from '../errors.ts';
import { growingNames, KINDS } from '../filters/registry.ts';
import { KEY_TYPE_NAMES } from '../formats/key-types.ts';
import { HASH_NAMES } from '../hashes/registry.ts';
import { K_LIMIT } from '../sizing/bloom.ts';
import { SEGMENT_BITS_LIMIT, SEGMENTS_LIMIT, SMALLEST_SEGMENT_BITS } from '../sizing/geometry.ts';
import { DEFAULT_GROWTH, DEFAULT_TIGHTENING } from '../sizing/scalable.ts';
import {
  countBetween,
  parseBits,
  parseCount,
  parseCountOrZero,
  parseDelimiter,
  parseItems,
  parsePart,
  parsePositive,
  parseRate,
  parseSeed,
  parseShare,
  parseSize,
  Unreadable,
} from './numbers.ts';

/** A flag with one value, which `parse` reads. If it is given twice, neither is taken for what was meant. */
function single(option: Option, parse: (text: string) => unknown): Option {
  return option.argParser((text, earlier) => {
    if (earlier !== undefined) throw new BloomError('usage', `${option.long} is given twice`, 'drop one of them');
    return parse(text);
  });
}

/** A flag that may be repeated, each of whose values `parse` reads. */
function repeated<T>(flags: string, description: string, parse: (text: string) => T): Option {
  return new Option(flags, description).argParser((text, earlier: readonly T[] = []) => [
    ...earlier,
    following(parse)(text),
  ]);
}

const asIs = (text: string) => text;

/** A flag whose value is a text. */
function text(flags: string, description: string): Option {
  return single(new Option(flags, description), asIs);
}

/** A flag whose value follows one of the grammars. */
function valued(flags: string, description: string, parse: (text: string) => unknown): Option {
  return single(new Option(flags, description), following(parse));
}

/** A flag whose value is one of these words, which the help lists. */
function chosen(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description).choices(words);
  const { parseArg: parse = (value) => value } = option;
  return single(option, (value) => parse<unknown>(value, undefined));
}

/** A grammar whose errors are commander's. */
function following<T>(parse: (text: string) => T): (text: string) => T {
  return (value) => {
    try {
      return parse(value);
    } catch (error) {
      if (error instanceof Unreadable) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

/** Fields are counted in 32 bits. */
const FIELD_LIMIT = 2 ** 32 - 1;

/** The values of a --kind that takes several. */
const KIND_CHOICES = `all or one of: ${KINDS.map(({ name }) => name).join(', ')}`;

/** Where the help says what JSON has. */
const NAMES = 'with the names of src/commands/JSON.md';

/** What -n also takes. */
const OF_SKETCH = ', or @FILE: those of a sketch of bloom count, at most';

/** More threads than this would wait for the memory rather than work. */
export const THREADS_LIMIT = 64;

/** More outputs than this a process may not have open. */
const PARTS_LIMIT = 1000;

/** Bits of a segment. */
function parseSegmentSize(text: string): number {
  const bits = parseSize(text);
  if (bits >= SMALLEST_SEGMENT_BITS && bits <= SEGMENT_BITS_LIMIT) return bits;
  throw new Unreadable('expected a size from 16KiB to 512KiB');
}

/** A file has it in ten thousandths. */
function parseTightening(text: string): number {
  const ratio = parseRate(text);
  if (Number.isInteger(Number((ratio * 1e4).toPrecision(12)))) return ratio;
  throw new Unreadable('expected a number between 0 and 1 with at most four digits, such as 0.85');
}

/** One of some names, too many for the help. */
function named(names: readonly string[]): (text: string) => string {
  return (text) => {
    if (names.includes(text)) return text;
    throw new Unreadable(`expected one of: ${names.join(', ')}`);
  };
}

/** One of some names, or `all`. */
function oneOf(names: readonly string[]): (text: string) => string {
  return (text) => {
    if (text === 'all' || names.includes(text)) return text;
    throw new Unreadable(`expected all or one of: ${names.join(', ')}`);
  };
}

function parseKind(text: string): string {
  if (text === 'all' || KINDS.some((kind) => kind.name === text)) return text;
  throw new Unreadable(`expected ${KIND_CHOICES}`);
}

/** What becomes of the normalisation of keys. */
const RECORDED = '; recorded in the filter and obeyed by every later command';

export const flags = {
  items: () => valued('-n, --items <count>', `keys the filter is sized for${OF_SKETCH}`, parseItems),
  manyItems: () =>
    repeated('-n, --items <count>', `keys the filter is sized for${OF_SKETCH}; may be repeated`, parseItems),
  fpr: () => valued('-p, --fpr <rate>', 'false-positive rate it is sized for, such as 1% or 1e-3', parseRate),
  bits: () => valued('-m, --bits <count>', 'size in bits', parseBits),
  memory: () => valued('--memory <size>', 'size, such as 12MB, 12MiB or 96Mbit', parseSize),
  hashes: () =>
    valued(
      '-k, --hashes <count>',
      `probes a key, k: 1 to ${K_LIMIT}; of kinds with slots, the bits of a fingerprint`,
      countBetween(1, K_LIMIT),
    ),
  bitsPerKey: () => valued('--bits-per-key <number>', 'size in bits for each key', parsePositive),
  headroom: () => valued('--headroom <share>', 'room for growth on top of the keys, such as 30%', parseShare),
  segmentSize: () =>
    valued(
      '--segment-size <size>',
      'most bytes of a segment, which is what a point query reads, from 16KiB to 512KiB (default: 512KiB)',
      parseSegmentSize,
    ),
  growth: () =>
    valued(
      '--growth <factor>',
      `${growingNames()}, RedisBloom: how many times as large as the slice before a new one is (default: ${DEFAULT_GROWTH})`,
      parseCount,
    ),
  tightening: () =>
    valued(
      '--tightening <ratio>',
      `${growingNames()}: rate of a new slice, as a share of that of the slice before (default: ${DEFAULT_TIGHTENING})`,
      parseTightening,
    ),
  kind: () =>
    chosen(
      '--kind <name>',
      'structure of the filter',
      KINDS.map((kind) => kind.name),
    ),
  kinds: () => repeated('--kind <name>', `structure to size, ${KIND_CHOICES}; may be repeated`, parseKind),
  hash: () => chosen('--hash <name>', 'hash of the keys', HASH_NAMES),
  seed: () => valued('--seed <number>', 'seed of the hash, or random', parseSeed),
  sizedFormats: (names: readonly string[]) =>
    repeated('--format <name>', 'whose filters to size, all or one of those below; may be repeated', oneOf(names)),
  newFormat: (names: readonly string[]) =>
    valued('--format <name>', 'what is made: our own filters, or those of another system (see below)', named(names)),
  format: (names: readonly string[]) =>
    valued('--format <name>', 'what the filter is, where its content does not tell (see bloom formats)', named(names)),
  keyType: () =>
    chosen(
      '--key-type <name>',
      'what a record is, or its field, where the file does not say (default: text)',
      KEY_TYPE_NAMES,
    ),
  which: () =>
    new Option(
      '--which',
      'print in which filters, and which of their parts, keys may be: all arguments are filters or folders',
    ),
  column: () => text('--column <name>', 'the column that is asked, where a file has filters of several, as a.b'),
  timeout: () =>
    valued(
      '--timeout <seconds>',
      'for which a server may say nothing, where the filter is a URL (default: 30)',
      parsePositive,
    ),
  ignoreCase: (whose = RECORDED) => new Option('-i, --ignore-case', `fold ASCII letters${whose}`),
  trim: (whose = RECORDED) => new Option('--trim', `drop blanks around keys${whose}`),
  nullTerminated: () => new Option('-0, --null', 'records end with NUL instead of a newline'),
  digests: () =>
    new Option(
      '--digests',
      'the inputs are digests that bloom digest wrote, with the --hash, --seed, -i and --trim that are stated here',
    ),
  filesFrom: () =>
    repeated('--files-from <file>', "read also the files that this one names, one a line; '-' is standard input", asIs),
  files0From: () =>
    repeated('--files0-from <file>', 'the same with names that end with NUL, as find -print0 gives them', asIs),
  slice: () =>
    valued(
      '--slice <k/n>',
      'of the files, as if they were one, read only the records that begin in part K of N equal ones, from 1 on',
      parsePart,
    ),
  passes: () =>
    valued(
      '--passes <count>',
      'read the input files so many times, each time for a part of the filter, whose memory is all that is needed',
      countBetween(1, SEGMENTS_LIMIT),
    ),
  part: () =>
    valued(
      '--part <k/n>',
      'build part K of N, from 1 on: only the keys of its segments, in its share of the memory; bloom merge joins all',
      parsePart,
    ),
  raw: () =>
    new Option(
      '--raw',
      'take inputs byte for byte: decompress nothing, keep a byte order mark, accept UTF-16 and filters',
    ),
  field: () =>
    valued('-f, --field <number>', 'the key is this field of the record, counted from 1', countBetween(1, FIELD_LIMIT)),
  delimiter: () =>
    valued('-d, --delimiter <text>', 'what separates fields (default: runs of blanks; \\t is a tab)', parseDelimiter),
  // This and the colour change no result, and stand in aliases: the last one holds.
  threads: () =>
    new Option(
      '--threads <count>',
      'worker threads that share large inputs; with 1 the main thread works alone (default: one a core)',
    ).argParser(following(countBetween(1, THREADS_LIMIT))),
  anyToken: () =>
    new Option('--any-token', 'a record matches if any of its fields does; with -d they may be empty, as with -f'),
  output: () => text('-o, --output <file>', "where the filter goes; '-' is the standard output").makeOptionMandatory(),
  digestOutput: () =>
    text(
      '-o, --output <file>',
      "where digests go; '-' is the standard output; with --parts a name in which %d, or %03d, stands for the number",
    ).makeOptionMandatory(),
  sketchOutput: () => text('-o, --output <file>', "where the sketch is kept; '-' is the standard output"),
  parts: () =>
    valued(
      '--parts <count>',
      'divide the digests by the parts of the filter that is described, each of which has its output',
      countBetween(1, PARTS_LIMIT),
    ),
  force: () => new Option('--force', 'replace an existing output'),
  forceChange: () =>
    new Option('--force', 'change it even if it is write-protected or would get another owner or group'),
  strict: () => new Option('--strict', 'more keys than the capacity are an error, and nothing is written'),
  like: () => text('--like <filter>', 'same parameters as this filter, so that the two can be merged'),
  json: () => new Option('--json', `results as JSON, ${NAMES}`),
  csv: () => new Option('--csv', 'results as CSV'),
  color: () => new Option('--color <when>', 'colour in messages and tables').choices(['auto', 'always', 'never']),
  keySize: () =>
    valued('--key-size <bytes>', 'bytes of a key, to compare with storing the keys (default: 64)', parseCount),
  overfill: () => new Option('--overfill', 'the rate when the filter gets 1 to 10 times the keys it is sized for'),
  dryRun: () => new Option('--dry-run', 'only tell whether the filters fit together, and what the union would be'),
  invert: () => new Option('-v, --invert', 'print the records that are definitely not in the set'),
  count: () => new Option('-c, --count', 'print only the number of selected records'),
  quiet: () => new Option('-q, --quiet', 'print nothing, stop at the first selected record'),
  exitZero: () =>
    new Option('--exit-zero', 'that nothing was selected is success too, with status 0; errors keep theirs'),
  lineNumber: () => new Option('-n, --line-number', "print each record's number in its file"),
  withFilename: () => new Option('-H, --with-filename', 'print the name of the file before each record or count'),
  tag: () =>
    new Option(
      '--tag',
      'print every record with + (maybe present) or - (absent) before it; with -v only the absent ones',
    ),
  queryJson: () => new Option('--json', `print every record as one JSON object a line, or the counts, ${NAMES}`),
  summary: () => new Option('--summary', 'report counts and expected false positives on standard error'),
  lineBuffered: () =>
    new Option(
      '--line-buffered',
      'write every record at once, and ask a newer filter that takes the place of this one',
    ),
  key: () =>
    repeated(
      '-e, --key <key>',
      'ask about this key, read like input: a newline makes two of it; may be repeated',
      asIs,
    ),
  verify: () => new Option('--verify', 'check every byte of the filter; measures nothing unless --probes is given'),
  probes: () =>
    valued(
      '--probes <count>',
      'random absent keys to measure the rate with; 0 for none (default: 1M)',
      parseCountOrZero,
    ),
  absent: () => text('--absent <file>', 'measure the rate on records that are known not to be in the set'),
  present: () =>
    text('--present <file>', 'count the records of this file that are missing, though all should be in the set'),
  prometheus: () => new Option('--prometheus', 'metrics in the text format of Prometheus'),
  report: () =>
    text(
      '-o, --output <file>',
      'where the report goes, whole or not at all, also in place of an earlier one (default: standard output)',
    ),
  forceReport: () => new Option('--force', 'write over a file that is write-protected, or no report'),
  check: () => new Option('--check', 'exit with 1 if a filter is unhealthy'),
} as const;
