import type { Command } from 'commander';
import type { Design } from '../engine/design.ts';
import { boundsOfParts, type WrittenDigests, writeDigests } from '../engine/make-digests.ts';
import { recordsWithout } from '../engine/tasks/tally.ts';
import type { OpenOutput } from '../engine/tasks/task.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { HASHES } from '../hashes/registry.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addKeyInputFlags, type InputFlags, type InputOptions, inputOptionsOf } from '../options/selection.ts';
import { addSizingFlags, type Given, withNumbers } from '../options/sizing.ts';
import { refuseUnused } from '../options/unused.ts';
import { bytes, plural } from '../quantities.ts';
import { wholeSegments } from '../sizing/share.ts';
import { messenger } from '../terminal/messages.ts';
import { designLike, designOf, requireOwnDigests } from './build-design.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { type DesignFlags, OF_SIZE } from './design-flags.ts';
import { cutInputs, inputsOf, remarkOnInputs, unreadKeys } from './inputs.ts';
import { displayOutput, refuseIncomplete, refuseMixedOutput } from './outputs.ts';
import { describeSkipped, describeSpeed, keylessWarning } from './report/content.ts';
import { digestsJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';
import { watchWork } from './watch.ts';

interface DigestFlags extends Omit<DesignFlags, 'format' | 'keyType'>, InputFlags, CommonFlags {
  readonly output: string;
  readonly parts?: number;
  readonly force?: true;
  readonly json?: true;
}

interface DigestOptions extends InputOptions {
  readonly design: DesignFlags;
  /** One output per part. */
  readonly outputs: readonly Output[];
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/** The sentence of the help about normalisation. */
const TO_BE_STATED = 'State the same flag for bloom build.';

export const explanation: Explanation = {
  most: ['--output', '--parts', '--items', '--field', '--delimiter', '--hash', '--seed', '--ignore-case', '--force'],
  notes: `A digest is the hash of a key: 8 bytes, little-endian, in the order of the records, with nothing between them. build --digests reads
digests, with the same --hash, --seed, -i and --trim. With --parts, digest divides them among the parts of a filter. The flags of the
size must be the same as for build: build --part K/N then reads the output of part K.`,
  lists: [{ title: 'Hashes', items: HASHES }],
  examples: [
    ['bloom digest words.txt -o words.digests'],
    ['bloom digest access.log* -o - | bloom build --digests -n 10M -o seen.bloom'],
    ['bloom digest --parts 16 -n 10G day1.txt -o day1-%02d', 'day1-01 to day1-16'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('[file...]', 'records, one per line (default: standard input)')
    .addOption(flags.digestOutput())
    .addOption(flags.parts());
  addSizingFlags(command)
    .addOption(flags.segmentSize())
    .addOption(flags.kind())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase(TO_BE_STATED))
    .addOption(flags.ignoreCaseUnicode())
    .addOption(flags.trim(TO_BE_STATED))
    .addOption(flags.keyHash(TO_BE_STATED))
    .addOption(flags.hashed())
    .addOption(flags.like())
    .addOption(flags.force());
  addKeyInputFlags(command)
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (files: string[]) => {
      const given = command.opts<Given<DigestFlags>>();
      const options = parse(files, await withNumbers(given));
      finish(await withWorkerPool(options.threads, (pool) => run(options, pool)));
    });
}

function parse(files: readonly string[], raw: DigestFlags): DigestOptions {
  const { output, parts, force, json, quiet, color, ...design } = raw;
  refuseMixedOutput(output, json === true, 'digests');
  if (parts === undefined) refuseUnused(raw, OF_SIZE, 'without --parts, digests fit filters of any size');
  if (design.seed === 'random')
    throw new BloomError(
      'usage',
      'digest does not accept a random seed, because build needs the same one',
      'state a number',
    );
  return {
    ...inputOptionsOf(files, raw),
    design,
    outputs: outputNames(output, parts).map((name) => ({ name, replace: force === true })),
    json: json === true,
    isQuiet: quiet === true,
    colour: color,
  };
}

/** The position of the part's number in the name of its output, with leading zeros up to a number of digits. */
const NUMBER = /%(?:0(\d))?d/g;

/** The names of the outputs. Parts count from 1. Throws a `usage` error if the name has no position for the number. */
function outputNames(output: string, parts: number | undefined): readonly string[] {
  if (parts === undefined) return [output];
  if ([...output.matchAll(NUMBER)].length !== 1)
    throw new BloomError(
      'usage',
      `the name of the output must contain %d once, because there are ${plural(parts, 'file')}`,
      'write it as -o part-%d, or as -o part-%03d for three digits',
    );
  return Array.from({ length: parts }, (_, i) =>
    output.replace(NUMBER, (_match, digits: string | undefined) => String(i + 1).padStart(Number(digits ?? 0), '0')),
  );
}

async function run(options: DigestOptions, pool: WorkerPool): Promise<ExitCode> {
  const start = process.uptime();
  const { lists, selection, outputs } = options;
  const say = await messenger(options.colour, options.isQuiet);
  const watch = watchWork(say, options.colour);
  const { like } = options.design;
  const files = await inputsOf(options.files, lists, watch, [like]);
  await remarkOnInputs(files, selection, say);
  const inputs = cutInputs(files, options.slice, selection);
  const named = inputs.length + watch.failures;
  const read = [...files, like ?? [], lists.filesFrom, lists.files0From].flat();
  const remarks: string[] = [];
  for (const output of outputs) remarks.push(...(await checkOutput(output, read)));
  const design = await (like === undefined ? designOf(options.design) : designLike(like, options.design));
  requireOwnDigests(design);
  const bounds = boundsOfParts(outputs.length === 1 ? 1 : segmentsOf(design), outputs.length);
  startIfWorthwhile(pool, inputs);

  watch.begin('hashing');
  const spec = { selection, rules: design.rules };
  const pass = { context: { kernel: loadKernel(), threadIndex: 0 }, pool, spec, inputs, observer: watch };
  const written = await writeTogether(outputs, async (opened) => {
    const done = await writeDigests(pass, opened, bounds);
    for (const output of outputs) refuseIncomplete(watch, output, watch.failures === named);
    return done;
  }).finally(watch.finish);

  for (const remark of remarks) say.warning(remark);
  const { keys } = written;
  const [first] = outputs;
  const name = outputs.length === 1 && first ? displayOutput(first.name) : `${plural(outputs.length, 'file')}`;
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  const skipped = { skipped: recordsWithout(written), keys: selection.keys };
  const keyless = keylessWarning(keys, skipped);
  if (keyless !== undefined) say.warning(keyless);
  const size = `${plural(keys, 'digest')} (${bytes(8 * keys)})`;
  const seconds = secondsSince(start);
  say.note(`${name}: ${size}${describeSkipped(skipped)}; ${describeSpeed(keys, seconds)}`);
  if (options.json) print(outputsJson(options, design, written));
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

/** The number of segments of the filter to divide. Throws a `usage` error if it is not stated, or not constant. */
function segmentsOf({ size, kind }: Design): number {
  if (kind.capacity !== undefined)
    throw new BloomError('usage', `a ${kind.name} filter grows, so it has no parts`, 'name another --kind');
  if (size.type === 'counted')
    throw new BloomError('usage', '--parts needs the size of the filter', 'state -n as for build, or --like');
  return wholeSegments(size.parameters.shape);
}

/** Opens all outputs, calls `work` with them, and renames them to their names. */
async function writeTogether<T>(
  [output, ...others]: readonly Output[],
  write: (opened: readonly OpenOutput[]) => Promise<T>,
): Promise<T> {
  if (output === undefined) return write([]);
  let written: { readonly result: T } | undefined;
  await writeOutput(output, async (_, fd) => {
    const opened = { fd, name: displayOutput(output.name) };
    // Returning to the event loop keeps the stack short: there may be thousands of outputs.
    await undefined;
    written = { result: await writeTogether(others, (rest) => write([opened, ...rest])) };
  });
  if (written === undefined) throw new Error('nothing was written');
  return written.result;
}

/** One object per file. */
function outputsJson({ outputs }: DigestOptions, { rules }: Design, { counts }: WrittenDigests): string {
  const lines = outputs.map(({ name }, i) =>
    jsonLine(digestsJson({ file: name, part: i + 1, parts: outputs.length, keys: counts[i] ?? 0 }, rules)),
  );
  return lines.join('');
}
