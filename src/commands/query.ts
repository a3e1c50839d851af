import type { Command } from 'commander';
import type { LoadedAsked, Loading } from '../engine/filter/load-asked.ts';
import { requireMemory } from '../engine/filter/payload.ts';
import { type FileInput, fileOf, type Observer } from '../engine/input/input.ts';
import { type KeySelection, terminatorOf } from '../engine/input/key-selection.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { type LineStyle, type Tally, WANTED } from '../engine/tasks/task.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError, OutdatedCopy, UnreadableInput } from '../errors.ts';
import type { Shape } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import type { Opening } from '../formats/opening.ts';
import { requireApart } from '../io/apart.ts';
import { isPipe, STDOUT } from '../io/descriptors.ts';
import { displayName, isUrl } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { mayBeShown } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags, NOT_AFAR, type OpeningFlags, openingOf } from '../options/opening.ts';
import {
  addInputFlags,
  type InputFlags,
  type ListFlags,
  listsOf,
  parseSelection,
  type SelectionFlags,
  threadsOf,
} from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { count, plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { cutInputs, inputsOf, withoutOutput } from './inputs.ts';
import { openToAsk } from './opened-filter.ts';
import { type Answers, ask, NO_ANSWERS, type Question, selected, together } from './query-answers.ts';
import { type Answered, expectedAmong, summaryText } from './report/answers.ts';
import { countsJson, summaryJson } from './report/answers-json.ts';
import { contentInFile, describePart, whatIsSkipped } from './report/content.ts';
import { jsonLine } from './report/json-line.ts';
import { type Watch, watchWork } from './watch.ts';
import type { WhichOptions } from './which.ts';

interface QueryFlags extends SelectionFlags, InputFlags, OpeningFlags, CommonFlags {
  readonly key?: readonly string[];
  readonly invert?: true;
  readonly count?: true;
  readonly quiet?: true;
  readonly lineNumber?: true;
  readonly withFilename?: true;
  readonly tag?: true;
  readonly json?: true;
  readonly summary?: true;
  readonly lineBuffered?: true;
  readonly exitZero?: true;
  readonly which?: true;
}

interface QueryOptions extends Pick<Question, 'shows' | 'style' | 'isInverted' | 'lineBuffered'> {
  readonly filter: string;
  readonly opening: Opening;
  readonly files: readonly string[];
  readonly lists: ListFlags;
  readonly slice: InputFlags['slice'];
  /** Keys of the command line, which stand in for the standard input. */
  readonly keys: readonly string[] | undefined;
  readonly selection: KeySelection;
  readonly threads: number;
  readonly summary: boolean;
  readonly colour: CommonFlags['color'];
}

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', "filter to ask, a file or a URL; '-' is standard input")
    .argument('[file...]', "records to look up, one a line; '-' or none: standard input")
    .addOption(flags.key())
    .addOption(flags.invert())
    .addOption(flags.count())
    .addOption(flags.quiet())
    .addOption(flags.exitZero())
    .addOption(flags.lineNumber())
    .addOption(flags.withFilename())
    .addOption(flags.tag())
    .addOption(flags.which())
    .addOption(flags.anyToken());
  addOpeningFlags(addInputFlags(command), 'ask')
    .addOption(flags.keyType())
    .addOption(flags.queryJson())
    .addOption(flags.summary())
    .addOption(flags.lineBuffered())
    .addHelpText(
      'after',
      `
Prints the records that may be in the set. Exit status: 0 if any was selected, 1 if none (0 with --exit-zero), 2 on errors.

Examples:
  bloom query words.bloom -e hello -e wrld
  bloom query seen.bloom -v urls.txt              only what is definitely new
  tail -f access.log | bloom query blocked.bloom -f 1
  bloom query --which warehouse/ --column id -e 4711`,
    )
    .action(async (filter: string, files: string[]) => {
      const raw = command.opts<QueryFlags>();
      const status = await statusOf(filter, files, raw);
      finish(raw.exitZero && status === EXIT.negative ? EXIT.success : status);
    });
}

async function statusOf(filter: string, files: readonly string[], raw: QueryFlags): Promise<ExitCode> {
  if (raw.quiet && raw.exitZero && !raw.summary)
    throw new BloomError(
      'usage',
      '--quiet answers with the exit status, which --exit-zero takes away',
      'drop one of them',
    );
  if (raw.which) {
    const { which } = await import('./which.ts');
    return which(parseWhich([filter, ...files], raw));
  }
  const options = parse(filter, files, raw);
  return withWorkerPool(options.threads, (pool) => run(options, pool));
}

function parse(filter: string, files: readonly string[], raw: QueryFlags): QueryOptions {
  refuseContradictions(raw);
  refuseWithoutEffect(raw, files);
  if (!isUrl(filter)) refuseUnused(raw, ['timeout'], NOT_AFAR);
  const isInverted = raw.invert === true;
  const json = raw.json === true;
  const tag = raw.tag === true;
  const shows = raw.quiet ? 'nothing' : raw.count ? 'counts' : 'records';
  // --tag and --json show every record with its answer; with --invert, the absent ones.
  const wanted = isInverted ? WANTED.absent : tag || json ? WANTED.all : WANTED.present;
  const style: LineStyle = { wanted, tag, named: raw.withFilename === true, numbered: raw.lineNumber === true, json };
  return {
    filter,
    opening: openingOf(raw),
    files,
    lists: listsOf(raw),
    slice: raw.slice,
    keys: raw.key,
    selection: parseSelection(raw),
    threads: raw.lineBuffered ? 1 : threadsOf(raw, shows === 'records' && isPipe(STDOUT)),
    shows,
    style,
    isInverted,
    lineBuffered: raw.lineBuffered === true,
    summary: raw.summary === true,
    colour: raw.color,
  };
}

function parseWhich(places: readonly string[], raw: QueryFlags): WhichOptions {
  const why = '--which prints filters, and reads keys from the standard input';
  refuseUnused(raw, ['invert', 'count', 'tag', 'lineNumber', 'withFilename', 'summary', 'lineBuffered'], why);
  refuseUnused(raw, ['filesFrom', 'files0From', 'slice'], why);
  if (!places.some(isUrl)) refuseUnused(raw, ['timeout'], NOT_AFAR);
  return {
    places,
    opening: openingOf(raw),
    keys: raw.key,
    selection: parseSelection(raw),
    shows: raw.quiet ? 'nothing' : raw.json ? 'JSON' : 'lines',
    colour: raw.color,
  };
}

function refuseContradictions(raw: QueryFlags): void {
  const other = raw.count ? '--count' : raw.json ? '--json' : undefined;
  if (raw.tag && other !== undefined)
    throw new BloomError('usage', `--tag and ${other} ask for different outputs`, 'drop one of them');
  const numbering = raw.lineNumber ? '--line-number' : raw.json && !raw.count ? '--json' : undefined;
  if (raw.slice !== undefined && numbering !== undefined)
    throw new BloomError(
      'usage',
      `${numbering} counts records from the beginning of a file, --slice reads none before its own`,
      'drop one of them',
    );
}

/** Throws a `usage` error for flags that change nothing. */
function refuseWithoutEffect(raw: QueryFlags, files: readonly string[]): void {
  if (raw.quiet) {
    const why = '--quiet prints nothing';
    refuseUnused(raw, ['count', 'tag', 'lineNumber', 'withFilename', 'lineBuffered'], why);
    if (!raw.summary) refuseUnused(raw, ['json'], why);
  }
  if (raw.count) refuseUnused(raw, ['lineNumber', 'lineBuffered'], '--count prints no records');
  if (raw.json && !raw.count)
    refuseUnused(raw, ['lineNumber', 'withFilename'], '--json gives the file and line of every record');
  if (raw.key !== undefined && files.length === 0 && raw.filesFrom === undefined && raw.files0From === undefined)
    refuseUnused(raw, ['field', 'anyToken', 'delimiter', 'raw', 'slice'], 'the key of -e is a whole one');
}

async function run(options: QueryOptions, pool: WorkerPool): Promise<ExitCode> {
  try {
    return await answer(options, pool);
  } catch (error) {
    if (!(error instanceof OutdatedCopy)) throw error;
    // Nothing was answered, and the copy is gone.
    return await answer(options, pool);
  }
}

async function answer(options: QueryOptions, pool: WorkerPool): Promise<ExitCode> {
  const { filter, opening, files, lists, slice, keys, shows } = options;
  const say = await messenger(options.colour);
  const watch = watchWork(say, options.colour);
  const names = await inputsOf(files, lists, watch, [filter], keys === undefined ? ['-'] : []);
  requireApart([filter]);
  const inputs = cutInputs(names, slice, options.selection);
  startIfWorthwhile(pool, inputs);
  const kernel = loadKernel();
  watch.begin('loading');
  // Records of an input cannot be read a second time where the copy does not hold.
  const trustsCopy = inputs.length === 0;
  const loading: Loading = {
    threadCount: pool.threadCount,
    use: 'ask',
    opening: { ...opening, trustsCopy },
    observer: watch,
  };
  const opened = await openToAsk(kernel, filter, loading, say, options.lineBuffered && inputs.length > 0).finally(
    watch.finish,
  );

  // Records that come out meanwhile would stand beside the line, where they or what a reader makes of them are shown.
  if (shows !== 'records' || !(await mayBeShown(STDOUT))) watch.begin('querying');
  const { rules, shape } = opened.loaded().description;
  const context = { kernel, threadIndex: 0, replacement: opened.replacement };
  const observer = hintingAtKeys(watch, files);
  const asked = { ...options, context, pool, observer, filter: opened.asked, rules };
  try {
    const answers = await askAll(asked, inputs, options, shape, watch).finally(watch.finish);
    const found = selected(answers.tally, options) > 0;
    const loaded = opened.loaded();
    report(options, answers, loaded, say);
    const isWhole = answers.tally.elsewhere === 0;
    if (!isWhole) say.error(unanswered(loaded, answers.tally));
    if ((watch.failures > 0 || !isWhole) && !(shows === 'nothing' && found)) return EXIT.failure;
    return found ? EXIT.success : EXIT.negative;
  } finally {
    opened.close();
  }
}

/** The error for records of which a part of a filter knows nothing. */
function unanswered({ name, description: { shape } }: LoadedAsked, { elsewhere, records }: Tally): BloomError {
  const which = `${plural(elsewhere, 'record')} of ${count(records)} ${elsewhere === 1 ? 'belongs' : 'belong'} to other parts`;
  return new BloomError(
    'mismatch',
    `${name} is only ${describePart(shape)} of a filter: ${which}, and ${elsewhere === 1 ? 'has' : 'have'} no answer`,
    'ask those, or what bloom merge makes of all parts',
  );
}

/** Asks about the keys of the command line, and about the records of the inputs. */
async function askAll(
  question: Question,
  inputs: readonly FileInput[],
  { keys, selection, shows, style }: QueryOptions,
  shape: Shape,
  watch: Watch,
): Promise<Answers> {
  // The arguments may be in the wrong order: what comes first is judged first.
  refuseFilters(
    inputs.map((input) => fileOf(input)),
    selection,
  );
  let answers = NO_ANSWERS;
  if (keys !== undefined) {
    const { nullTerminated } = selection;
    const terminator = String.fromCharCode(terminatorOf(selection));
    const records = Buffer.from(keys.map((key) => key + terminator).join(''));
    const name = style.json ? undefined : COMMAND_LINE;
    answers = await ask(question, [{ records, name }], { nullTerminated, anyToken: false });
  }
  if (inputs.length === 0) return answers;
  requireMemory(shape);
  if (shows === 'nothing' && selected(answers.tally, question) > 0) return answers;
  return together(answers, await ask(question, shows === 'records' ? withoutOutput(inputs, watch) : inputs, selection));
}

/** Reports inputs as a watch does, and what one of the command line that is not there may have been meant as. */
function hintingAtKeys(watch: Watch, files: readonly string[]): Observer {
  const shown = new Set(files.map(displayName));
  const hinted = (error: UnreadableInput) =>
    error.missing !== undefined && shown.has(error.missing)
      ? new UnreadableInput(error.message, 'a key is given with -e', error.missing)
      : error;
  return { ...watch, onUnreadable: (error, isBegun) => watch.onUnreadable(hinted(error), isBegun) };
}

/** Prints what was counted, and sums up. */
function report(options: QueryOptions, { tally, answered }: Answers, loaded: LoadedAsked, say: Messenger): void {
  const { shows, style, summary, selection } = options;
  const all: Answered = { file: null, ...tally };
  if (shows === 'counts') printCounts(style.named ? answered : [all], options);
  warnOfSkipped(options, tally, loaded.description, say);
  if (!summary) return;
  const { predictedFpr } = contentInFile(loaded.description, loaded.fills(), loaded.name);
  const expected = expectedAmong(tally, predictedFpr, selection.anyToken);
  say.note(style.json ? JSON.stringify(summaryJson(all, expected)) : summaryText(tally, expected));
}

/** Says that records cannot be in the set because they are not what its keys are: that may not be what was meant. */
function warnOfSkipped(
  { selection: { field, anyToken } }: QueryOptions,
  { records, keys }: Tally,
  { keyType }: Description,
  say: Messenger,
): void {
  // Of many keys of a record any may be no such value.
  if (keyType === undefined || anyToken || keys === records) return;
  say.warning(`${whatIsSkipped({ skipped: records - keys, field, keyType })}, and cannot be in the set`);
}

/** Stands for the file of keys that were given with -e, where records or counts are printed with it. */
const COMMAND_LINE = '-e';

/** Prints what was counted in each file, or in all of them. */
function printCounts(answered: readonly Answered[], options: QueryOptions): void {
  const { json, named } = options.style;
  const lines = answered.map((one) => {
    if (json) return jsonLine(countsJson(one));
    return `${named ? `${one.file ?? COMMAND_LINE}:` : ''}${selected(one, options)}\n`;
  });
  print(lines.join(''));
}
