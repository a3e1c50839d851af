import type { Command } from 'commander';
import { noteOf } from '../engine/notes.ts';
import type { Reading, Threads } from '../engine/reading.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { KINDS } from '../filters/registry.ts';
import { expectedOf } from '../formats/description.ts';
import { MAKINGS, NEW_FORMAT_NAMES } from '../formats/makings.ts';
import type { Note } from '../formats/note.ts';
import { HASHES } from '../hashes/registry.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { holding } from '../io/hold.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import {
  addKeyInputFlags,
  type InputOptions,
  inputOptionsOf,
  refuseWithKeys,
  type WithKeyFlags,
} from '../options/selection.ts';
import { addSizingFlags, type Given, withNumbers } from '../options/sizing.ts';
import { refuseUnused } from '../options/unused.ts';
import { agreeing, plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { designLike, designOf, requireOwnDigests, requireOwnFormat } from './build-design.ts';
import { clashNote, type NeverFlags, type NeverOptions, neverOptionsOf, protectedInputsOf } from './build-never.ts';
import { originOf } from './build-origin.ts';
import {
  type Judging,
  refuseEmptyOver,
  requirePasses,
  type WrittenBuild,
  writeInPasses,
  writeWhole,
} from './build-output.ts';
import { designOfPart, isPart, type PartNumber, refuseOtherPart } from './build-parts.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import type { DesignFlags } from './design-flags.ts';
import { inputsOf, inputsWithKeys, remarkOnInputs, standardInputWithout, unreadKeys } from './inputs.ts';
import { displayOutput, refuseIncomplete, refuseMixedOutput } from './outputs.ts';

import {
  describeContent,
  describeSkipped,
  describeSpeed,
  emptyNote,
  keylessWarning,
  overfullWarning,
} from './report/content.ts';
import { filterJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';
import { type Watch, watchWork } from './watch.ts';

interface BuildFlags extends DesignFlags, NeverFlags, WithKeyFlags, CommonFlags {
  readonly output: string;
  readonly part?: PartNumber;
  readonly passes?: number;
  readonly resume?: true;
  readonly strict?: true;
  readonly note?: string;
  readonly stamp?: true;
  readonly force?: true;
  readonly json?: true;
}

interface BuildOptions extends InputOptions {
  /** Keys of the command line. They replace the standard input. */
  readonly keys: readonly string[] | undefined;
  readonly design: DesignFlags;
  readonly part: PartNumber | undefined;
  /** More than one. */
  readonly passes: number | undefined;
  /** Whether finished passes are kept. */
  readonly isResumed: boolean;
  readonly exact: NeverOptions | undefined;
  readonly output: Output;
  readonly isStrict: boolean;
  readonly note: Note | undefined;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

export const explanation: Explanation = {
  most: [
    '--output',
    '--items',
    '--fpr',
    '--field',
    '--delimiter',
    '--comment',
    '--ignore-case',
    '--kind',
    '--like',
    '--force',
  ],
  notes: `Without -n or a size, build counts the distinct keys of the input and sizes the filter for them.
The default false-positive rate is 1%.`,
  lists: [
    { title: 'Kinds (bloom size --kind all -n COUNT compares them)', items: KINDS },
    { title: 'Hashes', items: HASHES },
    { title: 'Formats of other systems (each sizes its filters by its own rules)', items: MAKINGS },
  ],
  examples: [
    ['bloom build words.txt -o words.bloom'],
    ['bloom build -n 10M -p 0.1% day1.txt day2.txt -o seen.bloom'],
    ['bloom build -f 1 access.log* -o visitors.bloom', 'some of them compressed'],
    ["find . -name '*.log' -print0 | bloom build --files0-from - -o seen.bloom"],
    ['bloom build -n 10M --slice 3/16 access.log -o 3.bloom', 'one of 16 filters to merge'],
    ['bloom build -n 10G --part 3/16 keys/* -o part3.bloom', 'a sixteenth of a filter; merge joins all'],
    ['bloom build -n 30G --passes 3 keys/* -o large.bloom', 'in a third of the memory'],
    ['bloom build bad.txt --kind ribbon --never good.txt -o bad.bloom', 'no key of good.txt is selected'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command.argument('[file...]', 'records to add, one per line (default: standard input)').addOption(flags.output());
  addSizingFlags(command)
    .addOption(flags.segmentSize())
    .addOption(flags.newFormat(NEW_FORMAT_NAMES))
    .addOption(flags.keyType())
    .addOption(flags.kind())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase())
    .addOption(flags.ignoreCaseUnicode())
    .addOption(flags.trim())
    .addOption(flags.suffixes())
    .addOption(flags.prefixes())
    .addOption(flags.keyHash())
    .addOption(flags.hashed())
    .addOption(flags.digests())
    .addOption(flags.like())
    .addOption(flags.part())
    .addOption(flags.passes())
    .addOption(flags.resume())
    .addOption(flags.never())
    .addOption(flags.universe())
    .addOption(flags.neverWins())
    .addOption(flags.memberWins())
    .addOption(flags.strict())
    .addOption(flags.note())
    .addOption(flags.stamp())
    .addOption(flags.force());
  addKeyInputFlags(command.addOption(flags.key('add')))
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (files: string[]) => {
      const given = command.opts<Given<BuildFlags>>();
      const options = parse(files, await withNumbers(given));
      finish(await withWorkerPool(options.threads, (pool) => run(options, pool)));
    });
}

function parse(files: readonly string[], raw: BuildFlags): BuildOptions {
  const {
    key,
    output,
    part,
    passes,
    resume,
    never,
    universe,
    neverWins,
    memberWins,
    strict,
    note,
    stamp,
    force,
    json,
    quiet,
    color,
    ...design
  } = raw;
  refuseMixedOutput(output, json === true);
  refuseWithKeys(raw);
  if (raw.prefixes) {
    const why = 'the lengths of networks come from one reading of all of them';
    refuseUnused(raw, ['passes'], why);
    refuseUnused(raw, ['never', 'universe'], '--prefixes selects all addresses of a block');
  }
  if (passes !== undefined) refuseUnused(raw, ['part'], '--passes makes all parts');
  if (passes === undefined) refuseUnused(raw, ['resume'], 'without --passes, there is one pass');
  if (resume) {
    refuseUnused(raw, ['never', 'universe'], '--resume does not keep their protected keys');
    if (output === '-')
      throw new BloomError('usage', '--resume keeps finished parts beside the output', 'name a file with -o');
  }
  return {
    ...inputOptionsOf(files, raw),
    keys: key,
    design,
    part,
    passes: passes === 1 ? undefined : passes,
    isResumed: resume === true,
    exact: neverOptionsOf({ never, universe, neverWins, memberWins }),
    output: { name: output, replace: force === true },
    isStrict: strict === true,
    note: noteOf(note, stamp === true, process.env),
    json: json === true,
    isQuiet: quiet === true,
    colour: color,
  };
}

async function run(options: BuildOptions, pool: WorkerPool): Promise<ExitCode> {
  const start = process.uptime();
  const { lists, selection, output, exact, design } = options;
  const say = await messenger(options.colour, options.isQuiet);
  const watch = watchWork(say, options.colour);
  const others = [design.like, ...(exact?.files ?? [])];
  const files = await inputsOf(options.files, lists, watch, others, standardInputWithout(options.keys));
  await remarkOnInputs(files, selection, say);
  const inputs = inputsWithKeys(options.keys, files, options);
  // Inputs in lists may have failed already.
  const named = inputs.length + watch.failures;
  const read = [...files, others.flatMap((name) => name ?? []), lists.filesFrom, lists.files0From].flat();
  const remarks = await checkOutput(output, read);
  const threads = { context: { kernel: loadKernel(), threadIndex: 0 }, pool };
  const protectedInputs = exact && (await protectedInputsOf(exact, design, selection, threads, watch));
  const reading = { inputs, selection, observer: watch, protectedInputs };
  const written = await build(
    options,
    { ...reading, files: [...files, ...(exact?.files ?? [])] },
    threads,
    watch,
    named,
  ).finally(protectedInputs?.close);

  const { parameters, description, content, clashes } = written;
  for (const remark of remarks) say.warning(remark);
  if (parameters.shortfall !== undefined) say.warning(parameters.shortfall);
  const overfull = overfullWarning(displayOutput(output.name), description, content);
  if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
  const clashed = exact && clashNote(clashes, content, exact);
  if (clashed !== undefined) say.note(clashed);
  report(options, written, secondsSince(start), say, watch);
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** A reading, and the names of its files and of those of protected keys. */
interface NamedReading extends Reading {
  readonly files: readonly string[];
}

/** Builds and writes the filter. `named` inputs were named. */
async function build(
  options: BuildOptions,
  reading: NamedReading,
  threads: Threads,
  watch: Watch,
  named: number,
): Promise<WrittenBuild> {
  const { selection, output, passes } = options;
  const { inputs, protectedInputs } = reading;
  const { like } = options.design;
  const facts = { protectedKeys: protectedInputs?.keys, isUniverse: options.exact?.isUniverse };
  const whole = await (like === undefined ? designOf(options.design, facts) : designLike(like, options.design, facts));
  const part = options.part === undefined ? whole : designOfPart(whole, options.part);
  if (options.note !== undefined) requireOwnFormat(part, '--note, or --stamp,');
  if (protectedInputs !== undefined) requireOwnFormat(part, options.exact?.isUniverse ? '--universe' : '--never');
  const { slice, keys } = options;
  const origin = originOf(threads.context.kernel, part, {
    ...{ files: reading.files, keys, selection, slice },
    isPart: options.part !== undefined || isPart(part),
  });
  const design = { ...part, note: options.note, origin };
  if (selection.areDigests) requireOwnDigests(design);
  const inPasses = passes === undefined ? undefined : requirePasses(design, inputs, passes, options.isResumed);
  // A growing filter is built by one thread, and each pass starts its own threads.
  if (inPasses === undefined && design.kind.capacity === undefined) startIfWorthwhile(threads.pool, inputs);

  watch.begin('building');
  const judging: Judging = {
    onRead: () => refuseIncomplete(watch, output, options.isStrict || watch.failures === named),
    onEmpty(description, elsewhere) {
      if (selection.areDigests) refuseOtherPart(description, elsewhere);
      return refuseEmptyOver(output);
    },
    onBuilt(description, content) {
      const overfull = overfullWarning(displayOutput(output.name), description, content);
      if (overfull !== undefined && options.isStrict)
        throw new BloomError('capacity', `nothing was written: ${overfull.message}`, overfull.hint);
    },
  };
  return inPasses === undefined
    ? writeWhole(design, reading, threads, output, judging, watch)
    : withoutOthers(options, () => writeInPasses(inPasses, reading, threads, output, judging)).finally(watch.finish);
}

/** Does the work while no other process resumes the same output. */
function withoutOthers<T>({ output, isResumed }: BuildOptions, work: () => Promise<T>): Promise<T> {
  return isResumed ? holding(output.name, displayOutput(output.name), work) : work();
}

/** Reports what was built, and which keys are missing. */
function report(
  { output, selection, json }: BuildOptions,
  { description, content, inserted, unplanned, skipped, empty, elsewhere }: WrittenBuild,
  seconds: number,
  say: Messenger,
  watch: Watch,
): void {
  const name = displayOutput(output.name);
  if (unplanned > 0) {
    const object = agreeing(unplanned, 'it');
    say.warning(
      `${plural(unplanned, 'key')} appeared in the inputs while they were read: ${name} has ${object}, but was not sized for ${object}`,
    );
  }
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  if (selection.areDigests && elsewhere > 0)
    say.warning(
      `${plural(elsewhere, 'digest')} ${agreeing(elsewhere, 'is')} of other parts: give ${agreeing(elsewhere, 'it')} to those parts too; bloom digest --parts divides digests for one size of filter`,
    );
  const skippedRecords = { skipped, keys: selection.keys, expected: expectedOf(description) };
  const keyless = keylessWarning(inserted, skippedRecords);
  if (keyless !== undefined) say.warning(keyless);
  const described = `${describeContent(description, content)}${describeSkipped(skippedRecords)}`;
  if (empty > 0) say.note(emptyNote(empty));
  say.note(`${name}: ${described}; ${describeSpeed(inserted + elsewhere, seconds)}`);
  if (json) print(jsonLine({ ...filterJson(output.name, description, content), skipped, seconds }));
}
