import { availableParallelism } from 'node:os';
import type { Command, Option } from 'commander';
import type { InputSlice } from '../engine/input/file-range.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import {
  allFieldKeys,
  BLANKS,
  type FieldChoice,
  isRange,
  mayBeSeveral,
  type RecordKeys,
  type Separator,
  textSeparator,
  WHOLE_RECORD,
} from '../engine/input/record-keys.ts';
import { BloomError, printable } from '../errors.ts';
import { THREADS_LIMIT } from './flags/general.ts';
import { flags } from './flags.ts';
import { FIELDS_EXPECTED } from './numbers.ts';
import { refuseUnused } from './unused.ts';

/** Whether a thread can use the file descriptors of another thread. Under Deno, each thread has its own table. */
const HAVE_SHARED_DESCRIPTORS = process.versions.deno === undefined;

/** The flags that define the key of a record. */
export interface SelectionFlags {
  readonly raw?: true;
  readonly null?: true;
  readonly field?: readonly FieldChoice[];
  readonly header?: true;
  readonly delimiter?: string;
  readonly delimiters?: string;
  readonly tokens?: 'words';
  readonly jsonKey?: readonly string[];
  readonly csv?: true;
  readonly allFields?: true;
  readonly comment?: readonly string[];
  readonly trailingComments?: true;
  readonly skipEmpty?: true;
  readonly digests?: true;
  readonly threads?: number;
}

/** The flags among them that select parts of a record as keys. */
export const KEY_FLAGS = ['header', 'field', 'delimiter', 'delimiters', 'tokens', 'jsonKey', 'csv'] as const;

/** The differences of a command in these flags. */
interface OwnFlags {
  /** A record has one key, which may consist of several fields. */
  readonly areOne?: true;
  readonly threads?: Option;
}

/** Adds the flags of every command that reads records: the keys of records, and the number of threads. */
export function addSelectionFlags(command: Command, { areOne, threads = flags.threads() }: OwnFlags = {}): Command {
  command.addOption(flags.field(areOne && 'Several fields together are one key.')).addOption(flags.delimiter());
  command.addOption(flags.delimiters(areOne && ''));
  if (!areOne) command.addOption(flags.tokens());
  return command
    .addOption(flags.csvRecords())
    .addOption(flags.header())
    .addOption(flags.jsonKey())
    .addOption(flags.nullTerminated())
    .addOption(flags.raw())
    .addOption(threads);
}

/** The flags that name lists of inputs. */
export interface ListFlags {
  readonly filesFrom?: readonly string[];
  readonly files0From?: readonly string[];
}

/** The lists that flags name. */
export function listsOf({ filesFrom, files0From }: ListFlags): Required<ListFlags> {
  return { filesFrom: filesFrom ?? [], files0From: files0From ?? [] };
}

/** The flags of commands that read records from any number of inputs. */
export interface InputFlags extends SelectionFlags, ListFlags {
  readonly slice?: InputSlice;
}

/** The same for commands that also accept keys on the command line. */
export interface WithKeyFlags extends InputFlags {
  readonly key?: readonly string[];
}

/** Why flags about records have no effect on keys of the command line. */
export const WHOLE_KEY = 'a key of -e is used whole';

/** Throws a `usage` error for flags about the keys of records if keys are on the command line. */
export function refuseWithKeys(raw: WithKeyFlags): void {
  if (raw.key !== undefined) refuseUnused(raw, [...KEY_FLAGS, ...LEAVING, 'raw', 'slice', 'digests'], WHOLE_KEY);
}

/** Which records are read, and how. */
export interface InputOptions {
  readonly files: readonly string[];
  readonly lists: Required<ListFlags>;
  readonly slice: InputSlice | undefined;
  readonly selection: KeySelection;
  readonly threads: number;
}

/** Adds the flags of commands that read records from any number of inputs. */
export function addInputFlags(command: Command, own?: OwnFlags): Command {
  const { filesFrom, files0From, slice } = flags;
  return addSelectionFlags(command.addOption(filesFrom()).addOption(files0From()).addOption(slice()), own);
}

/** Adds the flags that skip records of a list. */
export function addListFlags(command: Command): Command {
  return command.addOption(flags.comment()).addOption(flags.trailingComments()).addOption(flags.skipEmpty());
}

/** The same for commands that read lists of keys. */
export function addKeyInputFlags(command: Command, own?: OwnFlags): Command {
  return addInputFlags(addListFlags(command), own);
}

/**
 * The inputs that files and flags state. `intoPipe` is true if results go into a pipe. Throws a `usage` error for
 * contradictions.
 */
export function inputOptionsOf(files: readonly string[], raw: InputFlags, intoPipe = false): InputOptions {
  const threads = threadsOf(raw, intoPipe);
  if (raw.csv && raw.slice !== undefined)
    throw new BloomError(
      'usage',
      '--slice cuts files anywhere, and a newline of --csv may be in quotes there',
      'cut the files between records, and name the parts',
    );
  return { files, lists: listsOf(raw), slice: raw.slice, selection: parseSelection(raw), threads };
}

/** Throws a `usage` error for flags that contradict each other. */
export function parseSelection(raw: SelectionFlags): KeySelection {
  if (raw.digests) {
    refuseUnused(raw, [...KEY_FLAGS, ...LEAVING, 'null', 'raw'], 'digests have no records');
    return { areDigests: true, nullTerminated: false, keys: WHOLE_RECORD };
  }
  const keys = keysOf(raw);
  if (!mayBeSeveral(keys)) refuseUnused(raw, ['allFields'], 'a record has at most one key');
  const { raw: isRaw = false, null: nullTerminated = false, comment: comments, allFields } = raw;
  if (comments === undefined) refuseUnused(raw, ['trailingComments'], 'without --comment there are no comments');
  if (raw.csv) refuseUnused(raw, ['trailingComments'], 'comments of --csv are whole lines');
  const quoted = raw.csv ? comments?.find((prefix) => prefix.includes('"')) : undefined;
  if (quoted !== undefined)
    throw new BloomError(
      'usage',
      `--comment ${printable(quoted)} has a quote, which begins a field of --csv`,
      'give only what stands before the quote',
    );
  return {
    raw: isRaw,
    nullTerminated,
    hasHeader: raw.header,
    keys,
    comments,
    endsAtComments: raw.trailingComments,
    skipsEmpty: raw.skipEmpty,
    needsAll: allFields,
  };
}

/** Flags that skip records. */
const LEAVING = ['comment', 'trailingComments', 'skipEmpty'] as const;

/** The keys of a record. */
function keysOf(raw: SelectionFlags): RecordKeys {
  const { field, tokens, jsonKey } = raw;
  if (jsonKey !== undefined) {
    refuseUnused(raw, ['header', ...FIELD_FLAGS, 'tokens'], '--json-key already selects the key of a line');
    return { type: 'value', path: jsonKey };
  }
  if (tokens !== undefined) {
    refuseUnused(raw, FIELD_FLAGS, '--tokens splits records into words, not fields');
    return { type: 'words' };
  }
  for (const choice of raw.header ? [] : (field ?? [])) if (!isRange(choice)) throw withoutHeader(choice.column);
  const isAny = raw.delimiters !== undefined && !raw.csv;
  const separating = raw.csv ? '--csv' : raw.delimiter === undefined ? undefined : '--delimiter';
  if (separating !== undefined && field === undefined && !isAny) {
    const what = `${separating} separates fields, but no field is selected`;
    throw new BloomError('usage', what, 'add -f NUMBER, or -f 1- for every field');
  }
  const separator = separatorOf(raw);
  if (field !== undefined) return { type: 'fields', ranges: field, separator };
  return isAny ? allFieldKeys(separator) : WHOLE_RECORD;
}

/** The error for the name of a column that nothing explains. */
function withoutHeader(column: string): BloomError {
  return new BloomError(
    'usage',
    `--field ${printable(column)}: ${FIELDS_EXPECTED}`,
    'add --header if this is the name of a column in the first record',
  );
}

/** Flags about fields. */
const FIELD_FLAGS = ['field', 'delimiter', 'delimiters', 'csv'] as const;

/** The separator of fields. */
function separatorOf({ delimiter, delimiters, csv, null: isNull }: SelectionFlags): Separator {
  if (delimiters !== undefined && (csv || delimiter !== undefined)) {
    const other = csv ? '--csv accepts one character' : '--delimiter is one text';
    throw new BloomError('usage', `${other}, --delimiters is a set of characters`, 'leave out one of them');
  }
  if (!csv) {
    if (delimiter !== undefined) return textSeparator(delimiter);
    return delimiters === undefined ? BLANKS : { type: 'runs', of: delimiters };
  }
  if (isNull)
    throw new BloomError(
      'usage',
      'records of --csv end with newlines, records of --null with NUL',
      'leave out one of them',
    );
  const between = delimiter ?? ',';
  if (/^[^\n\r"\0\x80-\uffff]$/.test(between)) return { type: 'csv', delimiter: between };
  throw new BloomError(
    'usage',
    `the delimiter of --csv is one ASCII character, not ${JSON.stringify(between)}`,
    'such as -d ";"',
  );
}

/**
 * The reader of a pipe needs a core too. With fewer threads than this, the threads and the reader would only take
 * turns.
 */
const PIPE_THREADS = 3;

/** The number of threads: as stated, or one per core if results do not go into a pipe, or if enough cores are left. */
export function threadsOf({ threads }: SelectionFlags, intoPipe = false): number {
  if (!HAVE_SHARED_DESCRIPTORS) return 1;
  const cores = availableParallelism();
  return Math.min(threads ?? (intoPipe && cores < PIPE_THREADS ? 1 : cores), THREADS_LIMIT);
}
