import type { KeySelection } from '../engine/input/key-selection.ts';
import { type LineStyle, WANTED } from '../engine/tasks/line-style.ts';
import type { Combination } from '../engine/tasks/task.ts';
import { BloomError } from '../errors.ts';
import type { Lookup } from '../formats/description.ts';
import type { Opening } from '../formats/opening.ts';
import type { Output } from '../io/atomic-file.ts';
import { isPipe, STDOUT } from '../io/descriptors.ts';
import { lookAt } from '../io/look.ts';
import type { OpeningFlags } from '../options/opening.ts';
import {
  type InputOptions,
  inputOptionsOf,
  KEY_FLAGS,
  parseSelection,
  WHOLE_KEY,
  type WithKeyFlags,
} from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import type { CommonFlags } from './command.ts';
import type { FilterLocations } from './opened-filters.ts';
import type { Question } from './query-answers.ts';
import { openingAt } from './remote-opening.ts';

/** A value of -F that is a separator of fields, not the name of a filter. */
export const SEPARATOR = /^(?:[^\w./*-]|\\t)$/;

/** The flags of a query as they are given. */
export interface QueryFlags extends WithKeyFlags, OpeningFlags, CommonFlags {
  readonly invert?: true;
  readonly count?: true;
  readonly maxCount?: number;
  readonly onlyMatching?: true;
  readonly filesWithMatches?: true;
  readonly filesWithoutMatch?: true;
  readonly nullNames?: true;
  readonly quiet?: true;
  readonly lineNumber?: true;
  readonly withFilename?: true;
  readonly tag?: true;
  readonly json?: true;
  readonly summary?: true;
  readonly lineBuffered?: true;
  readonly memory?: number;
  readonly exitZero?: true;
  readonly stale?: true;
  readonly suffixes?: true;
  readonly fold?: true;
  readonly output?: string;
  readonly force?: true;
  readonly which?: true;
  readonly firstOnly?: true;
  readonly all?: true;
  readonly filter?: readonly string[];
  readonly filtersFrom?: readonly string[];
}

/** What a query does. */
export interface QueryOptions
  extends InputOptions,
    Pick<Question, 'shows' | 'combination' | 'style' | 'isInverted' | 'countsKeys' | 'maxCount' | 'lineBuffered'> {
  readonly filters: FilterLocations;
  readonly opening: Opening;
  /** Keys of the command line. They replace the standard input. */
  readonly keys: readonly string[] | undefined;
  /** With a list of files: those without a selected record are listed. */
  readonly listsOthers: boolean;
  readonly summary: boolean;
  /** Bytes of memory for the filters. Undefined for all free memory. */
  readonly memory: number | undefined;
  /** The file of the results. Undefined for the standard output. */
  readonly output: Output | undefined;
  /** The arguments as they were typed, for hints. */
  readonly typed: readonly string[];
  readonly colour: CommonFlags['color'];
}

/**
 * The options of a query. `filter` is undefined if only flags name filters. Throws a `usage` error for flags that
 * contradict each other or have no effect.
 */
export function parseQuery(
  filter: string | undefined,
  files: readonly string[],
  raw: QueryFlags,
): Omit<QueryOptions, 'typed'> {
  refuseContradictions(raw);
  refuseWithoutEffect(raw, files);
  const filters = {
    locations: [...(filter === undefined ? [] : [filter]), ...(raw.filter ?? [])],
    lists: raw.filtersFrom ?? [],
  };
  const opening = openingAt(raw, filters.locations, filters.lists.length > 0);
  requireFilters(raw.filter ?? []);
  const isInverted = raw.invert === true;
  const json = raw.json === true;
  const tag = raw.tag === true;
  const shows = shownBy(raw);
  // --tag and --json print every record with its answer. With --invert, they print the absent records.
  const showsAll = (tag || json) && !raw.onlyMatching;
  const wanted = isInverted ? WANTED.absent : showsAll ? WANTED.all : WANTED.present;
  const style: LineStyle = {
    ...{ wanted, tag, named: raw.withFilename === true, numbered: raw.lineNumber === true, json },
    keys: raw.onlyMatching && 'alone',
    afterName: raw.nullNames ? '\0' : ':',
  };
  return {
    filters,
    opening: { ...opening, lookup: lookupOf(raw) },
    ...inputOptionsOf(files, raw, shows === 'records' && raw.output === undefined && isPipe(STDOUT)),
    ...(raw.lineBuffered && { threads: 1 }),
    keys: raw.key,
    shows,
    combination: combinationOf(raw, shows),
    style,
    isInverted,
    countsKeys: raw.count === true && raw.onlyMatching === true,
    maxCount: raw.maxCount,
    listsOthers: raw.filesWithoutMatch === true,
    lineBuffered: raw.lineBuffered === true,
    summary: raw.summary === true,
    memory: raw.memory && raw.memory / 8,
    output: resultsOutput(raw),
    colour: raw.color,
  };
}

/** What is looked up for a key. Throws a `usage` error for flags that contradict each other. */
function lookupOf(raw: QueryFlags): Lookup | undefined {
  if (raw.suffixes) {
    refuseUnused(raw, ['fold'], '--suffixes ignores case');
    refuseUnused(raw, ['allFields'], 'with --suffixes, any of the names is enough');
  }
  return raw.suffixes ? 'suffixesOfText' : raw.fold && 'cases';
}

/** Throws an `input` error for a separator instead of a filter: in awk, -F sets the separator. */
function requireFilters(names: readonly string[]): void {
  const separator = names.find((name) => SEPARATOR.test(name) && lookAt(name) === undefined);
  if (separator === undefined) return;
  throw new BloomError('input', `cannot read ${separator}: no such file or folder`, '-d names the delimiter of fields');
}

/** The file of the results. Throws a `usage` error for --force without a file. */
export function resultsOutput(raw: Pick<QueryFlags, 'output' | 'force'>): Output | undefined {
  const { output, force } = raw;
  if (output !== undefined && output !== '-') return { name: output, replace: force === true, isText: true };
  refuseUnused(raw, ['force'], 'without --output no file is written');
  return undefined;
}

/** How the answers of several filters are combined. */
function combinationOf(raw: QueryFlags, shows: QueryOptions['shows']): Combination {
  const needed = raw.all ? 'all' : 'any';
  const namesFilters = (raw.which || raw.firstOnly) && (shows !== 'nothing' || raw.json);
  if (!namesFilters) return { needed, named: 'none' };
  return { needed, named: raw.firstOnly ? 'first' : 'all' };
}

function shownBy(raw: QueryFlags): QueryOptions['shows'] {
  if (raw.quiet) return 'nothing';
  if (raw.filesWithMatches || raw.filesWithoutMatch) return 'files';
  return raw.count ? 'counts' : 'records';
}

/** Flags about records. They have no effect on keys of the command line. */
const WITHOUT_RECORDS = [...KEY_FLAGS, 'raw'] as const;

/** Why flags about records have no effect with --which. */
export const WITHOUT_F = 'without -F all arguments of --which are filters';

/** A query that prints the locations of keys. */
export interface WhichOptions {
  /** Files and folders. */
  readonly places: readonly string[];
  readonly opening: Opening;
  /** Keys of the command line. They replace the standard input. */
  readonly keys: readonly string[] | undefined;
  readonly selection: KeySelection;
  readonly shows: 'lines' | 'JSON' | 'nothing';
  /** Whether only the first matching location is printed per key. */
  readonly firstOnly: boolean;
  /** The file of the results. Undefined for the standard output. */
  readonly output: Output | undefined;
  readonly colour: CommonFlags['color'];
}

/** Throws a `usage` error for --csv with something that prints one line per record. */
export function refuseCsv({ csv }: QueryFlags, what: string): void {
  if (csv)
    throw new BloomError(
      'usage',
      `${what} prints one line per record, and records of --csv may have several lines`,
      'leave out one of them',
    );
}

/** The options of a query with --which. */
export function parseWhich(places: readonly string[], raw: QueryFlags): WhichOptions {
  refuseUnused(
    raw,
    ['filesWithMatches', 'filesWithoutMatch', 'invert'],
    '--which prints filters that may contain a key',
  );
  refuseCsv(raw, '--which');
  refuseUnused(raw, ['maxCount', 'onlyMatching', 'nullNames', 'count', 'tag', 'lineNumber'], WITHOUT_F);
  refuseUnused(raw, ['withFilename', 'summary', 'lineBuffered', 'filesFrom', 'files0From'], WITHOUT_F);
  refuseUnused(raw, ['slice', 'all'], WITHOUT_F);
  if (raw.quiet) refuseUnused(raw, ['firstOnly', 'json', 'output'], '--quiet prints nothing');
  if (raw.key !== undefined) refuseUnused(raw, WITHOUT_RECORDS, WHOLE_KEY);
  return {
    places,
    opening: { ...openingAt(raw, places), lookup: lookupOf(raw) },
    keys: raw.key,
    selection: parseSelection(raw),
    shows: raw.quiet ? 'nothing' : raw.json ? 'JSON' : 'lines',
    firstOnly: raw.firstOnly === true,
    output: resultsOutput(raw),
    colour: raw.color,
  };
}

function refuseContradictions(raw: QueryFlags): void {
  refuseContradictoryNames(raw);
  const other = raw.count ? '--count' : raw.json ? '--json' : undefined;
  if (raw.tag && other !== undefined)
    throw new BloomError('usage', `--tag and ${other} ask for different outputs`, 'leave out one of them');
  if (raw.tag && raw.onlyMatching)
    throw new BloomError('usage', '--tag prints all records, --only-matching prints keys', 'leave out one of them');
  if (raw.filesWithMatches && raw.filesWithoutMatch)
    throw new BloomError(
      'usage',
      '--files-with-matches and --files-without-match ask for different files',
      'leave out one of them',
    );
  const naming = raw.firstOnly ? '--first-only' : raw.which && '--which';
  const counted = raw.json ? '--json' : naming;
  const counting = raw.summary ? '--summary' : raw.count && counted && `${counted} with --count`;
  if (raw.maxCount !== undefined && counting)
    throw new BloomError(
      'usage',
      `${counting} counts all records, --max-count stops before the end`,
      'leave out one of them',
    );
  const numbering = raw.lineNumber ? '--line-number' : raw.json && shownBy(raw) === 'records' ? '--json' : undefined;
  if (raw.slice !== undefined && numbering !== undefined)
    throw new BloomError(
      'usage',
      `${numbering} counts records from the start of a file, --slice does not read those before it`,
      'leave out one of them',
    );
}

function refuseContradictoryNames(raw: QueryFlags): void {
  const naming = raw.firstOnly ? '--first-only' : raw.which && '--which';
  if (!naming) return;
  if (raw.firstOnly && raw.all)
    throw new BloomError('usage', '--all needs all filters, --first-only prints one of them', 'leave out one of them');
  if (raw.all && raw.count && !raw.json)
    throw new BloomError(
      'usage',
      `--all needs all filters, ${naming} with --count counts for each filter`,
      'leave out one of them, or add --json for both',
    );
  if (raw.invert && (raw.count || !raw.all))
    throw new BloomError(
      'usage',
      `${naming} prints filters that may contain a record, -v selects the other records`,
      'leave out one of them',
    );
  refuseUnused(raw, ['filesWithMatches', 'filesWithoutMatch'], `${naming} prints filters before each record`);
}

/** Why flags about records have no effect. */
const COUNTS_KEYS = '--only-matching and --count together count the keys that matched';

/** Throws a `usage` error for flags that change nothing. */
function refuseWithoutEffect(raw: QueryFlags, files: readonly string[]): void {
  if (raw.quiet) {
    const why = '--quiet prints nothing';
    refuseUnused(raw, ['count', 'maxCount', 'onlyMatching', 'filesWithMatches', 'filesWithoutMatch'], why);
    refuseUnused(raw, ['tag', 'lineNumber', 'withFilename', 'lineBuffered', 'output'], why);
    if (!raw.summary) refuseUnused(raw, ['json'], why);
    if (!raw.json) refuseUnused(raw, ['which', 'firstOnly'], '--quiet prints no records');
  }
  const listing = raw.filesWithMatches ? '--files-with-matches' : raw.filesWithoutMatch && '--files-without-match';
  if (listing) {
    const why = `${listing} prints names, and stops at the first selected record of a file`;
    refuseUnused(
      raw,
      ['count', 'maxCount', 'onlyMatching', 'tag', 'lineNumber', 'withFilename', 'summary', 'lineBuffered'],
      why,
    );
  }
  const printsNames = listing || (raw.withFilename && !raw.quiet);
  if (!printsNames || raw.json) refuseUnused(raw, ['nullNames'], 'no names of files are printed');
  if (raw.output !== undefined) refuseUnused(raw, ['lineBuffered'], '--output writes the whole file at the end');
  if (raw.count) refuseUnused(raw, ['lineNumber', 'lineBuffered'], '--count prints no records');
  if (raw.count && raw.onlyMatching)
    refuseUnused(raw, ['invert', 'summary', 'json', 'maxCount', 'allFields', 'which', 'firstOnly'], COUNTS_KEYS);
  if (raw.json && shownBy(raw) === 'records')
    refuseUnused(raw, ['lineNumber', 'withFilename'], '--json prints the file and the line of every record');
  if (raw.key !== undefined && files.length === 0 && raw.filesFrom === undefined && raw.files0From === undefined)
    refuseUnused(raw, [...WITHOUT_RECORDS, 'slice'], WHOLE_KEY);
}
