import type { Command } from 'commander';
import { compareFilters } from '../engine/store/compare.ts';
import { BloomError } from '../errors.ts';
import type { FilterFile } from '../formats/format.ts';
import { openFilterFile } from '../formats/open.ts';
import type { Opening } from '../formats/opening.ts';
import { formatNames } from '../formats/registry.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, isUrl } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { outputWidth } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import type { OpeningFlags } from '../options/opening.ts';
import { type ComparedPair, pairsOf } from '../sizing/overlap.ts';
import { overlapOfSketches } from '../sketches/compare.ts';
import { beginsAsSketch, sketchIn } from '../sketches/read.ts';
import { palette } from '../terminal/colour.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { isIndex, isOtherFile } from './filter-files.ts';
import { checkStdin } from './inputs.ts';
import { openingAt } from './remote-opening.ts';
import { matrixText, pairJson, pairText } from './report/compare.ts';
import { jsonLine } from './report/json-line.ts';
import { type Watch, watchWork } from './watch.ts';

interface CompareFlags extends Pick<OpeningFlags, 'format' | 'column' | 'timeout' | 'httpHeader'>, CommonFlags {
  readonly json?: true;
}

interface CompareOptions {
  readonly files: readonly string[];
  readonly opening: Opening;
  readonly json: boolean;
  readonly colour: CommonFlags['color'];
}

export const explanation: Explanation = {
  most: ['--format', '--column', '--json'],
  notes: `compare estimates how many keys lists have in common, from their filters or from sketches of bloom count -o. Each estimate has a 95 %
interval. With three or more files, it prints a matrix: the share of the keys of each row that are in each column.

Filters need the same parameters: build them with the same -n and -p, or the later ones with --like. The kinds bloom, blocked and counting can
be compared, and filters of other systems that are one array of bits.`,
  examples: [
    ['bloom compare monday.bloom tuesday.bloom'],
    ['bloom compare *.hll --json', 'each pair, with all intervals'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<file...>', 'filters with the same parameters, or sketches')
    .addOption(flags.format(formatNames('report')))
    .addOption(flags.column())
    .addOption(flags.timeout())
    .addOption(flags.httpHeader())
    .addOption(flags.json())
    .action(async (files: string[]) => finish(await run(parse(files, command.opts<CompareFlags>()))));
}

function parse(files: readonly string[], raw: CompareFlags): CompareOptions {
  const [only] = files;
  if (files.length === 1 && only !== undefined)
    throw new BloomError(
      'usage',
      `there is nothing to compare ${displayName(only)} with`,
      'name another filter, or use bloom stats',
    );
  return { files, opening: openingAt(raw, files), json: raw.json === true, colour: raw.color };
}

async function run({ files, opening, json, colour }: CompareOptions): Promise<ExitCode> {
  const start = process.uptime();
  checkStdin(files);
  const watch = watchWork(await messenger(colour), colour);
  const areSketches = files.map((file) => !isUrl(file) && beginsAsSketch(file));
  const pairs = areSketches.includes(true)
    ? await compareSketches(files, areSketches)
    : await compareFiles(files, opening, watch).finally(watch.finish);
  const seconds = secondsSince(start);
  if (json) {
    for (const { first, second, overlap } of pairs)
      print(jsonLine({ ...pairJson(files[first] ?? '', files[second] ?? '', overlap), seconds }));
    return EXIT.success;
  }
  const [colours, width] = [await palette(STDOUT, colour), await outputWidth()];
  const [one = '', other = '', ...more] = files;
  const [pair] = pairs;
  const isPair = pair !== undefined && more.length === 0;
  print(
    isPair
      ? await pairText([one, other], pair.overlap, colours, width)
      : await matrixText(files, pairs, colours, width),
  );
  return EXIT.success;
}

/** Compares filters that are open at the same time. */
async function compareFiles(files: readonly string[], opening: Opening, watch: Watch): Promise<ComparedPair[]> {
  const hint = 'make a filter of each list: bloom build -n 1M LIST -o LIST.bloom';
  for (const file of files) {
    if (isIndex(file))
      throw new BloomError('mismatch', `${displayName(file)} is an index of files, which compare does not read`, hint);
    // A stated format may have no signature.
    if (opening.format === undefined && (await isOtherFile(file)))
      throw new BloomError('mismatch', `${displayName(file)} is neither a filter nor a sketch`, hint);
  }
  const kernel = loadKernel();
  const open: FilterFile[] = [];
  watch.begin('comparing');
  try {
    for (const file of files) open.push(await openFilterFile(file, 'report', opening, kernel));
    return await compareFilters(kernel, open, watch);
  } finally {
    for (const file of open) file.close();
  }
}

async function compareSketches(files: readonly string[], areSketches: readonly boolean[]): Promise<ComparedPair[]> {
  const other = files[areSketches.indexOf(false)];
  if (other !== undefined)
    throw new BloomError(
      'mismatch',
      `${displayName(other)} is not a sketch, but other files are`,
      'make a sketch of each list: bloom count LIST -o LIST.hll',
    );
  const sketches = await Promise.all(files.map(sketchIn));
  return [...pairsOf(files.length)].flatMap(([first, second]) => {
    const [a, b] = [sketches[first], sketches[second]];
    return a === undefined || b === undefined ? [] : { first, second, overlap: overlapOfSketches(a, b) };
  });
}
