import type { Command } from 'commander';
import { areRegular } from '../engine/input/input.ts';
import { threadsWithin } from '../engine/thread-memory.ts';
import { withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError, ClosedPipe, harmless, UnreadableInput } from '../errors.ts';
import { formatOf } from '../formats/registry.ts';
import { requireApart } from '../io/apart.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { compressionOf } from '../io/compression.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, isUrl, lookAt } from '../io/look.ts';
import { headOf } from '../io/positioned.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { print } from '../io/sink.ts';
import { isTerminal, outputWidth } from '../io/terminal.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags, type OpeningFlags } from '../options/opening.ts';
import {
  addListFlags,
  addSelectionFlags,
  parseSelection,
  type SelectionFlags,
  threadsOf,
} from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { palette } from '../terminal/colour.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { isIndex, isIndexAt } from './filter-files.ts';
import { checkStdin } from './inputs.ts';
import { type Inspection, inspect } from './inspect.ts';
import { checkPictures, draw, type PictureFlags, type Pictures, picturesOf } from './pictures.ts';
import { openingAt, withOpened } from './remote-opening.ts';
import { indexReportJson, indexText } from './report/index-report.ts';
import { reportJson, unreadJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';
import { partsText } from './report/parts.ts';
import { prometheusText } from './report/prometheus.ts';
import { type Report, type Reported, reportText } from './report/report.ts';
import { watchWork } from './watch.ts';

interface StatsFlags extends SelectionFlags, OpeningFlags, PictureFlags, CommonFlags {
  readonly probes?: number;
  readonly verify?: true;
  readonly absent?: string;
  readonly present?: string;
  readonly json?: true;
  readonly prometheus?: true;
  readonly check?: true;
  readonly maxRate?: number;
  readonly memory?: number;
  readonly output?: string;
  readonly force?: true;
}

interface StatsOptions {
  readonly files: readonly string[];
  /** Files of records that are looked up in each filter. */
  readonly records: readonly string[];
  readonly wanted: Inspection;
  readonly threads: number;
  readonly shows: 'text' | 'JSON' | 'Prometheus';
  /** Whether an unhealthy filter makes the exit status 1. */
  readonly isChecked: boolean;
  /** The file of the reports. Undefined for the standard output. */
  readonly output: Output | undefined;
  readonly pictures: Pictures | undefined;
  /** Whether reports are only written to a file. */
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

export const explanation: Explanation = {
  most: ['--check', '--present', '--absent', '--probes', '--verify', '--json', '--prometheus', '--output', '--plot'],
  notes: `stats looks up random keys that cannot be in the filter to measure its false-positive rate, with a 95 % interval.
A filter is unhealthy if its rate is over twice its target.`,
  examples: [
    ['bloom stats seen.bloom'],
    ['bloom stats seen.bloom --absent other-words.txt --present words.txt'],
    ['bloom stats *.bloom --prometheus -o /var/lib/node_exporter/bloom.prom'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter...>', 'filters to report on: files or URLs; - is standard input')
    .addOption(flags.probes())
    .addOption(flags.verify())
    .addOption(flags.absent())
    .addOption(flags.present())
    .addOption(flags.memoryLimit());
  addOpeningFlags(addListFlags(addSelectionFlags(command)), 'report')
    .addOption(flags.keyType())
    .addOption(flags.json())
    .addOption(flags.prometheus())
    .addOption(flags.check())
    .addOption(flags.maxRate())
    .addOption(flags.plot())
    .addOption(flags.svg())
    .addOption(flags.reportNothing())
    .addOption(flags.report())
    .addOption(flags.forceReport())
    .action(async (filters: string[]) => finish(await run(parse(filters, command.opts<StatsFlags>()))));
}

function parse(files: readonly string[], raw: StatsFlags): StatsOptions {
  if (raw.json && raw.prometheus)
    throw new BloomError('usage', '--json and --prometheus ask for different outputs', 'leave out one of them');
  if (raw.quiet && raw.output === undefined)
    refuseUnused(raw, ['json', 'prometheus', 'plot'], '--quiet prints no report, and there is no -o');
  if (raw.json || raw.prometheus) refuseUnused(raw, ['plot'], '--json and --prometheus print no pictures');
  const opening = openingAt(raw, files);
  const { probes, verify, absent, present } = raw;
  const records = [absent, present].filter((name) => name !== undefined);
  if (records.length === 0)
    refuseUnused(
      raw,
      ['field', 'delimiter', 'null', 'comment', 'trailingComments', 'skipEmpty', 'raw', 'keyType', 'keyHash', 'hashed'],
      'no records are read without --absent or --present',
    );
  return {
    files,
    records,
    wanted: {
      opening,
      probes,
      verify: verify === true,
      absent,
      present,
      maxRate: raw.maxRate,
      selection: parseSelection(raw),
      memory: raw.memory && raw.memory / 8,
    },
    threads: threadsOf(raw),
    shows: raw.json ? 'JSON' : raw.prometheus ? 'Prometheus' : 'text',
    isChecked: raw.check === true,
    output: outputOf(raw),
    pictures: picturesOf(raw),
    isQuiet: raw.quiet === true,
    colour: raw.color,
  };
}

function outputOf({ output, force }: StatsFlags): Output | undefined {
  if (output === undefined || output === '-') return undefined;
  return { name: output, replace: true, respectsProtection: force !== true, isText: true };
}

async function run(options: StatsOptions): Promise<ExitCode> {
  const { files, records, output, shows } = options;
  // Records are read once per filter.
  checkStdin([...files, ...files.flatMap(() => records)]);
  const say = await messenger(options.colour, options.isQuiet);
  if (output === undefined) requireApart(files);
  const remarks = output === undefined ? [] : await checkOutput(output, [...files, ...records]);
  if (output?.respectsProtection) requireReport(output.name);
  if (options.pictures !== undefined) await checkPictures(options.pictures, [...files, ...records]);
  if (files.length > 1) for (const name of records) requireRereadable(name);
  const parts: string[] = [];
  const keep = (text: string) => void parts.push(text);
  const isPictureAlone = options.pictures?.svg?.name === '-';
  const put = output === undefined && !options.isQuiet && !isPictureAlone ? show : keep;
  const reported = await reportAll(options, say, put);
  const reports = reported.flatMap((file) => file.reports);
  if (shows === 'Prometheus') {
    // A terminal would execute control characters in names.
    const isOnTerminal = put === show && (await isTerminal(STDOUT));
    put(isOnTerminal ? harmless(prometheusText(reported)) : prometheusText(reported));
  }
  if (options.pictures !== undefined && reports.length > 0) {
    const { statsPlots } = await import('./report/stats-plots.ts');
    await draw(reports.flatMap(statsPlots), options.pictures, options.colour);
  }
  // Programs get a record of each file. For people, an earlier report stays if no file could be read: its age shows
  // that.
  if (output !== undefined && (shows !== 'text' || reported.some(({ error }) => error === undefined))) {
    await writeOutput(output, (append) => append(Buffer.from(parts.join(''))));
    for (const remark of remarks) say.warning(remark);
  }
  const [failed] = reported.flatMap(({ error }) => error ?? []);
  if (failed !== undefined && files.length === 1) throw failed;
  if (failed !== undefined) return EXIT.failure;
  return options.isChecked && reports.some(({ health }) => !health.healthy) ? EXIT.negative : EXIT.success;
}

/**
 * Reports on one file after the other. The errors of several files are printed here. The caller prints the error of a
 * single file.
 */
async function reportAll(
  { files, wanted, threads, shows, output, pictures, colour }: StatsOptions,
  say: Messenger,
  put: (text: string) => void,
): Promise<Reported[]> {
  const colours = await palette(output === undefined ? STDOUT : undefined, colour);
  const width = output === undefined ? await outputWidth() : undefined;
  const watch = watchWork(say, colour);
  const reported: Reported[] = [];
  let isFirst = true;
  for (const file of files) {
    const reports: Report[] = [];
    let start = process.uptime();
    const putNext = async (json: (seconds: number) => object, text: () => Promise<string>) => {
      if (shows === 'JSON') put(jsonLine(json(secondsSince(start))));
      else if (shows === 'text') put(`${isFirst ? '' : '\n'}${await text()}`);
      isFirst = false;
      start = process.uptime();
    };
    const report = async (opened?: ServerFile) => {
      if (opened === undefined ? isIndex(file) : isIndexAt(opened.file)) {
        const { inspectIndex } = await import('./inspect-index.ts');
        const found = await inspectIndex(file, opened, wanted, { pictures, shows });
        const json = (seconds: number) => indexReportJson(file, found, seconds);
        return putNext(json, () => indexText(found, colours, width));
      }
      await withWorkerPool(threadsWithin(threads, wanted.memory), async (pool) => {
        for await (const found of inspect(file, wanted, pool, watch, opened)) {
          reports.push(found);
          await putNext(
            (seconds) => reportJson(found, seconds),
            async () => `${reportText(found, colours, width)}${await partsText(found, colours, width)}`,
          );
        }
      });
    };
    try {
      await (isUrl(file) ? withOpened(file, wanted.opening, report) : report());
      reported.push({ file, reports, error: undefined });
    } catch (error) {
      // Unreadable records say nothing about a filter.
      if (!(error instanceof BloomError) || error instanceof UnreadableInput) throw error;
      if (files.length > 1) say.error(error);
      if (shows === 'JSON') put(jsonLine(unreadJson(file, error)));
      reported.push({ file, reports, error });
    }
  }
  return reported;
}

/**
 * Throws an error for a file that is not an earlier report. Without a file name after -o, the first filter of a
 * pattern would be replaced.
 */
function requireReport(name: string): void {
  const existing = lookAt(name)?.isFile() ? headOf(name, 'records') : undefined;
  if (existing === undefined) return;
  const format = formatOf(existing.head, existing.size, existing.tail);
  const what = format === undefined ? compressionOf(existing.head)?.name : `a filter of ${format.system}`;
  if (what === undefined) return;
  throw new BloomError(
    'output',
    `${displayName(name)} is ${what}, not an earlier report`,
    'choose another file, or add --force to replace it',
  );
}

/**
 * Throws an error for records that are empty after the first filter. None of them would be missing from the next
 * filter.
 */
function requireRereadable(records: string): void {
  if (areRegular([records])) return;
  throw new BloomError(
    'usage',
    `${displayName(records)} is not a regular file, so it cannot be read once per filter`,
    'write the records into a file, or name one filter at a time',
  );
}

/** Prints a report. If the reader stops early, the exit status still holds. */
function show(text: string): void {
  try {
    print(text);
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}
