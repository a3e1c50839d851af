import type { Command } from 'commander';
import { type SignedFiles, signFiles } from '../engine/index/make-index.ts';
import { seedNumber } from '../engine/survey.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import type { KeyRules } from '../formats/description.ts';
import { HASHES, type OwnHashName } from '../hashes/registry.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { randomHex } from '../io/random.ts';
import { print } from '../io/sink.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import {
  addListFlags,
  addSelectionFlags,
  type InputOptions,
  inputOptionsOf,
  type ListFlags,
  type SelectionFlags,
} from '../options/selection.ts';
import { bytes, plural, rate } from '../quantities.ts';
import { kFor } from '../sizing/bloom.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { filesToIndex } from './indexed-files.ts';
import { inputsOf, remarkOnInputs, unreadKeys } from './inputs.ts';
import { displayOutput, refuseIncomplete, refuseMixedOutput } from './outputs.ts';
import { describeSpeed } from './report/content.ts';
import { jsonLine } from './report/json-line.ts';
import { watchWork } from './watch.ts';

interface IndexFlags extends SelectionFlags, ListFlags, CommonFlags {
  readonly output: string;
  readonly fpr?: number;
  readonly recursive?: true;
  readonly hash?: OwnHashName;
  readonly seed?: bigint | 'random';
  readonly ignoreCase?: true;
  readonly trim?: true;
  readonly force?: true;
  readonly json?: true;
}

interface IndexOptions extends Pick<InputOptions, 'files' | 'lists' | 'selection' | 'threads'> {
  readonly output: Output;
  readonly rules: KeyRules;
  readonly targetFpr: number;
  readonly recursive: boolean;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/** The rate of a file if no flag states one. */
const DEFAULT_FPR = 0.01;

const RECORDED = 'The index records this flag, and queries obey it.';

export const explanation: Explanation = {
  most: ['--output', '--recursive', '--tokens', '--field', '--delimiter', '--fpr', '--ignore-case', '--force'],
  notes: `An index knows for each file which keys it may have. bloom query INDEX -e KEY prints the names of the files that may have a key, and reads
a few kilobytes of the index for it. The rate is the share of the other files that a query names by mistake. The files may be compressed.`,
  examples: [
    ['bloom index -r /var/log --tokens words -o logs.index', 'the words of all logs'],
    ['bloom query logs.index -e 10.0.0.7', 'which of them may have it?'],
    ['bloom query logs.index -e 10.0.0.7 -Z | xargs -0r zgrep -hwF 10.0.0.7', 'search only these'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<file...>', 'files of records, quoted patterns, or folders with -r')
    .addOption(flags.indexOutput())
    .addOption(flags.fpr())
    .addOption(flags.recursive())
    .addOption(flags.filesFrom())
    .addOption(flags.files0From())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase(RECORDED))
    .addOption(flags.trim(RECORDED))
    .addOption(flags.force());
  addSelectionFlags(addListFlags(command))
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (files: string[]) => {
      const options = parse(files, command.opts<IndexFlags>());
      finish(await withWorkerPool(options.threads, (pool) => run(options, pool)));
    });
}

function parse(files: readonly string[], raw: IndexFlags): IndexOptions {
  const { output, fpr = DEFAULT_FPR, seed = 0n, hash = HASHES[0].name } = raw;
  refuseMixedOutput(output, raw.json === true, 'index');
  const { lists, selection, threads } = inputOptionsOf(files, raw);
  return {
    ...{ files, lists, selection, threads },
    output: { name: output, replace: raw.force === true },
    rules: {
      hash,
      seed: seed === 'random' ? BigInt(`0x${randomHex(8)}`) : seed,
      ignoreCase: raw.ignoreCase === true,
      trim: raw.trim === true,
    },
    targetFpr: fpr,
    recursive: raw.recursive === true,
    json: raw.json === true,
    isQuiet: raw.quiet === true,
    colour: raw.color,
  };
}

async function run(options: IndexOptions, pool: WorkerPool): Promise<ExitCode> {
  const start = process.uptime();
  const { lists, selection, output, rules, targetFpr, recursive } = options;
  const say = await messenger(options.colour, options.isQuiet);
  const watch = watchWork(say, options.colour);
  const places = await inputsOf(options.files, lists, watch, [], []);
  const finding = { recursive, raw: selection.raw === true, output: output.name };
  const { names, skipped } = filesToIndex(places, finding, watch);
  const remarks = await checkOutput(output, [...names, ...lists.filesFrom, ...lists.files0From]);
  await remarkOnInputs(names, selection, say);
  const named = names.length + watch.failures;
  if (named === 0) throw new BloomError('input', 'there is no text file to index', 'name files, or folders with -r');

  watch.begin('reading');
  const design = { selection, rules, k: kFor(targetFpr), targetFpr };
  const signed = await signFiles(pool, design, names, watch).finally(watch.finish);
  try {
    refuseIncomplete(watch, output, watch.failures === named);
    await writeOutput(output, (append) => signed.write(append));
  } finally {
    signed.close();
  }

  for (const remark of remarks) say.warning(remark);
  const name = displayOutput(output.name);
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  if (signed.counts.keys === 0) say.warning(`the files have no keys, so no query will find one in ${name}`);
  const seconds = secondsSince(start);
  const left =
    skipped === 0 ? '' : `; ${plural(skipped, 'file')} skipped that ${skipped === 1 ? 'is' : 'are'} not text`;
  say.note(`${name}: ${describe(signed, targetFpr)}${left}; ${describeSpeed(signed.counts.keys, seconds)}`);
  if (options.json) print(jsonLine(indexJson(options, signed, skipped, seconds)));
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** "2,000 files, 1,234,567 keys, 1.59 MB (10.3 bits per key of a file), rate 1.00 %" */
function describe({ files, bytes: size }: SignedFiles, targetFpr: number): string {
  const keys = files.reduce((sum, file) => sum + file.keys, 0);
  const perKey = keys === 0 ? '' : `, ${((8 * size) / keys).toFixed(1)} bits per key`;
  return `${plural(files.length, 'file')} with ${plural(keys, 'distinct key')}, ${bytes(size)}${perKey}, rate ${rate(targetFpr)}`;
}

function indexJson(
  { output, rules, targetFpr }: IndexOptions,
  { files, counts, groups, bytes: size }: SignedFiles,
  skipped: number,
  seconds: number,
) {
  const keys = files.reduce((sum, file) => sum + file.keys, 0);
  return {
    file: output.name,
    files: files.length,
    skippedFiles: skipped,
    records: counts.records,
    keys,
    groups,
    bytes: size,
    bitsPerKey: keys === 0 ? null : (8 * size) / keys,
    hash: rules.hash,
    seed: seedNumber(rules.seed),
    ignoreCase: rules.ignoreCase,
    trim: rules.trim,
    hashes: kFor(targetFpr),
    targetFpr,
    seconds,
  };
}
