import type { Command } from 'commander';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS } from '../filters/registry.ts';
import { FORMATS, KNOWN_FORMATS } from '../formats/registry.ts';
import { STDOUT } from '../io/descriptors.ts';
import { print } from '../io/sink.ts';
import { outputWidth } from '../io/terminal.ts';
import { type BudgetFlags, rateOfBudget } from '../options/budget.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import type { Items } from '../options/numbers.ts';
import { addSizingFlags, itemsOf, parseSizing, refuseGrowth, type SizingFlags } from '../options/sizing.ts';
import { refuseUnused } from '../options/unused.ts';
import { UNIVERSE_FPR } from '../sizing/protected.ts';
import { SYSTEM_SIZINGS } from '../sizing/systems/registry.ts';
import { requireAccepted, type SystemSizing } from '../sizing/systems/system.ts';
import { palette } from '../terminal/colour.ts';
import { messenger } from '../terminal/messages.ts';
import { protectingKind } from './build-design.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { sizeableKind } from './kind-rows.ts';
import { checkPictures, draw, type PictureFlags, type Pictures, picturesOf } from './pictures.ts';
import { jsonLine } from './report/json-line.ts';
import { rowJson } from './report/row.ts';
import { rowsCsv, rowsText } from './report/rows.ts';
import { rowsFor, type Sizeable, type Sized } from './size-rows.ts';

interface SizeFlags extends Omit<SizingFlags, 'items' | 'fpr'>, PictureFlags, CommonFlags {
  readonly items?: readonly number[];
  readonly fpr?: readonly number[];
  readonly kind?: readonly string[];
  readonly format?: readonly string[];
  readonly protected?: number;
  readonly universe?: number;
  readonly keySize?: number;
  readonly overfill?: true;
  readonly json?: true;
  readonly csv?: true;
}

/** The flags as they are given. */
type GivenSizes = Omit<SizeFlags, 'items'> & BudgetFlags & { readonly items?: readonly Items[] };

interface SizeOptions {
  readonly sized: Sized;
  readonly shows: 'text' | 'JSON' | 'CSV';
  readonly keyBytes: number;
  readonly overfill: boolean;
  readonly pictures: Pictures | undefined;
  readonly colour: CommonFlags['color'];
}

const DEFAULT_KEY_BYTES = 64;

/** bloomery's own format. */
const [ours] = FORMATS;

/** The systems that can be sized. bloomery's own format comes first. */
const SIZED_FORMATS: readonly [string, ...string[]] = [ours.name, ...SYSTEM_SIZINGS.map(({ name }) => name)];

export const explanation: Explanation = {
  most: [
    '--items',
    '--fpr',
    '--memory',
    '--bits',
    '--bits-per-key',
    '--kind',
    '--overfill',
    '--plot',
    '--format',
    '--json',
  ],
  notes: `Give any two of -n, -p and -m, and size computes the third. Without them, it prints a table of rates. Every -n and every -p makes rows.

With --format, size follows the rules of that system: ${SIZED_FORMATS.join(', ')}, or all.`,
  lists: [{ title: 'Kinds (or all)', items: KINDS }],
  examples: [
    ['bloom size -n 10M -p 1%', 'the size for 10 million keys'],
    ['bloom size --memory 64MB -p 0.1%', 'the keys that fit in 64 MB'],
    ['bloom size -n 1M -n 10M -p 1% -p 0.1%', 'a table of keys and rates'],
    ['bloom size -n 1M -m 8M --overfill', 'the rate, also of an overfull filter'],
    ['bloom size -n 1M -p 1% --kind all', 'every structure, its size and abilities'],
    ['bloom size -n 10M --bits-per-key 10 --format rocksdb', 'the rate of a filter of RocksDB'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  addSizingFlags(command, { items: flags.manyItems(), fpr: flags.manyRates() })
    .addOption(flags.kinds())
    .addOption(flags.sizedFormats(SIZED_FORMATS))
    .addOption(flags.protectedKeys())
    .addOption(flags.universeKeys())
    .addOption(flags.keySize())
    .addOption(flags.overfill())
    .addOption(flags.plot())
    .addOption(flags.svg())
    .addOption(flags.json())
    .addOption(flags.csv())
    .action(async () => {
      const { items, fpr, falsePositives, records, keysPerRecord, ...others } = command.opts<GivenSizes>();
      const budget = rateOfBudget(command.opts<GivenSizes>(), fpr);
      const rates = budget === undefined ? fpr : [budget];
      const stated = { ...others, ...(rates !== undefined && { fpr: rates }) };
      finish(await run(parse(items === undefined ? stated : { ...stated, items: await itemsOfEach(items) })));
    });
}

async function itemsOfEach(stated: readonly Items[]): Promise<readonly number[]> {
  const items = await Promise.all(stated.map(itemsOf));
  return items.filter((count) => count !== undefined);
}

function parse(raw: SizeFlags): SizeOptions {
  if (raw.json && raw.csv)
    throw new BloomError('usage', '--json and --csv contradict each other', 'leave out one of them');
  if (raw.csv && raw.overfill) throw new BloomError('usage', '--csv cannot print --overfill', 'use --json');
  if (raw.json || raw.csv) refuseUnused(raw, ['plot'], '--json and --csv print no pictures');
  if (raw.json || raw.csv)
    refuseUnused(raw, ['keySize'], `${raw.json ? '--json' : '--csv'} does not compare with stored keys`);
  if (raw.universe !== undefined) refuseUnused(raw, ['protected'], '--universe protects its keys that are not added');
  const { items = [undefined], fpr: rates = [undefined], ...others } = raw;
  const isChoice = [raw.kind, raw.format].some((names) => names?.includes('all'));
  const constraints = items.flatMap((of) =>
    rates.map((fpr) => ({
      ...parseSizing({ ...others, items: of, ...(fpr !== undefined && { fpr }) }),
      ...(raw.protected !== undefined && { protectedKeys: raw.protected }),
      ...(raw.universe !== undefined && { protectedKeys: raw.universe, isUniverse: true, fpr: fpr ?? UNIVERSE_FPR }),
    })),
  );
  const { kinds, systems } = wanted(raw);
  const grows =
    kinds.some(({ growing }) => growing !== undefined) || systems.some(({ accepts }) => accepts.includes('growth'));
  if (!grows) refuseGrowth(others);
  return {
    sized: {
      sizeables: [...kinds.map((kind) => sizeableKind(kind, ours)), ...systems.map(sizeableSystem)],
      isChoice,
      constraints,
      headroom: raw.headroom,
    },
    shows: raw.json ? 'JSON' : raw.csv ? 'CSV' : 'text',
    keyBytes: raw.keySize ?? DEFAULT_KEY_BYTES,
    overfill: raw.overfill === true,
    pictures: picturesOf(raw),
    colour: raw.color,
  };
}

/** The kinds to size of bloomery's own format, and the other systems. */
function wanted({ kind, format, protected: list, universe }: SizeFlags): {
  readonly kinds: readonly FilterKind[];
  readonly systems: readonly SystemSizing[];
} {
  const areOurs = format === undefined || format.includes('all') || format.includes(ours.name);
  if (!areOurs) refuseUnused({ kind }, ['kind'], `it needs the format bloomery: add --format ${ours.name}`);
  const systems = SYSTEM_SIZINGS.filter(({ name }) => format?.includes('all') || format?.includes(name));
  const kinds = areOurs ? wantedKinds(kind) : [];
  if (list === undefined && universe === undefined) return { kinds, systems };
  if (systems.length > 0) refuseUnused({ format }, ['format'], 'only the format bloomery has protected keys');
  const protecting = kind?.includes('all')
    ? kinds.flatMap((some) => some.protecting ?? [])
    : kinds.map((some) => protectingKind(some, universe === undefined ? '--protected' : '--universe'));
  return { kinds: protecting, systems };
}

function wantedKinds(names: readonly string[] | undefined): readonly FilterKind[] {
  if (names === undefined) return [KINDS[0]];
  return names.includes('all') ? KINDS : KINDS.filter((kind) => names.includes(kind.name));
}

/** A system whose filters are sized by its own rules. */
function sizeableSystem(system: SystemSizing): Sizeable {
  const { name } = system;
  return {
    name,
    plan: system.plan,
    row(constraints) {
      requireAccepted(system, constraints);
      const plan = system.plan(constraints);
      if (plan === undefined) return undefined;
      const { kind, parts: segments, fileBytes, rateWith } = plan;
      const abilities = abilitiesOf(name);
      return { name, names: 'format', format: name, kind, plan, segments, fileBytes, abilities, rateWith };
    },
  };
}

/** The operations that the filters of a system support. */
function abilitiesOf(name: string): string[] {
  const isNamed = (named: { readonly name: string }) => named.name === name;
  const { abilities = [] } =
    KNOWN_FORMATS.find((format) => [format, ...(format.variants ?? []), ...(format.makings ?? [])].some(isNamed)) ?? {};
  return [...(abilities.includes('change') ? ['add'] : []), ...(abilities.includes('merge') ? ['merge'] : [])];
}

async function run({ sized, shows, keyBytes, overfill, pictures, colour }: SizeOptions): Promise<ExitCode> {
  const { rows, warnings, isTable } = rowsFor(sized);
  if (pictures !== undefined) await checkPictures(pictures, []);
  const say = await messenger(colour);
  for (const warning of warnings) say.warning(warning);
  const isPictureAlone = pictures?.svg?.name === '-';
  if (isPictureAlone) {
    // CSV prints nothing else.
  } else if (shows === 'JSON') {
    for (const row of rows) print(jsonLine(rowJson(row, overfill)));
  } else if (shows === 'CSV') {
    print(rowsCsv(rows));
  } else {
    const colours = await palette(STDOUT, colour);
    const width = (await outputWidth()) ?? Number.POSITIVE_INFINITY;
    print(await rowsText(rows, { colours, width, keyBytes, overfill }));
  }
  if (pictures !== undefined) {
    const { sizePlots } = await import('./report/size-plots.ts');
    await draw(sizePlots(rows, sized, !isTable), pictures, colour);
  }
  return EXIT.success;
}
