import type { Command } from 'commander';
import { type CountedKeys, countDistinct } from '../engine/count.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { recordsWithout } from '../engine/tasks/tally.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import type { CaseRule } from '../formats/description.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addKeyInputFlags, type InputFlags, type InputOptions, inputOptionsOf } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { count, rate } from '../quantities.ts';
import { interval95 } from '../sizing/cardinality.ts';
import { sketchBytes } from '../sketches/file.ts';
import { beginsAsSketch, sketchIn } from '../sketches/read.ts';
import { type Sketch, sketchUnion } from '../sketches/sketch.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { cutInputs, inputsOf, remarkOnInputs, unreadInputs, unreadKeys } from './inputs.ts';
import { refuseIncomplete, refuseMixedOutput } from './outputs.ts';
import { keylessWarning, skippedText } from './report/content.ts';
import { countedJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';
import { type Watch, watchWork } from './watch.ts';

interface CountFlags extends InputFlags, CommonFlags {
  readonly output?: string;
  readonly ignoreCase?: Exclude<CaseRule, false>;
  readonly trim?: true;
  readonly force?: true;
  readonly json?: true;
}

interface CountOptions extends InputOptions {
  readonly rules: { readonly ignoreCase: CaseRule; readonly trim: boolean };
  /** The file of the sketch, if one is kept. */
  readonly output: Output | undefined;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/** The sentence of the help about normalisation. */
const NOT_RECORDED = 'The sketch does not record this flag.';

export const explanation: Explanation = {
  most: ['--field', '--delimiter', '--ignore-case', '--trim', '--comment', '--output', '--json'],
  notes: `Prints the number of distinct keys of all files together, as sort -u FILE... | wc -l does. Up to 131,072 keys are counted exactly. More
keys are estimated by HyperLogLog with a standard error of 0.41 %, and a line on standard error says so.

-o keeps a sketch of the keys, of at most 64 KiB. Sketches can be named like files and together with files: count then prints the number
of keys of the union. The sketches have the format of Apache DataSketches (HLL). -n @SKETCH sizes a filter in build, size and digest.`,
  examples: [
    ['bloom count access.log -f 1', 'how many visitors?'],
    ['bloom count monday.txt -o monday.hll', 'keep a sketch of a day'],
    ['bloom count monday.hll tuesday.hll new.txt -o all.hll', 'how many in all?'],
    ['bloom build -n @all.hll *.txt -o seen.bloom', 'a filter for all keys'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('[file...]', 'records or sketches (default: records on standard input)')
    .addOption(flags.sketchOutput())
    .addOption(flags.ignoreCase(NOT_RECORDED))
    .addOption(flags.ignoreCaseUnicode())
    .addOption(flags.trim(NOT_RECORDED))
    .addOption(flags.force());
  addKeyInputFlags(command)
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (files: string[]) => {
      const options = parse(files, command.opts<CountFlags>());
      finish(await withWorkerPool(options.threads, (pool) => run(options, pool)));
    });
}

function parse(files: readonly string[], raw: CountFlags): CountOptions {
  const { output, json, quiet, ignoreCase, trim, force, color } = raw;
  if (output === undefined) refuseUnused(raw, ['force'], 'no sketch is kept without -o');
  else refuseMixedOutput(output, json === true, 'sketch');
  return {
    ...inputOptionsOf(files, raw),
    rules: { ignoreCase: ignoreCase ?? false, trim: trim === true },
    output: output === undefined ? undefined : { name: output, replace: force === true },
    json: json === true,
    isQuiet: quiet === true,
    colour: color,
  };
}

/** The string hash of Apache DataSketches: all 128 bits of MurmurHash3 with this seed. */
const HASHING = { hash: 'murmur3-128', seed: 9001n } as const;

async function run(options: CountOptions, pool: WorkerPool): Promise<ExitCode> {
  const start = process.uptime();
  const { lists, selection, output } = options;
  const say = await messenger(options.colour, options.isQuiet);
  const watch = watchWork(say, options.colour);
  const named = await inputsOf(options.files, lists, watch);
  const total = named.length + watch.failures;
  const read = [...named, ...lists.filesFrom, ...lists.files0From];
  const remarks = output === undefined ? [] : await checkOutput(output, read);
  const { files, sketch } = await withoutSketches(named, selection);
  await remarkOnInputs(files, selection, say);
  const inputs = cutInputs(files, options.slice, selection);
  startIfWorthwhile(pool, inputs);

  watch.begin('counting');
  const spec = { selection, rules: { ...HASHING, ...options.rules } };
  const pass = { context: { kernel: loadKernel(), threadIndex: 0 }, pool, spec, inputs, observer: watch };
  const counted = await countDistinct(pass, sketch).finally(watch.finish);
  requireSome(watch, output, total);
  if (output !== undefined) await writeOutput(output, (append) => append(sketchBytes(counted.sketch)));

  for (const remark of remarks) say.warning(remark);
  if (watch.failures > 0) say.warning(`the count lacks ${unreadKeys(watch)}`);
  const skipped = recordsWithout(counted);
  const keyless = keylessWarning(counted.keys, { skipped, keys: selection.keys });
  if (keyless !== undefined) say.warning(keyless);
  else if (skipped > 0) say.note(skippedText({ skipped, keys: selection.keys }));
  if (counted.distinct.error > 0) say.note(describeError(counted));
  const distinct = `${Math.round(counted.distinct.count)}`;
  if (output?.name === '-') say.note(`${count(counted.distinct.count)} distinct keys`);
  else if (!options.json) print(`${distinct}\n`);
  else print(jsonLine(countedJson(output?.name, counted, secondsSince(start))));
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** Throws an `input` error if nothing could be read, or if an incomplete sketch would replace a sketch. */
function requireSome(watch: Watch, output: Output | undefined, total: number): void {
  if (output !== undefined) refuseIncomplete(watch, output, watch.failures === total);
  else if (watch.failures > 0 && watch.failures === total) throw unreadInputs('nothing was counted', watch);
}

/** "estimated, with a standard error of 0.406 % (95 %: 9,920,113 to 10,081,003)" */
function describeError({ distinct }: CountedKeys): string {
  const { low, high } = interval95(distinct);
  return `estimated, with a standard error of ${rate(distinct.error / distinct.count)} (95 %: ${count(low)} to ${count(high)})`;
}

/** The files with records, and the union of the sketches among the files. */
async function withoutSketches(
  names: readonly string[],
  { raw }: KeySelection,
): Promise<{ files: readonly string[]; sketch: Sketch | undefined }> {
  const files: string[] = [];
  let sketch: Sketch | undefined;
  for (const name of names) {
    if (raw || !beginsAsSketch(name)) {
      files.push(name);
      continue;
    }
    const next = await sketchIn(name);
    sketch = sketch === undefined ? next : sketchUnion(sketch, next);
  }
  return { files, sketch };
}
