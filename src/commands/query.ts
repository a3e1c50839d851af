import type { Command } from 'commander';
import { loadFilter, sharedPart } from '../engine/filter/loaded-filter.ts';
import { requireMemory } from '../engine/filter/payload.ts';
import type { Input, Observer } from '../engine/input/input.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { type LineStyle, NOTHING, plus, type Tally, type TestSpec, WANTED, type Wanted } from '../engine/tasks/task.ts';
import { type Pass, runPass, startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import { kindWithId } from '../filters/registry.ts';
import { rulesOf } from '../formats/bloomery/header.ts';
import { requireApart } from '../io/atomic-file.ts';
import { isPipe, STDOUT } from '../io/descriptors.ts';
import { displayName } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { mayBeShown } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addInputFlags, type ListFlags, parseSelection, type SelectionFlags, threadsOf } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { inputsOf, withoutOutput } from './inputs.ts';
import { type Answered, expectedAmong, summaryText } from './report/answers.ts';
import { contentInFile } from './report/content.ts';
import { countsJson, jsonLine, summaryJson } from './report/json.ts';
import { type Watch, watchWork } from './watch.ts';

interface QueryFlags extends SelectionFlags, ListFlags, CommonFlags {
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
}

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', "filter to ask; '-' is standard input")
    .argument('[file...]', "records to look up, one a line; '-' or none: standard input")
    .addOption(flags.key())
    .addOption(flags.invert())
    .addOption(flags.count())
    .addOption(flags.quiet())
    .addOption(flags.lineNumber())
    .addOption(flags.withFilename())
    .addOption(flags.tag())
    .addOption(flags.anyToken());
  addInputFlags(command)
    .addOption(flags.queryJson())
    .addOption(flags.summary())
    .addOption(flags.lineBuffered())
    .addHelpText(
      'after',
      `
Prints the records that may be in the set. Exit status: 0 if any was selected, 1 if none, 2 on errors.

Examples:
  bloom query words.bloom -e hello -e wrld
  bloom query seen.bloom -v urls.txt              only what is definitely new
  tail -f access.log | bloom query blocked.bloom -f 1`,
    )
    .action(async (filter: string, files: string[]) => {
      const raw = command.opts<QueryFlags>();
      const threads = raw.lineBuffered ? 1 : threadsOf(raw, prints(raw) && isPipe(STDOUT));
      finish(await withWorkerPool(threads, (pool) => run(filter, files, raw, pool)));
    });
}

async function run(file: string, files: readonly string[], raw: QueryFlags, pool: WorkerPool): Promise<ExitCode> {
  refuseContradictions(raw);
  refuseWithoutEffect(raw);
  // Keys of the command line stand in for the standard input.
  const say = await messenger(raw.color);
  const watch = watchWork(say, raw.color);
  const inputs = await inputsOf(files, raw, watch, [file], raw.key === undefined ? ['-'] : []);
  if (inputs.length + watch.failures === 0)
    refuseUnused(raw, ['field', 'anyToken', 'delimiter', 'raw'], 'the key of -e is a whole one');
  const selection = parseSelection(raw);
  requireApart([file]);
  startIfWorthwhile(pool, inputs);
  const kernel = loadKernel();
  watch.begin('loading');
  const loaded = await loadFilter(kernel, file, pool.threadCount, 'ask', watch).finally(watch.finish);
  const { name, header, fill } = loaded;

  // Records that come out meanwhile would stand beside the line, where they or what a reader makes of them are shown.
  if (!prints(raw) || !(await mayBeShown(STDOUT))) watch.begin('querying');
  const place = { context: { kernel, threadIndex: 0 }, pool, observer: hintingAtKeys(watch, files) };
  const asked: Asked = { ...place, filter: sharedPart(loaded), rules: rulesOf(header), raw };
  let tally = NOTHING;
  const answered: Answered[] = [];
  const askAll = async (some: readonly Input[], keys: KeySelection) => {
    const share = await ask(asked, some, keys);
    tally = plus(tally, share.tally);
    answered.push(...share.answered);
  };
  try {
    // The arguments may be in the wrong order: what comes first is judged first.
    refuseFilters(inputs, selection);
    if (raw.key !== undefined) {
      const terminator = selection.nullTerminated ? '\0' : '\n';
      const records = Buffer.from(raw.key.map((key) => key + terminator).join(''));
      const name = raw.json ? undefined : COMMAND_LINE;
      await askAll([{ records, name }], { nullTerminated: selection.nullTerminated, anyToken: false });
    }
    if (inputs.length > 0) requireMemory(header);
    const isAnswered = inputs.length === 0 || (raw.quiet && selected(tally, raw) > 0);
    if (!isAnswered) await askAll(prints(raw) ? withoutOutput(inputs, watch) : inputs, selection);
  } finally {
    watch.finish();
    loaded.close();
  }
  const all: Answered = { file: null, ...tally };
  if (raw.count && !raw.quiet) printCounts(raw.withFilename ? answered : [all], raw);
  if (raw.summary) {
    const { predictedFpr } = contentInFile(kindWithId(header.kind, name), header, fill, name);
    const expected = expectedAmong(tally, predictedFpr, selection.anyToken);
    say.note(raw.json ? JSON.stringify(summaryJson(all, expected)) : summaryText(tally, expected));
  }
  const found = selected(tally, raw) > 0;
  if (watch.failures > 0 && !(raw.quiet && found)) return EXIT.failure;
  return found ? EXIT.success : EXIT.negative;
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

/** Records are printed, and not only counts. */
function prints({ count: counts, quiet }: QueryFlags): boolean {
  return !counts && !quiet;
}

function refuseContradictions(raw: QueryFlags): void {
  const other = raw.count ? '--count' : raw.json ? '--json' : undefined;
  if (raw.tag && other !== undefined)
    throw new BloomError('usage', `--tag and ${other} ask for different outputs`, 'drop one of them');
}

/** Throws a `usage` error for flags about what is printed that change nothing of it. */
function refuseWithoutEffect(raw: QueryFlags): void {
  if (raw.quiet) {
    const why = '--quiet prints nothing';
    refuseUnused(raw, ['count', 'tag', 'lineNumber', 'withFilename', 'lineBuffered'], why);
    if (!raw.summary) refuseUnused(raw, ['json'], why);
  }
  if (raw.count) refuseUnused(raw, ['lineNumber', 'lineBuffered'], '--count prints no records');
  if (raw.json && !raw.count)
    refuseUnused(raw, ['lineNumber', 'withFilename'], '--json gives the file and line of every record');
}

/** --tag and --json show every record with its answer; with --invert, the absent ones. */
function wantedOf(raw: QueryFlags): Wanted {
  if (raw.invert) return WANTED.absent;
  return raw.tag || raw.json ? WANTED.all : WANTED.present;
}

function selected({ records, positives }: Tally, { invert }: QueryFlags): number {
  return invert ? records - positives : positives;
}

/** Stands for the file of keys that were given with -e, where records or counts are printed with it. */
const COMMAND_LINE = '-e';

/** Prints what was counted in each file, or in all of them. */
function printCounts(answered: readonly Answered[], raw: QueryFlags): void {
  const lines = answered.map((one) => {
    if (raw.json) return jsonLine(countsJson(one));
    return `${raw.withFilename ? `${one.file ?? COMMAND_LINE}:` : ''}${selected(one, raw)}\n`;
  });
  print(lines.join(''));
}

/** What is the same for all that is asked. */
interface Asked extends Pick<Pass, 'context' | 'pool' | 'observer'>, Pick<TestSpec, 'filter' | 'rules'> {
  readonly raw: QueryFlags;
}

/** Asks about the records of some inputs, and prints them as the flags say. Returns the answers, of each input too if that is wanted. */
async function ask(
  { context, pool, observer, filter, rules, raw }: Asked,
  inputs: readonly Input[],
  selection: KeySelection,
): Promise<{ tally: Tally; answered: Answered[] }> {
  const countsByInput = raw.count === true && raw.withFilename === true;
  const spec: TestSpec = {
    type: 'test',
    selection,
    rules,
    filter,
    print: raw.count || raw.quiet ? undefined : styleOf(raw),
    lineBuffered: raw.lineBuffered === true,
    bySource: countsByInput,
    stopAt: raw.quiet ? (raw.invert ? WANTED.absent : WANTED.present) : undefined,
  };
  const tallies: (Tally | undefined)[] = [];
  const onTally = (index: number, tally: Tally) => {
    tallies[index] = plus(tallies[index] ?? NOTHING, tally);
    return raw.quiet === true && selected(tally, raw) > 0;
  };
  const cutOff = new Set<number>();
  const onCutOff = (index: number) => void cutOff.add(index);
  const shares = await runPass({ context, pool, observer, spec, inputs, onTally, onCutOff });
  const answered = inputs.flatMap((input, index) => {
    const counted = tallies[index];
    // An input that could not be read, or not to its end, has no count.
    if (counted === undefined || cutOff.has(index)) return [];
    return [{ file: typeof input === 'string' ? input : null, ...counted }];
  });
  return { tally: shares.reduce(plus, NOTHING), answered };
}

function styleOf(raw: QueryFlags): LineStyle {
  return {
    wanted: wantedOf(raw),
    tag: raw.tag === true,
    named: raw.withFilename === true,
    numbered: raw.lineNumber === true,
    json: raw.json === true,
  };
}
