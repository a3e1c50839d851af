import type { Command } from 'commander';
import { type Changes, type SignedFiles, signFiles } from '../engine/index/make-index.ts';
import { type FileIndex, openIndex } from '../engine/index/open-index.ts';
import type { IndexDesign } from '../engine/index/write-index.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { checksumOf } from '../formats/checksum.ts';
import type { CaseRule } from '../formats/description.ts';
import { HASHES, type OwnHashName } from '../hashes/registry.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { displayName, lookAt } from '../io/look.ts';
import { randomHex } from '../io/random.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
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
import { nameOfFlag, refuseUnused } from '../options/unused.ts';
import { agreeing, count, plural } from '../quantities.ts';
import { kFor } from '../sizing/bloom.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { isIndex } from './filter-files.ts';
import { filesToIndex } from './indexed-files.ts';
import { inputsOf, remarkOnInputs, unreadKeys } from './inputs.ts';
import { displayOutput, refuseIncomplete, refuseMixedOutput } from './outputs.ts';
import { describeSpeed } from './report/content.ts';
import { describeIndex, indexJson } from './report/index-report.ts';
import { jsonLine } from './report/json-line.ts';
import { watchWork } from './watch.ts';

interface IndexFlags extends SelectionFlags, ListFlags, CommonFlags {
  readonly output: string;
  readonly fpr?: number;
  readonly recursive?: true;
  readonly hash?: OwnHashName;
  readonly seed?: bigint | 'random';
  readonly ignoreCase?: Exclude<CaseRule, false>;
  readonly trim?: true;
  readonly force?: true;
  readonly update?: true;
  readonly checksum?: true;
  readonly json?: true;
}

interface IndexOptions extends Pick<InputOptions, 'files' | 'lists' | 'selection' | 'threads'> {
  readonly output: Output;
  readonly stated: StatedDesign;
  /** Skip the files that have not changed since the existing output was made. */
  readonly isUpdate: boolean;
  readonly recursive: boolean;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/** The flags about signatures. */
interface StatedDesign {
  readonly hash: OwnHashName | undefined;
  readonly seed: bigint | 'random' | undefined;
  readonly ignoreCase: Exclude<CaseRule, false> | undefined;
  readonly trim: true | undefined;
  readonly targetFpr: number | undefined;
  readonly hasChecksums: true | undefined;
}

/** The default rate of a file. */
const DEFAULT_FPR = 0.01;

const RECORDED = 'The index records this flag, and queries obey it.';

export const explanation: Explanation = {
  most: [
    '--output',
    '--recursive',
    '--update',
    '--checksum',
    '--tokens',
    '--field',
    '--delimiter',
    '--fpr',
    '--ignore-case',
    '--force',
  ],
  notes: `An index knows for each file which keys it may have. bloom query INDEX -e KEY prints the names of the files that may have a key, and reads
a few kilobytes of the index for it. The rate is the share of the other files that a query names by mistake. The files may be compressed. Repeat
the command with --update to read only what is new or changed.`,
  examples: [
    ['bloom index -r /var/log --tokens words -o logs.index', 'the words of all logs'],
    ['bloom query logs.index -e 10.0.0.7', 'which of them may have it?'],
    ['bloom query logs.index -e 10.0.0.7 -Z | xargs -0r zgrep -hwF 10.0.0.7', 'search only these'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('[file...]', 'files of records, quoted patterns, or folders with -r')
    .addOption(flags.indexOutput())
    .addOption(flags.fpr())
    .addOption(flags.recursive())
    .addOption(flags.filesFrom())
    .addOption(flags.files0From())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase(RECORDED))
    .addOption(flags.ignoreCaseUnicode())
    .addOption(flags.trim(RECORDED))
    .addOption(flags.update())
    .addOption(flags.checksum())
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
  const { output, fpr: targetFpr, hash, seed, ignoreCase, trim } = raw;
  refuseMixedOutput(output, raw.json === true, 'index');
  if (raw.update) refuseUnused(raw, ['force'], '--update replaces the index');
  if (raw.update && output === '-')
    throw new BloomError('usage', '--update needs an index that it can read', 'name a file after -o');
  const { lists, selection, threads } = inputOptionsOf(files, raw);
  if (files.length + lists.filesFrom.length + lists.files0From.length === 0)
    throw new BloomError('usage', 'no file is named', 'name files, or folders with -r');
  return {
    ...{ files, lists, selection, threads },
    output: { name: output, replace: raw.force === true || raw.update === true },
    stated: { hash, seed, ignoreCase, trim, targetFpr, hasChecksums: raw.checksum },
    isUpdate: raw.update === true,
    recursive: raw.recursive === true,
    json: raw.json === true,
    isQuiet: raw.quiet === true,
    colour: raw.color,
  };
}

async function run(options: IndexOptions, pool: WorkerPool): Promise<ExitCode> {
  const start = process.uptime();
  const { lists, selection, output, recursive } = options;
  const say = await messenger(options.colour, options.isQuiet);
  const watch = watchWork(say, options.colour);
  const places = await inputsOf(options.files, lists, watch, [], []);
  const { files, atOutput } = filesToIndex(places, { recursive, output: output.name }, watch);
  const names = files.map(({ name }) => name);
  // Only files that may be the output, so that no other file is looked at a second time. The identity of standard output is not known yet.
  const mayBeOutput = output.name === '-' ? names : names.filter((name) => name === atOutput);
  const remarks = await checkOutput(output, [...mayBeOutput, ...lists.filesFrom, ...lists.files0From]);
  await remarkOnInputs(names, selection, say);
  const named = names.length + watch.failures;
  if (named === 0) throw noText();

  const selectionChecksum = checksumOf(loadKernel(), Buffer.from(JSON.stringify(selection)));
  const earlier = options.isUpdate ? await earlierIndex(output.name) : undefined;
  let signed: SignedFiles;
  try {
    if (earlier !== undefined) requireSame(earlier, options.stated, selectionChecksum);
    const design = earlier?.header ?? designOf(options.stated, selectionChecksum);
    watch.begin('reading');
    signed = await signFiles(
      pool,
      { ...design, selection },
      files,
      watch,
      earlier,
      options.stated.hasChecksums,
    ).finally(watch.finish);
  } finally {
    earlier?.close();
  }
  try {
    if (signed.files.length === 0 && watch.failures === 0) throw noText();
    refuseIncomplete(watch, output, watch.failures === named);
    await writeOutput(output, (append) => signed.write(append));
  } finally {
    signed.close();
  }

  for (const remark of remarks) say.warning(remark);
  const name = displayOutput(output.name);
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  if (signed.files.every(({ keys }) => keys === 0))
    say.warning(`the files have no keys, so no query will find one in ${name}`);
  const seconds = secondsSince(start);
  const { skipped } = signed;
  const left = skipped === 0 ? '' : `; ${plural(skipped, 'file')} skipped that ${agreeing(skipped, 'is')} not text`;
  say.note(
    `${name}: ${describeIndex(signed, describeChanges(signed.changes))}${left}; ${describeSpeed(signed.counts.keys, seconds)}`,
  );
  if (options.json) {
    const work = { skippedFiles: skipped, records: signed.counts.records, ...changesJson(signed.changes), seconds };
    print(jsonLine({ ...indexJson(output.name, signed), ...work }));
  }
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

function noText(): BloomError {
  return new BloomError('input', 'there is no text file to index', 'name files, or folders with -r');
}

/** The index to update. Undefined if it does not exist yet. */
async function earlierIndex(name: string): Promise<FileIndex | undefined> {
  if (lookAt(name) === undefined) return undefined;
  if (isIndex(name)) return openIndex(name, loadKernel());
  throw new BloomError('output', `${displayName(name)} is not an index of files`, 'choose another file after -o');
}

function designOf(
  { hash, seed = 0n, ignoreCase, trim, targetFpr = DEFAULT_FPR, hasChecksums }: StatedDesign,
  selectionChecksum: bigint,
) {
  const rules: IndexDesign['rules'] = {
    hash: hash ?? HASHES[0].name,
    seed: seed === 'random' ? BigInt(`0x${randomHex(8)}`) : seed,
    ignoreCase: ignoreCase ?? false,
    trim: trim === true,
  };
  return { rules, k: kFor(targetFpr), targetFpr, selectionChecksum, hasChecksums: hasChecksums === true };
}

/** Throws a `usage` error for flags that contradict an index. */
function requireSame({ name, header }: FileIndex, stated: StatedDesign, selectionChecksum: bigint): void {
  const { rules, targetFpr } = header;
  const known = { ...rules, targetFpr };
  const differing = (['hash', 'seed', 'ignoreCase', 'trim', 'targetFpr'] as const).find(
    (one) => stated[one] !== undefined && stated[one] !== known[one],
  );
  const refuse = (what: string) =>
    new BloomError(
      'usage',
      `${displayName(name)} was made ${what}`,
      'repeat its flags, or replace --update by --force',
    );
  if (differing === 'targetFpr') throw refuse(`with -p ${targetFpr}`);
  if (differing === 'hash' || differing === 'seed') throw refuse(`with ${nameOfFlag(differing)} ${known[differing]}`);
  if (differing !== undefined) throw refuse(`without ${nameOfFlag(differing)}`);
  if (stated.hasChecksums && !header.hasChecksums) throw refuse('without --checksum');
  if (header.selectionChecksum !== selectionChecksum)
    throw refuse('with other flags that choose keys, such as --tokens or -f');
}

/** " (2 new, 1 changed, 7 kept, 0 gone)" */
function describeChanges(changes: Changes | undefined): string {
  if (changes === undefined) return '';
  const { added, changed, kept, gone } = changes;
  return ` (${count(added)} new, ${count(changed)} changed, ${count(kept)} kept, ${count(gone)} gone)`;
}

function changesJson(changes: Changes | undefined) {
  if (changes === undefined) return {};
  const { added, changed, kept, gone } = changes;
  return { newFiles: added, changedFiles: changed, keptFiles: kept, goneFiles: gone };
}
