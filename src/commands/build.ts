import type { Command } from 'commander';
import { type BuildResult, buildWithShape, buildWithSizing } from '../engine/build.ts';
import { type Crew, withCrew } from '../engine/crew.ts';
import { callFor } from '../engine/pass.ts';
import { BloomError, printable } from '../errors.ts';
import type { FilterKind, Shape } from '../filters/kind.ts';
import { KINDS, kindOf, kindsHelp } from '../filters/registry.ts';
import type { Header, KeyRules } from '../format/header.ts';
import { HASH_NAMES, type HashName } from '../format/ids.ts';
import { readHeaderOf } from '../format/reader.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { displayName, lookAt } from '../io/look.ts';
import { randomHex } from '../io/random.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addInputFlags, type ListFlags, parseSelection, type SelectionFlags, threadsOf } from '../options/selection.ts';
import { addSizingFlags, parseSizing, refuseGrowth, type SizingFlags, withHeadroom } from '../options/sizing.ts';
import { nameOfFlag } from '../options/unused.ts';
import type { Wish } from '../sizing/solve.ts';
import { messenger } from '../terminal/messages.ts';
import { plural } from '../terminal/quantities.ts';
import { type Blueprint, draw } from './blueprint.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { inputsOf, unreadInputs, unreadKeys } from './inputs.ts';
import { displayOutput, refuseMixedOutput, suppliedBy, writeWatched } from './outputs.ts';
import { describeContent, describeSkipped, describeSpeed, overfullWarning, surveyContent } from './report/content.ts';
import { filterJson, jsonLine } from './report/json.ts';
import { type Watch, watchWork } from './watch.ts';

interface BuildFlags extends SizingFlags, SelectionFlags, ListFlags, CommonFlags {
  readonly output: string;
  readonly kind?: string;
  readonly hash?: HashName;
  readonly seed?: bigint | 'random';
  readonly ignoreCase?: true;
  readonly trim?: true;
  readonly like?: string;
  readonly strict?: true;
  readonly force?: true;
  readonly json?: true;
}

/** What is built: with a blueprint from the start, or with one for the number of keys that it is to hold. */
interface Recipe {
  readonly kind: FilterKind;
  readonly rules: KeyRules;
  readonly blueprint: Blueprint | ((items: number) => Blueprint);
}

const DEFAULT_FPR = 0.01;

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command.argument('[file...]', "records to add, one a line; '-' or none: standard input").addOption(flags.output());
  addSizingFlags(command)
    .addOption(flags.kind())
    .addOption(flags.hash())
    .addOption(flags.seed())
    .addOption(flags.ignoreCase())
    .addOption(flags.trim())
    .addOption(flags.like())
    .addOption(flags.strict())
    .addOption(flags.force());
  addInputFlags(command)
    .addOption(flags.json())
    .addHelpText(
      'after',
      `
Without -n or a size the filter is sized from the distinct keys of the input. The default rate is 1%.

Kinds (bloom size --kind all -n COUNT compares them):
${kindsHelp()}

Examples:
  bloom build words.txt -o words.bloom
  bloom build -n 10M -p 0.1% day1.txt day2.txt -o seen.bloom
  bloom build -f 1 access.log* -o visitors.bloom      some of them compressed
  find . -name '*.log' -print0 | bloom build --files0-from - -o seen.bloom`,
    )
    .action(async (files: string[]) => {
      const raw = command.opts<BuildFlags>();
      finish(await withCrew(threadsOf(raw), (crew) => run(files, raw, crew)));
    });
}

async function run(files: readonly string[], raw: BuildFlags, crew: Crew): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(raw.color);
  const watch = watchWork(say, raw.color);
  const inputs = await inputsOf(files, raw, watch, [raw.like]);
  // Some of those in lists may have failed already.
  const named = inputs.length + watch.failures;
  const output: Output = { name: raw.output, replace: raw.force === true };
  const selection = parseSelection(raw);
  refuseMixedOutput(output.name, raw.json === true);
  const read = [...inputs, raw.like ?? [], raw.filesFrom ?? [], raw.files0From ?? []].flat();
  const remarks = await checkOutput(output, read);
  const { kind, rules, blueprint } = raw.like === undefined ? recipeOf(raw) : await recipeLike(raw.like, raw);
  // One thread lets a filter grow.
  if (kind.growing === undefined) callFor(crew, inputs);

  const kernel = loadKernel();
  watch.begin('building');
  const request = { station: { kernel, seat: 0 }, crew, kind, inputs, selection, rules, observer: watch };
  let chosen: Blueprint | undefined;
  const choose = (items: number): Shape => {
    chosen = typeof blueprint === 'function' ? blueprint(items) : blueprint;
    return chosen.shape;
  };
  const work = async (): Promise<BuildResult> =>
    typeof blueprint === 'function'
      ? buildWithSizing(request, choose)
      : buildWithShape(request, choose(0), undefined, isUnsized(raw));
  const result = await work().finally(watch.finish);
  if (chosen === undefined) throw new Error('the filter has no blueprint');

  const header: Header = {
    ...rules,
    ...result.shape,
    kind: kind.id,
    capacity: kind.growing?.capacity(result.shape) ?? chosen.capacity,
    targetFpr: chosen.targetFpr,
    inserted: result.inserted,
  };
  const fill = result.segments.fills();
  const content = surveyContent(kind, header, fill, result.distinct);
  const overfull = overfullWarning(displayOutput(output.name), header, content);
  if (overfull !== undefined && raw.strict)
    throw new BloomError('capacity', `nothing was written: ${overfull.message}`, overfull.hint);
  refuseIncomplete(watch, output, raw.strict === true || watch.failures === named);
  await writeWatched(watch, output, kernel, header, suppliedBy(result.segments, fill));
  const seconds = secondsSince(start);

  for (const remark of remarks) say.warning(remark);
  if (chosen.shortfall !== undefined) say.warning(chosen.shortfall);
  if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
  if (result.late > 0)
    say.warning(
      `${plural(result.late, 'key')} came while the inputs were read: ${result.late === 1 ? 'it is' : 'they are'} in ${displayOutput(output.name)}, which was not sized for ${result.late === 1 ? 'it' : 'them'}`,
    );
  if (watch.failures > 0) say.warning(`${displayOutput(output.name)} lacks ${unreadKeys(watch)}`);
  say.note(
    `${displayOutput(output.name)}: ${describeContent(header, content)}${describeSkipped({ ...result, field: selection.field })}; ${describeSpeed(header.inserted, seconds)}`,
  );
  if (raw.json) {
    const filter = filterJson(output.name, kind, header, content);
    print(jsonLine({ ...filter, skipped: result.skipped, seconds }));
  }
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}

function recipeOf(raw: BuildFlags): Recipe {
  const kind = KINDS.find(({ name }) => name === raw.kind) ?? KINDS[0];
  const rules: KeyRules = {
    hash: raw.hash ?? HASH_NAMES[0],
    seed: raw.seed === 'random' ? BigInt(`0x${randomHex(8)}`) : (raw.seed ?? 0n),
    ignoreCase: raw.ignoreCase === true,
    trim: raw.trim === true,
  };
  const wish = parseSizing(raw);
  if (kind.growing === undefined) refuseGrowth(raw);
  if (wish.items !== undefined || wish.bits !== undefined) return { kind, rules, blueprint: blueprintFor(kind, wish) };
  if (kind.growing !== undefined)
    return { kind, rules, blueprint: blueprintFor(kind, { ...wish, bits: kind.growing.firstBits }) };
  const blueprint = (items: number) => blueprintFor(kind, { ...wish, items: withHeadroom(items, raw.headroom) });
  return { kind, rules, blueprint };
}

/** The blueprint for a wish that states the keys or the bits; the rate is the default one unless it follows. */
function blueprintFor(kind: FilterKind, wish: Wish): Blueprint {
  const follows = wish.bitsPerKey !== undefined || (wish.items !== undefined && wish.bits !== undefined);
  const plan = kind.plan(follows ? wish : { ...wish, fpr: wish.fpr ?? DEFAULT_FPR });
  if (plan === undefined)
    throw new BloomError('usage', 'these flags do not determine a filter', 'state two of -n, -p and -m');
  return draw(kind, plan, wish);
}

/** The flags that fix what --like takes from the other filter. */
const FIXED_BY_LIKE = [
  'items',
  'fpr',
  'bits',
  'memory',
  'hashes',
  'bitsPerKey',
  'headroom',
  'growth',
  'tightening',
  'kind',
  'hash',
  'seed',
  'ignoreCase',
  'trim',
] as const;

async function recipeLike(like: string, raw: BuildFlags): Promise<Recipe> {
  const given = FIXED_BY_LIKE.find((flag) => raw[flag] !== undefined);
  if (given !== undefined) {
    throw new BloomError(
      'usage',
      `--like takes every parameter from ${printable(like)}, so ${nameOfFlag(given)} cannot be given`,
      'drop one of them',
    );
  }
  const header = await readHeaderOf(like);
  const { bits, segments, segmentBits, hashes, chain, capacity, targetFpr, hash, seed, ignoreCase, trim } = header;
  return {
    kind: kindOf(header, displayName(like)),
    rules: { hash, seed, ignoreCase, trim },
    blueprint: { shape: { bits, segments, segmentBits, hashes, chain }, capacity, targetFpr },
  };
}

/** A filter that lacks keys must not take the place of a complete one; with `always`, not even that of none. */
function refuseIncomplete(watch: Watch, output: Output, always: boolean): void {
  if (watch.failures === 0) return;
  const replaces = output.name !== '-' && lookAt(output.name)?.isFile() === true;
  if (!always && !replaces) return;
  throw unreadInputs(replaces ? `${printable(output.name)} was left as it was` : 'nothing was written', watch);
}

/** No flag says how many keys there will be. */
function isUnsized(raw: BuildFlags): boolean {
  return raw.like === undefined && raw.items === undefined && raw.bits === undefined && raw.memory === undefined;
}
