import type { Command } from 'commander';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS, kindsHelp } from '../filters/registry.ts';
import { fileBytes } from '../format/header.ts';
import { STDOUT } from '../io/descriptors.ts';
import { print } from '../io/sink.ts';
import { flags } from '../options/flags.ts';
import { addSizingFlags, parseSizing, refuseGrowth, type SizingFlags, withHeadroom } from '../options/sizing.ts';
import { lowerBoundBits } from '../sizing/bloom.ts';
import { type Overfill, overfill } from '../sizing/overfill.ts';
import type { Plan, Wish } from '../sizing/solve.ts';
import { palette } from '../terminal/colour.ts';
import { bytes, count, plural, rate, shortCount } from '../terminal/quantities.ts';
import { table } from '../terminal/table.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';

interface SizeFlags extends SizingFlags, CommonFlags {
  readonly kind?: readonly string[];
  readonly keySize?: number;
  readonly overfill?: true;
  readonly json?: true;
  readonly csv?: true;
}

interface Row {
  readonly kind: FilterKind;
  readonly plan: Plan;
  readonly wish: Wish;
}

/** Rates and capacities of the table that is shown where nothing can be solved. */
const TABLE_RATES = [0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5];
const TABLE_ITEMS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const TABLE_DEFAULT_ITEMS = 1e6;
const DEFAULT_KEY_BYTES = 64;

export function define(command: Command, finish: (code: ExitCode) => void): void {
  addSizingFlags(command)
    .addOption(flags.kinds())
    .addOption(flags.keySize())
    .addOption(flags.overfill())
    .addOption(flags.json())
    .addOption(flags.csv())
    .addHelpText(
      'after',
      `
Any two of -n, -p and -m give the third; without them a table is shown.

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
  const wish = parseSizing(raw);
  const kinds = wantedKinds(raw.kind);
  if (!kinds.some(({ growing }) => growing !== undefined)) refuseGrowth(raw);
  const solved = rowsFor(kinds, [wish]);
  const rows = solved.length > 0 ? solved : rowsFor(kinds, tableWishes(wish, raw.headroom));
  if (rows.length === 0)
    throw new BloomError('usage', 'these flags do not determine a filter', 'state two of -n, -p and -m');
  const single = solved.length === 1;
  if (raw.json) {
    const objects = rows.map((row) => toJson(row, raw.overfill === true));
    print(`${JSON.stringify(single ? objects[0] : objects)}\n`);
  } else if (raw.csv) {
    print(toCsv(rows));
  } else {
    await printTables(rows, raw, single);
  }
  return EXIT.success;
}

function wantedKinds(names: readonly string[] | undefined): readonly FilterKind[] {
  if (names === undefined) return [KINDS[0]];
  return names.includes('all') ? KINDS : KINDS.filter((kind) => names.includes(kind.name));
}

function rowsFor(kinds: readonly FilterKind[], wishes: readonly Wish[]): Row[] {
  return wishes.flatMap((wish) =>
    kinds.flatMap((kind) => {
      const plan = kinds.length === 1 ? kind.plan(wish) : planNamed(kind, wish);
      return plan === undefined ? [] : [{ kind, plan, wish }];
    }),
  );
}

/** The plan of one of several kinds: an error says of which. */
function planNamed(kind: FilterKind, wish: Wish): Plan | undefined {
  try {
    return kind.plan(wish);
  } catch (error) {
    throw error instanceof BloomError
      ? new BloomError(error.code, `${kind.name}: ${error.message}`, error.hint)
      : error;
  }
}

/** A table: over rates for a given number of keys or bits, over numbers of keys for a given rate. */
function tableWishes(wish: Wish, headroom?: number): Wish[] {
  if (wish.fpr !== undefined) return TABLE_ITEMS.map((items) => ({ ...wish, items: withHeadroom(items, headroom) }));
  if (wish.bitsPerKey !== undefined) return [{ ...wish, items: withHeadroom(TABLE_DEFAULT_ITEMS, headroom) }];
  const base: Wish =
    wish.items === undefined && wish.bits === undefined
      ? { ...wish, items: withHeadroom(TABLE_DEFAULT_ITEMS, headroom) }
      : wish;
  return TABLE_RATES.map((fpr) => ({ ...base, fpr }));
}

/** Bytes of the whole file. */
function fileBytesFor({ kind, plan }: Row): number {
  return fileBytes(kind.geometry(plan.bits, plan.hashes));
}

function bytesFor(plan: Plan): number {
  return Math.ceil(plan.bits / 8);
}

function toJson(row: Row, withOverfill: boolean) {
  const { kind, plan } = row;
  return {
    kind: kind.name,
    items: plan.items,
    fpr: plan.fpr,
    bits: plan.bits,
    bytes: bytesFor(plan),
    hashes: plan.hashes,
    bitsPerKey: plan.bits / plan.items,
    predictedFpr: plan.predictedFpr,
    fileBytes: fileBytesFor(row),
    lowerBoundBits: Math.ceil(lowerBoundBits(plan.items, plan.fpr)),
    ...(withOverfill ? { overfill: overfillOf(row) } : {}),
  };
}

function toCsv(rows: readonly Row[]): string {
  const objects = rows.map((row) => toJson(row, false));
  const lines = objects.map((object) => Object.values(object).join(','));
  return `${Object.keys(objects[0] ?? {}).join(',')}\n${lines.join('\n')}\n`;
}

async function printTables(rows: readonly Row[], raw: SizeFlags, single: boolean): Promise<void> {
  const colours = await palette(STDOUT, raw.color);
  const keyBytes = raw.keySize ?? DEFAULT_KEY_BYTES;
  const compares = new Set(rows.map(({ kind }) => kind)).size > 1;
  const common = ({ kind, plan }: Row) => [kind.name, count(plan.items), rate(plan.fpr), rate(plan.predictedFpr)];
  const header = ['kind', 'keys', 'target', 'predicted'];
  if (compares) {
    const cells = rows.map((row) => [
      ...common(row),
      String(row.plan.hashes),
      (row.plan.bits / row.plan.items).toFixed(2),
      bytes(fileBytesFor(row)),
      row.kind.abilities.join(', ') || 'nothing',
    ]);
    const titles = [...header, 'k', 'bits/key', 'file', 'once built, it can'];
    print(await table(titles, cells, colours, [0, titles.length - 1]));
  } else {
    const cells = rows.map((row) => [
      ...common(row),
      count(row.plan.bits),
      bytes(bytesFor(row.plan)),
      String(row.plan.hashes),
      (row.plan.bits / row.plan.items).toFixed(2),
      rate(bytesFor(row.plan) / (row.plan.items * keyBytes)),
    ]);
    print(await table([...header, 'bits', 'memory', 'k', 'bits/key', 'of stored keys'], cells, colours, [0]));
  }
  for (const remark of remarks(rows, keyBytes, compares)) print(`${colours.faint(remark)}\n`);
  if (!raw.overfill) return;
  for (const row of rows) {
    const overfilled = overfillOf(row).map(({ factor, items: held, fpr }) => [
      `${factor}x`,
      count(held),
      fpr === undefined ? 'full' : rate(fpr),
    ]);
    const name = compares ? `${row.kind.name}, ` : '';
    const title = single ? '' : `${name}${shortCount(row.plan.items)} keys at ${rate(row.plan.fpr)}:\n`;
    print(`\n${title}${await table(['filled', 'keys', 'rate'], overfilled, colours)}`);
  }
}

/** What there is to say below a table. */
function remarks(rows: readonly Row[], keyBytes: number, compares: boolean): string[] {
  const [first] = rows;
  const only = <T>(of: (row: Row) => T) => new Set(rows.map(of)).size === 1;
  if (first === undefined || !only(({ plan }) => plan.items))
    return compares ? [] : [`Compared with storing keys of ${plural(keyBytes, 'byte')}.`];
  const { items, fpr } = first.plan;
  const stored = `Storing ${plural(items, 'key')} of ${plural(keyBytes, 'byte')} takes ${bytes(items * keyBytes)}.`;
  if (!compares || !only(({ plan }) => plan.fpr)) return [stored];
  const least = lowerBoundBits(items, fpr);
  return [
    stored,
    `No filter for ${plural(items, 'key')} at ${rate(fpr)} takes less than ${(least / items).toFixed(2)} bits a key, ${bytes(Math.ceil(least / 8))}.`,
  ];
}

/** The plan as one segment: what is sized is the filter before it is rounded up to whole segments. */
function overfillOf({ kind, plan, wish }: Row): Overfill[] {
  const { bits, hashes } = plan;
  const shape = { bits, segments: 1, segmentBits: bits, hashes, chain: kind.growing?.chain(plan, 1, wish) };
  return overfill(plan.items, (items) => {
    const predicted = kind.predictedRate(items, shape);
    return kind.refuses && predicted === 1 ? undefined : predicted;
  });
}
