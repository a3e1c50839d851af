import type { Command } from 'commander';
import { readInputs } from '../engine/inputs.ts';
import type { KeySelection } from '../engine/keys.ts';
import { createJsonPrinter, createLinePrinter, type LinePrinter, WANTED, type Wanted } from '../engine/lines.ts';
import { createQuery, type Query, type QueryRequest, type Tally } from '../engine/query.ts';
import { BloomError } from '../errors.ts';
import { kindWithId } from '../filters/registry.ts';
import { loadFilter } from '../format/loaded.ts';
import { print, standardOutput } from '../io/sink.ts';
import { memorySource } from '../io/source.ts';
import { isTerminal } from '../io/terminal.ts';
import { type Kernel, loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addSelectionFlags, parseSelection, type SelectionFlags } from '../options/selection.ts';
import { messenger } from '../terminal/messages.ts';
import { count, plural, rate } from '../terminal/quantities.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { inputsOf, watchInputs } from './inputs.ts';

interface QueryFlags extends SelectionFlags, CommonFlags {
  readonly key?: readonly string[];
  readonly invert?: true;
  readonly count?: true;
  readonly quiet?: true;
  readonly lineNumber?: true;
  readonly withFilename?: true;
  readonly tag?: true;
  readonly json?: true;
  readonly summary?: true;
  readonly lineBuffered?: true;
}

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', "filter to ask; '-' is standard input")
    .argument('[file...]', "records to look up, one a line; '-' or none: standard input")
    .addOption(flags.key())
    .addOption(flags.invert())
    .addOption(flags.count())
    .addOption(flags.quiet())
    .addOption(flags.lineNumber())
    .addOption(flags.withFilename())
    .addOption(flags.tag())
    .addOption(flags.anyToken());
  addSelectionFlags(command)
    .addOption(flags.queryJson())
    .addOption(flags.summary())
    .addOption(flags.lineBuffered())
    .addHelpText(
      'after',
      `
Prints the records that may be in the set. Exit status: 0 if any was selected, 1 if none, 2 on errors.

Examples:
  bloom query words.bloom -e hello -e wrld
  bloom query seen.bloom -v urls.txt              only what is definitely new
  tail -f access.log | bloom query blocked.bloom -f 1`,
    )
    .action(async (filter: string, files: string[]) => finish(await run(filter, files, command.opts<QueryFlags>())));
}

async function run(file: string, files: readonly string[], raw: QueryFlags): Promise<ExitCode> {
  refuseContradictions(raw);
  const selection = parseSelection(raw);
  // Keys of the command line stand in for the standard input.
  const inputs = raw.key !== undefined && files.length === 0 ? [] : inputsOf(files);
  if (file === '-' && inputs.includes('-')) {
    throw new BloomError(
      'usage',
      'the filter and the records cannot both come from standard input',
      'name a file for one of them',
    );
  }
  const say = await messenger(raw.color);
  const kernel = loadKernel();
  const { name, header, address, fill, bring } = await loadFilter(kernel, file);
  const kind = kindWithId(header.kind, name);
  const filter = kind.attach(kernel, header, address);
  const session = startSession({ kernel, filter, shape: header, address, rules: header, bring }, raw);

  const prints = !raw.count && !raw.quiet;
  const watch = watchInputs('querying', say, !(prints && (await isTerminal(STDOUT))));
  try {
    if (raw.key !== undefined) await session.askKeys(raw.key, selection.nullTerminated);
    if (inputs.length > 0) await session.askInputs(inputs, selection, watch);
  } catch (error) {
    if (!(error instanceof Answered)) throw error;
  } finally {
    watch.finish();
  }
  const { failures } = watch;
  const tally = session.finish();
  if (raw.summary) say.note(summarise(tally, kind.rateFromFill(fill, header)));
  const found = selected(tally, wantedOf(raw) === WANTED.absent) > 0;
  if (failures > 0 && !(raw.quiet && found)) return EXIT.failure;
  return found ? EXIT.success : EXIT.negative;
}

function refuseContradictions(raw: QueryFlags): void {
  const forms = (['count', 'tag', 'json'] as const).filter((form) => raw[form]);
  if (forms.length > 1) {
    throw new BloomError(
      'usage',
      `${forms.map((form) => `--${form}`).join(' and ')} ask for different outputs`,
      'drop one of them',
    );
  }
}

/** --tag and --json show every record with its answer; with --invert, the absent ones. */
function wantedOf(raw: QueryFlags): Wanted {
  if (raw.invert) return WANTED.absent;
  return raw.tag || raw.json ? WANTED.all : WANTED.present;
}

function selected({ records, positives }: Tally, absent: boolean): number {
  return absent ? records - positives : positives;
}

const STDOUT = 1;

/** Stands for the file of keys that were given with -e, where counts are printed by file. */
const COMMAND_LINE = '-e';

/** The first selected record answers --quiet; the rest is not read. */
class Answered extends Error {}

/** A run over keys and files that prints or counts as the flags say. */
interface Session {
  askKeys(keys: readonly string[], nullTerminated: boolean): Promise<void>;
  askInputs(inputs: readonly string[], selection: KeySelection, watch: ReturnType<typeof watchInputs>): Promise<void>;
  /** Lets everything out and returns what was found in all. */
  finish(): Tally;
}

function startSession(request: Omit<QueryRequest, 'selection'>, raw: QueryFlags): Session {
  const absent = raw.invert === true;
  let total: Tally = { records: 0, positives: 0 };
  const note = ({ records, positives }: Tally) => {
    total = { records: total.records + records, positives: total.positives + positives };
  };
  /** Asks one source after the other, each with its own name, numbers and count. */
  const ask = (selection: KeySelection) => {
    const printer = printerFor(request.kernel, raw, selection.nullTerminated);
    const query: Query = createQuery(
      { ...request, selection },
      {
        ...(printer === undefined ? {} : { records: (batch) => printer.print(batch) }),
        answered(tally) {
          if (raw.quiet && selected(tally, absent) > 0) {
            total = tally;
            throw new Answered();
          }
        },
        idle() {
          query.scanner.settle();
          printer?.flush();
        },
      },
    );
    let before: Tally = { records: 0, positives: 0 };
    return {
      query,
      printer,
      endSource(name: string) {
        query.scanner.settle();
        printer?.flush();
        const now = query.tally();
        const here = { records: now.records - before.records, positives: now.positives - before.positives };
        before = now;
        note(here);
        if (raw.count && raw.withFilename) print(`${name}:${selected(here, absent)}\n`);
      },
    };
  };
  return {
    async askKeys(keys, nullTerminated) {
      const { query, printer, endSource } = ask({ nullTerminated, anyToken: false });
      const terminator = nullTerminated ? '\0' : '\n';
      printer?.startFile(undefined);
      await query.scanner.scan(memorySource(COMMAND_LINE, Buffer.from(keys.map((key) => key + terminator).join(''))));
      endSource(COMMAND_LINE);
    },
    async askInputs(inputs, selection, watch) {
      const { query, printer, endSource } = ask(selection);
      await readInputs(inputs, watch, async (source, onRead) => {
        printer?.startFile(source.name);
        try {
          await query.scanner.scan(source, (bytes) => {
            if (raw.lineBuffered) {
              query.scanner.settle();
              printer?.flush();
            }
            return onRead(bytes);
          });
        } finally {
          // What was read before an input failed has been asked, and is answered.
          endSource(source.name);
        }
      });
    },
    finish() {
      if (raw.count && !raw.quiet && !raw.withFilename) print(`${selected(total, absent)}\n`);
      return total;
    },
  };
}

function printerFor(kernel: Kernel, raw: QueryFlags, nullTerminated: boolean): LinePrinter | undefined {
  if (raw.count || raw.quiet) return undefined;
  if (raw.json) return createJsonPrinter(kernel, wantedOf(raw), nullTerminated, standardOutput);
  const style = {
    wanted: wantedOf(raw),
    tag: raw.tag === true,
    named: raw.withFilename === true,
    numbered: raw.lineNumber === true,
  };
  return createLinePrinter(kernel, style, standardOutput);
}

/** Counts, and how many of the positives are false: of A absent records A (1 - f) are told so, and A f are not. */
function summarise({ records, positives }: Tally, fpr: number): string {
  const negatives = records - positives;
  const expected = fpr < 1 ? Math.min(positives, (negatives * fpr) / (1 - fpr)) : positives;
  const shares = records === 0 ? '' : ` (${rate(negatives / records)})`;
  return `${plural(records, 'record')}: ${count(negatives)} absent${shares}, ${count(positives)} maybe present; ${expected.toFixed(1)} false positives expected at a rate of ${rate(fpr)}`;
}
