import type { Command } from 'commander';
import { type Observer, totalBytes } from '../engine/input/input.ts';
import { createMeter } from '../engine/input/progress.ts';
import { mergeFilters } from '../engine/store/merge.ts';
import type { MergedFilter } from '../engine/store/merge-arrays.ts';
import {
  type NamedOrigin,
  originOfParts,
  originOfSlices,
  requireAllSlices,
  requireSameInputs,
} from '../engine/store/origins.ts';
import { unionOf } from '../engine/store/union.ts';
import { surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Opening } from '../formats/opening.ts';
import type { Origin } from '../formats/origin.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags, type OpeningFlags, openingOf } from '../options/opening.ts';
import { type ListFlags, listsOf } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { duration, plural } from '../quantities.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { isIndex } from './filter-files.ts';
import { checkStdin, inputsOf } from './inputs.ts';
import { joinedOf } from './join-parts.ts';
import { mergeIndexFiles } from './merge-index.ts';
import { withInputs } from './merged-inputs.ts';
import { displayOutput, refuseMixedOutput } from './outputs.ts';
import { describeContent, overfullWarning } from './report/content.ts';
import { filterJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';
import { watchWork } from './watch.ts';

interface MergeFlags extends OpeningFlags, ListFlags, CommonFlags {
  readonly output?: string;
  readonly partial?: true;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly force?: true;
  readonly json?: true;
}

interface MergeOptions {
  readonly files: readonly string[];
  readonly lists: Required<ListFlags>;
  readonly opening: Opening;
  /** Undefined if nothing is written. */
  readonly output: Output | undefined;
  /** Whether slices may be missing, or parts may have been built from other inputs. */
  readonly isPartial: boolean;
  readonly isStrict: boolean;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/** The origin of the result. Throws a `mismatch` error if a slice is missing, or if a file belongs to other inputs. */
function completeOrigin(parts: readonly NamedOrigin[] | undefined, all: readonly NamedOrigin[]): Origin | undefined {
  if (parts === undefined) {
    requireAllSlices(all);
    return originOfSlices(all);
  }
  requireSameInputs(parts);
  return originOfParts(parts);
}

/** A name in a list that cannot be decoded is an error, because a missing filter would go unnoticed. */
const unmerged: Observer = {
  onUnreadable(error) {
    throw error;
  },
};

const APART_HINT = 'write to another file, and rename it with mv afterwards';

export const explanation: Explanation = {
  most: ['--output', '--force', '--dry-run', '--partial', '--files-from', '--files0-from', '--json', '--quiet'],
  notes: `Filters fit together if they have the same kind, size, hash, number of hash functions, seed and normalisation. Build them with the same
-n and -p, or build the later ones with --like. merge also joins the parts of one filter (build --part), and
indexes of files (bloom index). Any number of files can be merged.`,
  examples: [
    ['bloom merge monday.bloom tuesday.bloom -o week.bloom'],
    ["find parts -name '*.bloom' -print0 | bloom merge --files0-from - -o all.bloom"],
    ["parallel --pipepart -a keys.txt --block -1 'bloom build -n 1M -o -' | bloom merge - -o all.bloom"],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('[filter...]', 'filters with the same parameters; - is standard input')
    .addOption(flags.output().makeOptionMandatory(false))
    .addOption(flags.filesFrom())
    .addOption(flags.strict())
    .addOption(flags.files0From())
    .addOption(flags.partial())
    .addOption(flags.dryRun())
    .addOption(flags.force());
  addOpeningFlags(command, 'merge')
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (filters: string[]) => finish(await run(parse(filters, command.opts<MergeFlags>()))));
}

function parse(files: readonly string[], raw: MergeFlags): MergeOptions {
  if (raw.output === undefined && !raw.dryRun) {
    throw new BloomError(
      'usage',
      'no output is named',
      'name it with -o, or add --dry-run to check whether the filters fit together',
    );
  }
  if (raw.dryRun) refuseUnused(raw, ['output', 'force'], '--dry-run writes nothing');
  const output = raw.output === undefined ? undefined : { name: raw.output, replace: raw.force === true };
  if (output !== undefined) refuseMixedOutput(output.name, raw.json === true);
  return {
    files,
    lists: listsOf(raw),
    opening: openingOf(raw),
    output,
    isPartial: raw.partial === true,
    isStrict: raw.strict === true,
    json: raw.json === true,
    isQuiet: raw.quiet === true,
    colour: raw.color,
  };
}

async function run({
  files,
  lists,
  opening,
  output,
  isPartial,
  isStrict,
  json,
  isQuiet,
  colour,
}: MergeOptions): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(colour, isQuiet);
  const watch = watchWork(say, colour);
  const names = await inputsOf(files, lists, unmerged, [], []);
  if (names.length === 0) throw new BloomError('usage', 'no filter is named', "name some, or '-' for standard input");
  checkStdin([...names, ...lists.filesFrom, ...lists.files0From]);
  const remarks = output === undefined ? [] : await checkOutput(output, names, APART_HINT);

  if (names.some(isIndex)) return mergeIndexFiles({ names, output, json, start }, say);

  // The reader of a pipe may print and finish before merge does.
  const begin = (label: string) => (output?.name === '-' ? undefined : watch.begin(label));
  const kernel = loadKernel();
  begin('reading');
  return withInputs(
    kernel,
    names,
    opening,
    output,
    createMeter(totalBytes(names), watch),
    async ({ files, count, origins }) => {
      const joined = joinedOf(files);
      const united = joined?.whole ?? unionOf(files);
      const whole = isPartial ? united : { ...united, origin: completeOrigin(joined?.parts, origins) };
      begin('merging');
      const name = output === undefined ? 'the union' : displayOutput(output.name);
      const overfullOf = ({ description, fill }: MergedFilter) =>
        overfullWarning(name, description, surveyContent(description, fill));
      const judge = (merged: MergedFilter) => {
        const overfull = isStrict ? overfullOf(merged) : undefined;
        if (overfull !== undefined)
          throw new BloomError('capacity', `nothing was written: ${overfull.message}`, overfull.hint);
      };
      const merged = await mergeFilters(kernel, joined?.parts ?? files, whole, output, watch, judge);
      const { description: union, fill } = merged;
      watch.finish();
      for (const remark of remarks) say.warning(remark);
      const content = surveyContent(union, fill);
      const overfull = overfullOf(merged);
      if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
      const seconds = secondsSince(start);
      const verb = output === undefined ? 'would hold' : 'holds';
      const what = plural(count, joined === undefined ? 'filter' : 'part');
      say.note(`${name}: ${verb} ${what}, ${describeContent(union, content)}; ${duration(seconds)}`);
      if (json) {
        const filter = filterJson(output?.name ?? null, union, content);
        print(jsonLine({ ...filter, filters: count, seconds }));
      }
      return EXIT.success;
    },
  ).finally(watch.finish);
}
