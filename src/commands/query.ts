import type { Command } from 'commander';
import { type FileInput, fileOf, type Observer } from '../engine/input/input.ts';
import { looksUpVariants, requireAnyKey, splitsNames } from '../engine/input/key-variants.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { WHOLE_RECORD } from '../engine/input/record-keys.ts';
import type { Loading } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import type { OpenOutput } from '../engine/tasks/task.ts';
import { threadsWithin } from '../engine/thread-memory.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError, OutdatedCopy, UnreadableInput } from '../errors.ts';
import type { Shape } from '../filters/kind.ts';
import { requireApart } from '../io/apart.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, isUrl, lookAt } from '../io/look.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { sinkFor } from '../io/sink.ts';
import { isTerminal, mayBeShown } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags } from '../options/opening.ts';
import { addInputFlags } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { isIndex, isIndexAt, meansFilters } from './filter-files.ts';
import { cutInputs, inputsOf, recordsOfKeys, remarkOnInputs, standardInputWithout, withoutOutput } from './inputs.ts';
import { lineColours } from './line-colours.ts';
import { openFilters } from './open-filters.ts';
import type { OpenedFilters } from './opened-filters.ts';
import { NO_ANSWERS, type QueryAnswers, type Question, runQuery, selected, together } from './query-answers.ts';
import { parseQuery, parseWhich, type QueryFlags, type QueryOptions } from './query-options.ts';
import { COMMAND_LINE, reportAnswers } from './query-report.ts';
import { withServerFile } from './remote-opening.ts';
import { tryLine } from './shell-line.ts';
import { type Watch, watchWork } from './watch.ts';

export const explanation: Explanation = {
  most: [
    '--key',
    '--invert',
    '--count',
    '--only-matching',
    '--line-number',
    '--quiet',
    '--field',
    '--delimiter',
    '--filter',
    '--summary',
  ],
  notes: `Prints the records that may be in the set. The exit status is 0 if a record was selected, 1 if none was, and 2 after an error.`,
  examples: [
    ['bloom query words.bloom -e hello -e wrld', 'look up two keys'],
    ['bloom query seen.bloom -v urls.txt', 'print what is definitely new'],
    ['tail -f access.log | bloom query blocked.bloom -f 1'],
    ['bloom query en.bloom -F de.bloom --which words.txt'],
    ['bloom query --which warehouse/ --column id -e 4711'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('[filter]', 'filter to query: a file, URL, folder or quoted pattern')
    .argument('[file...]', 'records to look up, one per line (default: standard input)')
    .addOption(flags.moreFilters())
    .addOption(flags.filtersFrom())
    .addOption(flags.key('look up'))
    .addOption(flags.invert())
    .addOption(flags.invertMatch())
    .addOption(flags.count())
    .addOption(flags.maxCount())
    .addOption(flags.onlyMatching())
    .addOption(flags.filesWithMatches())
    .addOption(flags.filesWithoutMatch())
    .addOption(flags.nullNames())
    .addOption(flags.quiet())
    .addOption(flags.silent())
    .addOption(flags.exitZero())
    .addOption(flags.lineNumber())
    .addOption(flags.withFilename())
    .addOption(flags.tag())
    .addOption(flags.all())
    .addOption(flags.allFields())
    .addOption(flags.which())
    .addOption(flags.firstOnly());
  addOpeningFlags(addInputFlags(command), 'query')
    .addOption(flags.keyType())
    .addOption(flags.suffixes())
    .addOption(flags.fold())
    .addOption(flags.nullData())
    .addOption(flags.resultsOutput())
    .addOption(flags.force())
    .addOption(flags.queryJson())
    .addOption(flags.summary())
    .addOption(flags.lineBuffered())
    .addOption(flags.stale())
    .addOption(flags.memoryLimit())
    .action(async (filter: string | undefined, files: string[]) => {
      const raw = command.opts<QueryFlags>();
      const typed = command.parent?.args ?? [];
      const status = await statusOf(filter === undefined ? [] : [filter, ...files], raw, typed);
      finish(raw.exitZero && status === EXIT.negative ? EXIT.success : status);
    });
}

async function statusOf(args: readonly string[], raw: QueryFlags, typed: readonly string[]): Promise<ExitCode> {
  if (raw.quiet && raw.exitZero && !raw.summary)
    throw new BloomError(
      'usage',
      '--quiet answers only with the exit status, which --exit-zero makes 0',
      'leave out one of them',
    );
  const isNamedByFlag = raw.filter !== undefined || raw.filtersFrom !== undefined;
  const [first] = args;
  if (first === undefined && !isNamedByFlag)
    throw new BloomError('usage', 'no filter is named', 'name it before the records, or with -F');
  const single = isNamedByFlag ? undefined : first;
  const files = args.slice(1);
  if (single !== undefined && isIndex(single)) {
    const { queryIndex } = await import('./query-index.ts');
    return queryIndex(single, files, raw);
  }
  if (single !== undefined && isUrl(single) && !raw.which)
    return withServerFile(single, files, raw, async (opened) => {
      if (!isIndexAt(opened.file)) return queryFilters(args, raw, typed, opened);
      const { queryIndex } = await import('./query-index.ts');
      return queryIndex(single, files, raw, opened);
    });
  return queryFilters(args, raw, typed);
}

/** Queries filters. `opened` is the file of the only filter, if it is open already. */
async function queryFilters(
  args: readonly string[],
  raw: QueryFlags,
  typed: readonly string[],
  opened?: ServerFile,
): Promise<ExitCode> {
  const isNamedByFlag = raw.filter !== undefined || raw.filtersFrom !== undefined;
  const [first] = args;
  refuseUnused(raw, ['stale'], 'only an index of files states when its files were read');
  if (raw.which && !isNamedByFlag) {
    const { which } = await import('./which.ts');
    return which(parseWhich(args, raw));
  }
  const hasFilter = !isNamedByFlag || (raw.raw !== true && first !== undefined && (await meansFilters(first)));
  const parsed = parseQuery(hasFilter ? first : undefined, args.slice(hasFilter ? 1 : 0), raw);
  const options = await inColours({ ...parsed, typed });
  return withWorkerPool(threadsWithin(options.threads, options.memory), (pool) => run(options, pool, opened));
}

/** The same options. If the output is for people, they have the colours, and names are escaped. */
async function inColours(options: QueryOptions): Promise<QueryOptions> {
  const { style, shows, colour } = options;
  if (style.json || shows === 'nothing') return options;
  if (options.output !== undefined && colour !== 'always') return options;
  const [colours, escapesNames] = [await lineColours(colour), await isTerminal(STDOUT)];
  return { ...options, style: { ...style, colours, escapesNames } };
}

async function run(options: QueryOptions, pool: WorkerPool, opened: ServerFile | undefined): Promise<ExitCode> {
  const { filters, files, lists, slice, keys, selection, output } = options;
  const say = await messenger(options.colour);
  const watch = watchWork(say, options.colour);
  const named = [...filters.locations, ...filters.lists];
  const names = await inputsOf(files, lists, watch, named, standardInputWithout(keys));
  requireApart(filters.locations);
  await remarkOnInputs(names, selection, say);
  const inputs = cutInputs(names, slice, selection);
  const answerInto = async (into: OpenOutput | undefined) => {
    try {
      return await answer(options, inputs, into, { pool, say, watch, opened });
    } catch (error) {
      if (!(error instanceof OutdatedCopy)) throw error;
      // Nothing was answered yet, and the outdated copy was removed.
      return await answer(options, inputs, into, { pool, say, watch });
    }
  };
  if (output === undefined) return answerInto(undefined);
  const { intoFile } = await import('./results.ts');
  return intoFile(output, [...names, ...named], say, answerInto, (status) => status !== EXIT.failure);
}

interface Answering {
  readonly pool: WorkerPool;
  readonly say: Messenger;
  readonly watch: Watch;
  readonly opened?: ServerFile | undefined;
}

/** Opens the filters, looks up the keys, and prints the answers into a file or to the standard output. */
async function answer(
  options: QueryOptions,
  inputs: readonly FileInput[],
  into: OpenOutput | undefined,
  { pool, say, watch, opened: file }: Answering,
): Promise<ExitCode> {
  const { filters, opening, shows } = options;
  startIfWorthwhile(pool, inputs);
  const kernel = loadKernel();
  watch.begin('loading');
  // The records of an input cannot be read again if the local copy proves to be outdated.
  const trustsCopy = inputs.length === 0;
  const loading: Loading = {
    threadCount: pool.threadCount,
    use: 'query',
    opening: { ...opening, trustsCopy },
    observer: watch,
    ...(file && { open: () => file }),
  };
  const lasts = options.lineBuffered && inputs.length > 0;
  const opened = await openFilters(filters, { kernel, loading, say, lasts }).finally(watch.finish);
  if (opened.names.length === 0) return EXIT.failure;

  if (options.countsKeys && opened.names.length > 1) throw oneFilterOnly();
  requireEqualNames(opened.loaded());
  for (const { description, name } of opened.loaded()) requireAnyKey(options.selection, description.rules, name);
  if (options.countsKeys && opened.loaded().some(({ description }) => looksUpVariants(description.rules)))
    throw new BloomError(
      'usage',
      '--only-matching and --count together count the keys that matched, and each is looked up in several forms here',
      'leave out --count, and count the lines',
    );

  // On a terminal, printed records would continue the line of the progress. So would the output of a pipe's reader.
  if (shows !== 'records' || into !== undefined || !(await mayBeShown(STDOUT))) watch.begin('querying');
  const context = { kernel, threadIndex: 0, replacement: opened.replacement };
  const observer = hintingAtFiles(watch, options);
  const query = { ...options, into, context, pool, observer, ...queryOf(opened, options) };
  try {
    const answers = await queryAll(query, inputs, options, shapesOf(opened), watch).finally(watch.finish);
    const found = selected(answers.tally, options) > 0;
    reportAnswers(options, answers, opened, say, sinkFor(into));
    const isWhole = answers.tally.elsewhere === 0 && answers.faults.length === 0;
    if ((watch.failures + opened.failures > 0 || !isWhole) && !(shows === 'nothing' && found)) return EXIT.failure;
    return found ? EXIT.success : EXIT.negative;
  } finally {
    opened.close();
  }
}

function oneFilterOnly(): BloomError {
  return new BloomError(
    'usage',
    '--only-matching and --count together count the keys of one filter, not of several',
    'query one filter at a time, or leave out one of them',
  );
}

/** Throws a `mismatch` error if filters of domain names are queried with filters of other keys: these would get the parent domains too. */
function requireEqualNames(loaded: readonly LoadedFilter[]): void {
  const [names, others] = [true, false].map((splits) =>
    loaded.find(({ description: { rules } }) => splitsNames(rules) === splits),
  );
  if (names === undefined || others === undefined) return;
  throw new BloomError(
    'mismatch',
    `${names.name} has domain names, and ${others.name} has other keys`,
    'query one after the other, or add --suffixes to look up the parent domains in both',
  );
}

function shapesOf({ loaded }: OpenedFilters): Shape[] {
  return loaded().map(({ description: { shape } }) => shape);
}

/** The filters of a question, and the style of its records with their names. */
function queryOf(
  { names, loaded }: OpenedFilters,
  { combination, style }: QueryOptions,
): Pick<Question, 'filters' | 'style'> {
  return {
    filters: () => loaded().map(({ store, description: { rules } }) => ({ filter: store, rules })),
    style: combination.named === 'none' ? style : { ...style, filterNames: names },
  };
}

/** Looks up the keys of the command line, and the records of the inputs. */
async function queryAll(
  question: Question,
  inputs: readonly FileInput[],
  { keys, selection, shows, style, memory }: QueryOptions,
  shapes: readonly Shape[],
  watch: Watch,
): Promise<QueryAnswers> {
  // The arguments may be in the wrong order, so the filters among the records are refused first.
  refuseFilters(
    inputs.map((input) => fileOf(input)),
    selection,
  );
  let answers = NO_ANSWERS;
  if (keys !== undefined) {
    const { nullTerminated } = selection;
    const records = recordsOfKeys(keys, selection, style.json ? undefined : COMMAND_LINE);
    answers = await runQuery(question, [records], { nullTerminated, keys: WHOLE_RECORD });
  }
  if (inputs.length === 0) return answers;
  if (shows === 'nothing' && selected(answers.tally, question) > 0) return answers;
  return together(
    answers,
    await runQuery(
      question,
      shows === 'records' && question.into === undefined ? withoutOutput(inputs, watch) : inputs,
      selection,
      { shapes, memory },
    ),
  );
}

/** Reports inputs as a watch does. The error of a missing input gets the command line in which the name is a key or the output. */
function hintingAtFiles(watch: Watch, { files, typed }: QueryOptions): Observer {
  const missing = files.filter((file) => file !== '-' && lookAt(file) === undefined);
  const shown = missing.map(displayName);
  let isHinted = false;
  const hinted = (error: UnreadableInput) => {
    if (isHinted || error.missing === undefined || !shown.includes(error.missing)) return error;
    isHinted = true;
    return new UnreadableInput(error.message, tryLine(meant(typed, missing)), error.missing);
  };
  return { ...watch, onUnreadable: (error, isBegun) => watch.onUnreadable(hinted(error), isBegun) };
}

/** The command line with missing files as keys. The name after -o becomes the output, as in other programs. */
function meant(typed: readonly string[], missing: readonly string[]): string[] {
  const isOutput = (i: number) => typed[i] === '-o' && missing.includes(typed[i + 1] ?? '');
  return typed.flatMap((argument, i) => {
    if (isOutput(i)) return ['--output'];
    return missing.includes(argument) && !isOutput(i - 1) ? ['-e', argument] : [argument];
  });
}
