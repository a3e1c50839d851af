import type { Command } from 'commander';
import { type Deduplicated, dedup } from '../engine/dedup.ts';
import { type FileInput, fileOf } from '../engine/input/input.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { recordsWithout } from '../engine/tasks/tally.ts';
import type { OpenOutput } from '../engine/tasks/task.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { sum } from '../filters/kind.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { mayBeShown } from '../io/terminal.ts';
import { type Kernel, loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addKeyInputFlags } from '../options/selection.ts';
import { addSizingFlags, type Given, withNumbers } from '../options/sizing.ts';
import { NO_RANGE, rangeOfMistaken, together } from '../sizing/first-sightings.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { type DedupFlags, type DedupOptions, parseDedup } from './dedup-options.ts';
import { nothingSeen, type SeenDesign, seenDesign, threadsFor } from './dedup-seen.ts';
import { type Memory, withState } from './dedup-state.ts';
import { cutInputs, inputsOf, remarkOnInputs, withoutOutput } from './inputs.ts';
import { keylessWarning, skippedText } from './report/content.ts';
import { type DedupCounts, dedupJson, dedupText, overfullSeen } from './report/dedup.ts';
import { jsonLine } from './report/json-line.ts';
import { intoFile } from './results.ts';
import { type Watch, watchWork } from './watch.ts';

/** The sentence of the help about normalised keys. */
const ONLY_HERE = 'Records are printed unchanged.';

export const explanation: Explanation = {
  most: [
    '--items',
    '--fpr',
    '--field',
    '--delimiter',
    '--ignore-case',
    '--repeated',
    '--window',
    '--state',
    '--count',
    '--summary',
  ],
  notes: `Prints each record whose key was not seen before, as awk '!seen[$0]++' does, but with a few bytes of memory per key.
The order of the input stays. Without -n, the filter grows. A false positive drops a new record. The default rate is 0.0001%.`,
  examples: [
    ['bloom dedup urls.txt > once.txt', 'print each URL once'],
    ['tail -f app.log | bloom dedup -f 3 -n 10M', 'one line per value of field 3'],
    ['bloom dedup --repeated --summary ads.txt', 'what occurs more than once'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command.argument('[file...]', 'records, one per line (default: standard input)');
  // sort -k names a field.
  addSizingFlags(command, { hashes: flags.hashes('--hashes <count>') })
    .addOption(flags.kind())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase(ONLY_HERE))
    .addOption(flags.ignoreCaseUnicode())
    .addOption(flags.trim(ONLY_HERE))
    .addOption(flags.repeated())
    .addOption(flags.allRepeated())
    .addOption(flags.minCount())
    .addOption(flags.window())
    .addOption(flags.keep())
    .addOption(flags.state())
    .addOption(flags.every())
    .addOption(flags.resultsOutput('-o, --output <file>'))
    .addOption(flags.forceResults())
    .addOption(flags.countSelected())
    .addOption(flags.dedupSummary());
  addKeyInputFlags(command, { areOne: true, threads: flags.threads('1') })
    .addOption(flags.dedupJson())
    .action(async (files: string[]) => {
      const given = command.opts<Given<DedupFlags>>();
      const options = parseDedup(files, await withNumbers(given));
      const design = await seenDesign(options);
      finish(await withWorkerPool(threadsFor(design, options), (pool) => run(options, design, pool)));
    });
}

async function run(options: DedupOptions, design: SeenDesign, pool: WorkerPool): Promise<ExitCode> {
  const { files, lists, slice, selection, counts, state } = options;
  const say = await messenger(options.colour);
  const watch = watchWork(say, options.colour);
  const names = await inputsOf(files, lists, watch);
  await remarkOnInputs(names, selection, say);
  const named = cutInputs(names, slice, selection);
  refuseFilters(
    named.map((input) => fileOf(input)),
    selection,
  );
  const inputs = counts || options.output !== undefined ? named : withoutOutput(named, watch);
  const kernel = loadKernel();
  const work = (memory: Memory) => dedupWith(memory, { kernel, options, pool, inputs, names, watch, say });
  const found =
    state === undefined
      ? await work({ before: nothingSeen(design, options, pool.threadCount) })
      : await withState(kernel, { ...options, state }, design, names, say, work);
  report(options, found, say);
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** The resources and the options of a run. */
interface Run {
  readonly kernel: Kernel;
  readonly options: DedupOptions;
  readonly pool: WorkerPool;
  readonly inputs: readonly FileInput[];
  /** The files of the inputs. */
  readonly names: readonly string[];
  readonly watch: Watch;
  readonly say: Messenger;
}

/** Prints the selected records, and then saves the state. A file of results is complete by then. */
async function dedupWith({ before, keeper, keep }: Memory, run: Run): Promise<Deduplicated> {
  const { kernel, options, pool, inputs, names, watch, say } = run;
  const { selection, selects, counts, windows, summary, json } = options;
  const { description, seen, records: recordsBefore } = before;
  const printInto = async (into: OpenOutput | undefined) => {
    // On a terminal, printed records would continue the line of the progress.
    if (counts || into !== undefined || !(await mayBeShown(STDOUT))) watch.begin('reading');
    return dedup({
      ...{ context: { kernel, threadIndex: 0, keeper }, pool, inputs, observer: watch, into },
      ...{ selection, rules: description.rules, seen, windows, recordsBefore, selects, prints: !counts },
      estimates: summary || json,
    }).finally(watch.finish);
  };
  const found = await intoFile(options.output, names, say, printInto, () => watch.failures === 0);
  await keep?.(
    found.levels.map((level) => level.windowFilters),
    found.recordsSoFar,
  );
  const name = options.state && displayName(options.state.file);
  const [fullest] = found.levels.toSorted((a, b) => b.most - a.most);
  const overfull = fullest && overfullSeen(name, description, fullest);
  if (overfull !== undefined) say.warning(overfull);
  return found;
}

/** Prints the counts and the summary. */
function report(
  { counts, summary, json, sightings, selection, selects, windows }: DedupOptions,
  found: Deduplicated,
  say: Messenger,
): void {
  const skipped = recordsWithout(found);
  const becomes = selects === 'new' && sightings === 1 ? 'dropped' : 'printed';
  const keyless = keylessWarning(found.keys, { skipped, keys: selection.keys });
  if (keyless !== undefined) say.warning(`${keyless}; none of the records was ${becomes}`);
  else if (skipped > 0) {
    const verb = skipped === 1 ? 'was' : 'were';
    say.note(`${skippedText({ skipped, keys: selection.keys })}, and ${verb} not ${becomes}`);
  }
  if (!counts && !summary) return;
  const { records, keys, positives: printed, levels } = found;
  const firsts = levels[0]?.firsts ?? 0;
  const known = keys - firsts;
  const isOfMany = sightings > 1;
  const isOnce = isOfMany && selects === 'new';
  // A key may pass too early only now, because a list mistook an earlier sighting of it for a later one. If the last list makes
  // such an error, the key passes at once.
  const limit = isOfMany && !isOnce ? printed : known;
  const ranges = levels.map(({ mistaken, trailing, before }) =>
    rangeOfMistaken({ mistaken, trailing: isOfMany ? together(trailing, before) : trailing }, limit),
  );
  const [last = NO_RANGE] = ranges.toReversed();
  const mean = levels.length === 1 ? last.mean : undefined;
  // A key whose sightings were removed may have come that often all the same. With --repeated, one error may also cancel another.
  const keep = windows?.keep ?? 0;
  const least = isOnce || (isOfMany && keep > 0) ? 0 : last.least;
  // If a filter mistakes a new key for a known one, it does so again while it is kept. The estimate for independent keys does not count
  // these repetitions.
  const most = Math.min(limit, (1 + keep) * sum(ranges.map((range) => range.most)));
  const mistaken = { least, mean, most };
  const wrong = isOnce ? 'early or lost' : isOfMany ? 'early' : 'mistaken';
  const said: DedupCounts = { records, keys, printed, firsts, mistaken, wrong };
  if (counts) print(json ? jsonLine(dedupJson(said)) : `${printed}\n`);
  if (summary) say.note(json ? JSON.stringify(dedupJson(said)) : dedupText(said));
}
