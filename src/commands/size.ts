import type { Command } from 'commander';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS, kindsHelp } from '../filters/registry.ts';
import { STDOUT } from '../io/descriptors.ts';
import { print } from '../io/sink.ts';
import { outputWidth } from '../io/terminal.ts';
import { flags } from '../options/flags.ts';
import { addSizingFlags, parseSizing, refuseGrowth, type SizingFlags, withHeadroom } from '../options/sizing.ts';
import { refuseUnused } from '../options/unused.ts';
import type { Constraints, Plan } from '../sizing/solve.ts';
import { palette } from '../terminal/colour.ts';
import { messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { parametersFor } from './filter-parameters.ts';
import { jsonLine } from './report/json.ts';
import { type Row, rowJson, rowsCsv, rowsText } from './report/rows.ts';

interface SizeFlags extends Omit<SizingFlags, 'items'>, CommonFlags {
  readonly items?: readonly number[];
  readonly kind?: readonly string[];
  readonly keySize?: number;
  readonly overfill?: true;
  readonly json?: true;
  readonly csv?: true;
}

/** Rates and capacities of the table that is shown where nothing can be solved. */
const TABLE_RATES = [0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5];
const TABLE_ITEMS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const TABLE_DEFAULT_ITEMS = 1e6;
const DEFAULT_KEY_BYTES = 64;

export function define(command: Command, finish: (code: ExitCode) => void): void {
  addSizingFlags(command, flags.manyItems())
    .addOption(flags.kinds())
    .addOption(flags.keySize())
    .addOption(flags.overfill())
    .addOption(flags.json())
    .addOption(flags.csv())
    .addHelpText(
      'after',
      `
Any two of -n, -p and -m give the third; without them a table is shown. Every -n makes a row.

Kinds, or all:
${kindsHelp()}

Examples:
  bloom size -n 10M -p 1%               how large is a filter for 10 million keys?
  bloom size --memory 64MB -p 0.1%      how many keys fit into 64 MB?
  bloom size -n 1M -m 8M --overfill     what rate, and what when it gets too full?
  bloom size -n 1M -p 1% --kind all     which structure, how large, and what can be done with it?`,
    )
    .action(async () => finish(await run(command.opts<SizeFlags>())));
}

async function run(raw: SizeFlags): Promise<ExitCode> {
  if (raw.json && raw.csv) throw new BloomError('usage', '--json and --csv contradict each other', 'drop one of them');
  if (raw.csv && raw.overfill) throw new BloomError('usage', '--csv has no room for --overfill', 'use --json');
  if (raw.json || raw.csv)
    refuseUnused(raw, ['keySize'], `${raw.json ? '--json' : '--csv'} compares with no stored keys`);
  const { items = [undefined], ...others } = raw;
  const wishes = items.map((of) => parseSizing({ ...others, items: of }));
  const kinds = wantedKinds(raw.kind);
  if (!kinds.some(({ growing }) => growing !== undefined)) refuseGrowth(others);
  const rows = await rowsFor(kinds, wishes, raw);
  if (raw.json) {
    for (const row of rows) print(jsonLine(rowJson(row, raw.overfill === true)));
  } else if (raw.csv) {
    print(rowsCsv(rows));
  } else {
    const colours = await palette(STDOUT, raw.color);
    const keyBytes = raw.keySize ?? DEFAULT_KEY_BYTES;
    const width = (await outputWidth()) ?? Number.POSITIVE_INFINITY;
    print(await rowsText(rows, { colours, width, keyBytes, overfill: raw.overfill === true }));
  }
  return EXIT.success;
}

function wantedKinds(names: readonly string[] | undefined): readonly FilterKind[] {
  if (names === undefined) return [KINDS[0]];
  return names.includes('all') ? KINDS : KINDS.filter((kind) => names.includes(kind.name));
}

/**
 * The filters that are wished for, or else a table of them. What of a table, or of all kinds, cannot be made is left
 * out with a warning; what was asked for is an error.
 */
async function rowsFor(kinds: readonly FilterKind[], wishes: readonly Constraints[], raw: SizeFlags): Promise<Row[]> {
  const solved = attempts(kinds, wishes);
  const isTable = solved.length === 0;
  const all = isTable
    ? attempts(
        kinds,
        wishes.flatMap((constraints) => tableWishes(constraints, raw.headroom)),
      )
    : solved;
  const [rows, refusals] = [all.filter(isRow), all.filter(isRefusal)];
  const [first] = refusals;
  if (first !== undefined && (rows.length === 0 || !(isTable || raw.kind?.includes('all')))) throw first;
  if (rows.length === 0)
    throw new BloomError('usage', 'these flags do not determine a filter', 'state two of -n, -p and -m');
  const say = await messenger(raw.color);
  for (const { message } of refusals) say.warning(message);
  for (const { parameters } of rows) if (parameters.shortfall !== undefined) say.warning(parameters.shortfall);
  return rows;
}

function attempts(kinds: readonly FilterKind[], wishes: readonly Constraints[]): (Row | BloomError)[] {
  return wishes.flatMap((constraints) => kinds.flatMap((kind) => attempt(kind, constraints, kinds.length > 1) ?? []));
}

/** A row, or why there is none; undefined where too little is stated. Of one of several kinds, an error says of which. */
function attempt(kind: FilterKind, constraints: Constraints, names: boolean): Row | BloomError | undefined {
  let plan: Plan | undefined;
  try {
    plan = kind.plan(constraints);
    return plan && { kind, constraints, plan, parameters: parametersFor(kind, plan, constraints) };
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    // A plan knows no kind; what is drawn says its name.
    return names && plan === undefined
      ? new BloomError(error.code, `with --kind ${kind.name}: ${error.message}`, error.hint)
      : error;
  }
}

const isRefusal = (attempted: Row | BloomError): attempted is BloomError => attempted instanceof BloomError;
const isRow = (attempted: Row | BloomError): attempted is Row => !isRefusal(attempted);

/** A table: over rates for a given number of keys or bits, over numbers of keys for a given rate. */
function tableWishes(constraints: Constraints, headroom?: number): Constraints[] {
  if (constraints.fpr !== undefined)
    return TABLE_ITEMS.map((items) => ({ ...constraints, items: withHeadroom(items, headroom) }));
  if (constraints.bitsPerKey !== undefined)
    return [{ ...constraints, items: withHeadroom(TABLE_DEFAULT_ITEMS, headroom) }];
  const base: Constraints =
    constraints.items === undefined && constraints.bits === undefined
      ? { ...constraints, items: withHeadroom(TABLE_DEFAULT_ITEMS, headroom) }
      : constraints;
  return TABLE_RATES.map((fpr) => ({ ...base, fpr }));
}
