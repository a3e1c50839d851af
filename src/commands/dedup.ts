import type { Command } from 'commander';
import { createUnseen, type Deduplicated, type DedupRequest, dedup } from '../engine/dedup.ts';
import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import { fileOf } from '../engine/input/input.ts';
import { refuseFilters } from '../engine/input/open-records.ts';
import { recordsWithout } from '../engine/input/record-keys.ts';
import type { DedupSpec } from '../engine/tasks/task.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { type FilterKind, sum } from '../filters/kind.ts';
import { STDOUT } from '../io/descriptors.ts';
import { print } from '../io/sink.ts';
import { mayBeShown } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addKeyInputFlags, type InputFlags, type InputOptions, inputOptionsOf } from '../options/selection.ts';
import { addSizingFlags, type Given, itemsOf } from '../options/sizing.ts';
import { expectedTakenForKnown } from '../sizing/first-sightings.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { type DesignFlags, designOf } from './build-design.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { cutInputs, inputsOf, withoutOutput } from './inputs.ts';
import { whatIsSkipped } from './report/content.ts';
import { type DedupCounts, dedupJson, dedupText } from './report/dedup.ts';
import { jsonLine } from './report/json-line.ts';
import { watchWork } from './watch.ts';

interface DedupFlags extends DesignFlags, InputFlags, CommonFlags {
  readonly repeated?: true;
  readonly allRepeated?: true;
  readonly minCount?: number;
  readonly count?: true;
  readonly summary?: true;
  readonly json?: true;
}

/** What is kept of what was seen. */
interface SeenDesign extends Pick<Design, 'kind' | 'rules'> {
  readonly parameters: FilterParameters;
}

interface DedupOptions extends InputOptions {
  readonly design: DesignFlags;
  readonly selects: DedupSpec['selects'];
  /** Sightings of a key that are told from each other. */
  readonly sightings: number;
  readonly counts: boolean;
  readonly summary: boolean;
  readonly json: boolean;
  readonly colour: CommonFlags['color'];
}

/** What becomes of the normalisation of keys. */
const ONLY_HERE = '; records are printed as they are';

export const explanation: Explanation = {
  notes: `Prints each record whose key was not seen before, in the order of the input and as soon as that pauses: as awk '!seen[$0]++' does,
but in a filter of some bytes a key. Without -n it grows. A false positive drops a record: the default rate is 0.0001%.`,
  examples: [
    ['bloom dedup urls.txt > once.txt', 'each URL once, where it stood first'],
    ['tail -f app.log | bloom dedup -f 3 -n 10M', 'a line for each value of the third field'],
    ['bloom dedup --repeated --summary ads.txt', 'what comes more than once'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command.argument('[file...]', "records, one a line; '-' or none: standard input");
  addSizingFlags(command)
    .addOption(flags.kind())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase(ONLY_HERE))
    .addOption(flags.trim(ONLY_HERE))
    .addOption(flags.repeated())
    .addOption(flags.allRepeated())
    .addOption(flags.minCount())
    .addOption(flags.countSelected())
    .addOption(flags.dedupSummary());
  addKeyInputFlags(command)
    .addOption(flags.dedupJson())
    .action(async (files: string[]) => {
      const given = command.opts<Given<DedupFlags>>();
      const options = parse(files, { ...given, items: await itemsOf(given.items) });
      finish(await withWorkerPool(1, (pool) => run(options, pool)));
    });
}

/** The rate where nobody states one: of a million new records one is dropped. */
const DEFAULT_FPR = 1e-6;

/** The kind where nobody states one and no size is stated. */
const GROWING = 'scalable';

function parse(files: readonly string[], raw: DedupFlags): DedupOptions {
  const { repeated, allRepeated, minCount, count, summary, json, color } = raw;
  if (repeated && allRepeated)
    throw new BloomError('usage', '--repeated prints a key once, --all-repeated each time', 'drop one of them');
  if (minCount !== undefined && (repeated || allRepeated))
    throw new BloomError(
      'usage',
      `--min-count ${minCount} says itself which sightings are printed`,
      'drop it, or --repeated and --all-repeated, which is --min-count 2',
    );
  if (json && !count && !summary)
    throw new BloomError('usage', '--json is for what --count and --summary say', 'add one of them');
  const isSized = raw.items !== undefined || raw.bits !== undefined || raw.memory !== undefined;
  return {
    ...inputOptionsOf(files, raw),
    design: isSized ? raw : { kind: GROWING, ...raw },
    selects: allRepeated || minCount !== undefined ? 'known' : 'new',
    sightings: repeated ? 2 : (minCount ?? 2) - 1,
    counts: count === true,
    summary: summary === true,
    json: json === true,
    colour: color,
  };
}

async function run(options: DedupOptions, pool: WorkerPool): Promise<ExitCode> {
  const { files, lists, slice, selection, selects, sightings, counts } = options;
  const say = await messenger(options.colour);
  const watch = watchWork(say, options.colour);
  const named = cutInputs(await inputsOf(files, lists, watch), slice, selection);
  refuseFilters(
    named.map((input) => fileOf(input)),
    selection,
  );
  const inputs = counts ? named : withoutOutput(named, watch);
  const { kind, rules, parameters } = await seenBy(options);
  const levels = Array.from({ length: sightings }, () => createUnseen(kind, parameters.shape, pool.threadCount));
  // Records that come out meanwhile would stand beside the line, where they or what a reader makes of them are shown.
  if (counts || !(await mayBeShown(STDOUT))) watch.begin('reading');
  const context = { kernel: loadKernel(), threadIndex: 0 };
  const request: DedupRequest = { context, pool, inputs, observer: watch, selection, rules, selects, prints: !counts };
  const found = await dedup(request, levels).finally(watch.finish);
  const skipped = recordsWithout(selection.keys, found);
  const becomes = selects === 'new' && sightings === 1 ? 'dropped' : 'printed';
  if (skipped > 0) say.note(`${whatIsSkipped({ skipped, keys: selection.keys })}, and none of them was ${becomes}`);
  report(options, kind, found, say);
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** What is kept of what was seen. Throws a `usage` error for a filter that would have to be sized for records that are yet to come. */
async function seenBy({ design, sightings }: DedupOptions): Promise<SeenDesign> {
  // A key is taken for known if any filter has it.
  const fpr = (design.fpr ?? DEFAULT_FPR) / sightings;
  const { kind, rules, size } = await designOf(design.fpr === undefined ? design : { ...design, fpr }, fpr);
  if (!kind.abilities.includes('add'))
    throw new BloomError(
      'usage',
      `a ${kind.name} filter is made of all its keys at once, and nothing can be told meanwhile`,
      'choose another --kind',
    );
  if (size.type !== 'counted') return { kind, rules, parameters: size.parameters };
  throw new BloomError(
    'usage',
    `a ${kind.name} filter has a size, and records are read only once`,
    `state -n, or leave --kind out for one that grows`,
  );
}

/** Prints what was counted, and sums up. */
function report(
  { counts, summary, json, sightings }: DedupOptions,
  kind: FilterKind,
  found: Deduplicated,
  say: Messenger,
): void {
  if (!counts && !summary) return;
  const { records, keys, positives: printed, levels } = found;
  const firsts = levels[0]?.firsts ?? 0;
  const taken = levels.map(({ firsts, filter }) =>
    expectedTakenForKnown((items) => kind.predictedRate(items, filter.payload.shape), 0, firsts),
  );
  const expectedTaken = Math.min(keys - firsts, sum(taken));
  const said: DedupCounts = { records, keys, printed, firsts, expectedTaken, isEarly: sightings > 1 };
  if (counts) print(json ? jsonLine(dedupJson(said)) : `${printed}\n`);
  if (summary) say.note(json ? JSON.stringify(dedupJson(said)) : dedupText(said));
}
