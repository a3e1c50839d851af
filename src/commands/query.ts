import type { Command } from 'commander';
import type { LoadedAsked, Loading } from '../engine/filter/load-asked.ts';
import { requireMemory } from '../engine/filter/payload.ts';
import { type FileInput, fileOf, type Observer } from '../engine/input/input.ts';
import { terminatorOf } from '../engine/input/key-selection.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { mayBeSeveral, WHOLE_RECORD } from '../engine/input/record-keys.ts';
import { ANY_OF_THEM, type Tally } from '../engine/tasks/task.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError, OutdatedCopy, UnreadableInput } from '../errors.ts';
import type { Shape } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import { requireApart } from '../io/apart.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { mayBeShown } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags } from '../options/opening.ts';
import { addInputFlags } from '../options/selection.ts';
import { count, plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { cutInputs, inputsOf, withoutOutput } from './inputs.ts';
import { openToAsk } from './opened-filter.ts';
import { type Answers, ask, NO_ANSWERS, type Question, selected, together } from './query-answers.ts';
import { parseQuery, parseWhich, type QueryFlags, type QueryOptions } from './query-options.ts';
import { type Answered, expectedAmong, summaryText } from './report/answers.ts';
import { countsJson, summaryJson } from './report/answers-json.ts';
import { contentInFile, describePart, whatIsSkipped } from './report/content.ts';
import { jsonLine } from './report/json-line.ts';
import { type Watch, watchWork } from './watch.ts';

export const explanation: Explanation = {
  notes: `Prints the records that may be in the set. Exit status: 0 if any was selected, 1 if none (0 with --exit-zero), 2 on errors.`,
  examples: [
    ['bloom query words.bloom -e hello -e wrld'],
    ['bloom query seen.bloom -v urls.txt', 'only what is definitely new'],
    ['tail -f access.log | bloom query blocked.bloom -f 1'],
    ['bloom query --which warehouse/ --column id -e 4711'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', "filter to ask, a file or a URL; '-' is standard input")
    .argument('[file...]', "records to look up, one a line; '-' or none: standard input")
    .addOption(flags.key())
    .addOption(flags.invert())
    .addOption(flags.count())
    .addOption(flags.maxCount())
    .addOption(flags.onlyMatching())
    .addOption(flags.filesWithMatches())
    .addOption(flags.filesWithoutMatch())
    .addOption(flags.quiet())
    .addOption(flags.exitZero())
    .addOption(flags.lineNumber())
    .addOption(flags.withFilename())
    .addOption(flags.tag())
    .addOption(flags.which());
  addOpeningFlags(addInputFlags(command), 'ask')
    .addOption(flags.keyType())
    .addOption(flags.queryJson())
    .addOption(flags.summary())
    .addOption(flags.lineBuffered())
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
  const options = parseQuery(filter, files, raw);
  return withWorkerPool(options.threads, (pool) => run(options, pool));
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
  const { shape } = opened.loaded().description;
  const filters = () => {
    const { asked, description } = opened.loaded();
    return [{ filter: asked, rules: description.rules }];
  };
  const context = { kernel, threadIndex: 0, replacement: opened.replacement };
  const observer = hintingAtKeys(watch, files);
  const asked = { ...options, context, pool, observer, filters, combination: ANY_OF_THEM };
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
    answers = await ask(question, [{ records, name }], { nullTerminated, keys: WHOLE_RECORD });
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
  if (shows === 'files') printFiles(answered, options);
  warnOfSkipped(options, tally, loaded.description, say);
  if (!summary) return;
  const { predictedFpr } = contentInFile(loaded.description, loaded.fills(), loaded.name);
  const expected = expectedAmong(tally, predictedFpr, mayBeSeveral(selection.keys));
  say.note(style.json ? JSON.stringify(summaryJson(all, expected)) : summaryText(tally, expected));
}

/** Says that records cannot be in the set because they are not what its keys are: that may not be what was meant. */
function warnOfSkipped(
  { selection, shows, maxCount }: QueryOptions,
  { records, keys }: Tally,
  { keyType }: Description,
  say: Messenger,
): void {
  // Of many keys of a record any may be no such value, and of inputs that were not read to their ends not all is known.
  const isKnown = !mayBeSeveral(selection.keys) && shows !== 'files' && maxCount === undefined;
  if (keyType === undefined || !isKnown || keys === records) return;
  say.warning(`${whatIsSkipped({ skipped: records - keys, keys: selection.keys, keyType })}, and cannot be in the set`);
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

/** Prints the names of the files that have a selected record, or of those that have none. */
function printFiles(answered: readonly Answered[], options: QueryOptions): void {
  const isListed = (one: Answered) =>
    options.listsOthers ? selected(one, options) === 0 && one.elsewhere === 0 : selected(one, options) > 0;
  const lines = answered
    .filter(isListed)
    .map(({ file }) => (options.style.json ? jsonLine({ file }) : `${file ?? COMMAND_LINE}\n`));
  print(lines.join(''));
}
