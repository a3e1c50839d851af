import type { Command } from 'commander';
import { type Crew, withCrew } from '../engine/crew.ts';
import { type LoadedFilter, loadFilter, sharedPart } from '../engine/filter-file.ts';
import { areRegular, type Input } from '../engine/inputs.ts';
import { type KeySelection, WHOLE_LINES } from '../engine/keys.ts';
import { runPass } from '../engine/pass.ts';
import { requireMemory } from '../engine/payload.ts';
import { type AskSpec, plus, type Station, type Tally } from '../engine/task.ts';
import { verifySegments } from '../engine/verify.ts';
import { BloomError, ClosedPipe } from '../errors.ts';
import { kindWithId } from '../filters/registry.ts';
import { rulesOf } from '../format/header.ts';
import { checkOutput, requireApart, writeOutput } from '../io/atomic-file.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName } from '../io/look.ts';
import { modifiedAt } from '../io/positioned.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addSelectionFlags, parseSelection, type SelectionFlags, threadsOf } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { measurement } from '../sizing/interval.ts';
import { palette } from '../terminal/colour.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { checkStdin } from './inputs.ts';
import { contentInFile, type Facts, type Skipped } from './report/content.ts';
import { judge } from './report/health.ts';
import { jsonLine, reportJson } from './report/json.ts';
import { prometheusText, type Report, reportText } from './report/report.ts';

interface StatsFlags extends SelectionFlags, CommonFlags {
  readonly probes?: number;
  readonly verify?: true;
  readonly absent?: string;
  readonly present?: string;
  readonly json?: true;
  readonly prometheus?: true;
  readonly check?: true;
  readonly output?: string;
}

const DEFAULT_PROBES = 1e6;

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter...>', "filters to report on; '-' is standard input")
    .addOption(flags.probes())
    .addOption(flags.verify())
    .addOption(flags.absent())
    .addOption(flags.present());
  addSelectionFlags(command)
    .addOption(flags.json())
    .addOption(flags.prometheus())
    .addOption(flags.check())
    .addOption(flags.report())
    .addHelpText(
      'after',
      `
The rate is measured by asking the filter about random keys that cannot be in it, with a 95 % interval.
A filter is unhealthy when its rate is over twice its target.

Examples:
  bloom stats seen.bloom
  bloom stats seen.bloom --absent other-words.txt --present words.txt
  bloom stats *.bloom --prometheus -o /var/lib/node_exporter/bloom.prom`,
    )
    .action(async (filters: string[]) => finish(await run(filters, command.opts<StatsFlags>())));
}

async function run(files: readonly string[], raw: StatsFlags): Promise<ExitCode> {
  if (raw.json && raw.prometheus)
    throw new BloomError('usage', '--json and --prometheus ask for different outputs', 'drop one of them');
  const selection = parseSelection(raw);
  const records = [raw.absent, raw.present].filter((name) => name !== undefined);
  if (records.length === 0)
    refuseUnused(raw, ['field', 'delimiter', 'null'], 'no records are read without --absent or --present');
  // Records are read for each filter.
  checkStdin([...files, ...files.flatMap(() => records)]);
  const output = raw.output === undefined || raw.output === '-' ? undefined : { name: raw.output, replace: true };
  if (output === undefined) requireApart(files);
  else await checkOutput(output, [...files, ...records]);
  if (files.length > 1) for (const name of records) requireRereadable(name);
  const say = await messenger(raw.color);
  const colours = await palette(output === undefined ? STDOUT : undefined, raw.color);
  const parts: string[] = [];
  const put = output === undefined ? show : (text: string) => void parts.push(text);
  const reports: Report[] = [];
  for (const file of files) {
    try {
      const start = process.uptime();
      const report = await withCrew(threadsOf(raw), (crew) => inspect(file, raw, selection, crew));
      reports.push(report);
      if (raw.json) put(jsonLine(reportJson(report, process.uptime() - start)));
      else if (!raw.prometheus) put(`${reports.length > 1 ? '\n' : ''}${reportText(report, colours)}`);
    } catch (error) {
      if (!(error instanceof BloomError) || files.length === 1) throw error;
      say.error(error);
    }
  }
  if (raw.prometheus) put(prometheusText(reports));
  // What nothing is known of leaves an earlier report in its place, whose age tells.
  if (output !== undefined && reports.length > 0)
    await writeOutput(output, (append) => append(Buffer.from(parts.join(''))));
  if (reports.length < files.length) return EXIT.failure;
  return raw.check && reports.some(({ health }) => !health.healthy) ? EXIT.negative : EXIT.success;
}

/** Refuses what is empty once the first filter was asked: of no records none would be missing from the next. */
function requireRereadable(records: string): void {
  if (areRegular([records])) return;
  throw new BloomError(
    'usage',
    `${displayName(records)} is not a regular file, and cannot be read for each filter`,
    'put the records into a file, or name one filter at a time',
  );
}

/** Prints what may not be read to its end; what the exit status says stands all the same. */
function show(text: string): void {
  try {
    print(text);
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

async function inspect(file: string, raw: StatsFlags, selection: KeySelection, crew: Crew): Promise<Report> {
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, file, crew.seats);
  try {
    return await inspectLoaded({ kernel, seat: 0 }, crew, file, loaded, raw, selection);
  } finally {
    loaded.close();
  }
}

async function inspectLoaded(
  station: Station,
  crew: Crew,
  file: string,
  loaded: LoadedFilter,
  raw: StatsFlags,
  selection: KeySelection,
): Promise<Report> {
  const { name, header, fill } = loaded;
  const kind = kindWithId(header.kind, name);
  const content = contentInFile(kind, header, fill, name);

  const ask = async (input: Input, keys: KeySelection): Promise<Tally> => {
    const spec: AskSpec = {
      type: 'ask',
      selection: keys,
      rules: rulesOf(header),
      filter: sharedPart(loaded),
      print: undefined,
      lineBuffered: false,
      bySource: false,
      stopAt: undefined,
    };
    const onUnreadable = (error: BloomError) => {
      throw error;
    };
    const shares = await runPass({ station, crew, spec, inputs: [input], observer: { onUnreadable } });
    return shares.reduce(plus);
  };
  if (raw.verify) verifySegments(station.kernel, loaded);
  const probes = raw.probes ?? (raw.verify ? 0 : DEFAULT_PROBES);
  if (probes > 0 || raw.absent !== undefined || raw.present !== undefined) requireMemory(header);
  const random = probes === 0 ? undefined : await ask({ randomKeys: probes }, WHOLE_LINES);
  const absent = raw.absent === undefined ? undefined : await ask(raw.absent, selection);
  const present = raw.present === undefined ? undefined : await ask(raw.present, selection);

  const facts: Facts = {
    file,
    modified: loaded.store && modifiedAt(loaded.store.file),
    kind: kind.name,
    header,
    content,
    verified: raw.verify === true,
    measured: random && measurement(random.positives, random.records),
    absent: absent && { ...measurement(absent.positives, absent.keys), ...skippedBy(absent, selection) },
    present: present && {
      records: present.keys,
      missing: present.keys - present.positives,
      ...skippedBy(present, selection),
    },
  };
  return { ...facts, health: judge(facts) };
}

function skippedBy({ records, keys }: Tally, { field }: KeySelection): Skipped {
  return { skipped: records - keys, field };
}
