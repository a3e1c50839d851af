import { parametersFor } from '../engine/filter-parameters.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { canBeUsed } from '../filters/registry.ts';
import { FORMATS, KNOWN_FORMATS } from '../formats/registry.ts';
import { type Constraints, type Plan, withHeadroom } from '../sizing/solve.ts';
import { requireTaken, type SystemSizing } from '../sizing/systems/system.ts';
import type { Row } from './report/rows.ts';

/** The rates and capacities of the table if too few flags are given. */
const TABLE_RATES = [0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5];
const TABLE_ITEMS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const TABLE_DEFAULT_ITEMS = 1e6;

/** The filters to size. */
export interface Sized {
  /** Other systems whose filters are sized. */
  readonly systems: readonly SystemSizing[];
  readonly kinds: readonly FilterKind[];
  /** Whether all kinds are shown for a choice. */
  readonly isChoice: boolean;
  /** One row per element. */
  readonly constraints: readonly Constraints[];
  /** Extra capacity for growth. */
  readonly headroom: number | undefined;
}

/**
 * The filters that constraints determine, or else a table of filters. Impossible rows of a table, or of all kinds,
 * become warnings. A single impossible filter is an error.
 */
export function rowsFor(sized: Sized): { rows: Row[]; warnings: string[]; isTable: boolean } {
  const { isChoice, constraints, headroom } = sized;
  const solved = attempts(sized, constraints);
  const isTable = solved.length === 0;
  const all = isTable
    ? attempts(
        sized,
        constraints.flatMap((some) => tabulated(some, headroom)),
      )
    : solved;
  const [rows, refusals] = [all.filter(isRow), all.filter(isRefusal)];
  const [first] = refusals;
  if (first !== undefined && (rows.length === 0 || !(isTable || isChoice))) throw first;
  if (rows.length === 0)
    throw new BloomError('usage', 'these flags do not determine a filter', 'state two of -n, -p and -m');
  const shortfalls = rows.flatMap(({ shortfall }) => shortfall ?? []);
  return { rows, warnings: [...refusals.map(({ message }) => message), ...shortfalls], isTable };
}

function attempts({ kinds, systems }: Sized, all: readonly Constraints[]): (Row | BloomError)[] {
  const names = kinds.length + systems.length > 1;
  return all.flatMap((constraints) => [
    ...kinds.flatMap((kind) => attempt(kind, constraints, names) ?? []),
    ...systems.flatMap((system) => attemptOf(system, constraints) ?? []),
  ]);
}

/** The row of another system, or its error. Undefined if the flags are not sufficient. */
function attemptOf(system: SystemSizing, constraints: Constraints): Row | BloomError | undefined {
  try {
    requireTaken(system, constraints);
    const plan = system.plan(constraints);
    if (plan === undefined) return undefined;
    const { name } = system;
    const { parts: segments, fileBytes, rateWith } = plan;
    return {
      name,
      names: 'format',
      format: name,
      kind: plan.kind,
      plan,
      segments,
      fileBytes,
      abilities: abilitiesOf(name),
      rateWith,
    };
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    return error;
  }
}

/** The operations that the filters of a system support. */
function abilitiesOf(name: string): string[] {
  const isNamed = (named: { readonly name: string }) => named.name === name;
  const { abilities = [] } =
    KNOWN_FORMATS.find((format) => [format, ...(format.variants ?? []), ...(format.makings ?? [])].some(isNamed)) ?? {};
  return [...(abilities.includes('change') ? ['add'] : []), ...(abilities.includes('merge') ? ['merge'] : [])];
}

/** A row or its error. Undefined if the flags are not sufficient. With several kinds, the error names the kind. */
function attempt(kind: FilterKind, constraints: Constraints, names: boolean): Row | BloomError | undefined {
  let plan: Plan | undefined;
  try {
    plan = kind.plan(constraints);
    return plan && rowOf(kind, plan, constraints);
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    // A plan does not know its kind, so the message names it.
    return names && plan === undefined
      ? new BloomError(error.code, `with --kind ${kind.name}: ${error.message}`, error.hint)
      : error;
  }
}

/** Operations, by their names in tables and JSON. */
const USES = ['add', 'remove', 'merge'] as const;

/** bloomery's own format. */
const [ours] = FORMATS;

/** The row of a filter of bloomery's own format. */
export function rowOf(kind: FilterKind, plan: Plan, constraints: Constraints): Row {
  const { shape, shortfall } = parametersFor(kind, plan, constraints);
  const { items, fpr } = plan;
  const { name, refuses } = kind;
  // A filter that refuses keys may do so before it is full.
  const most = refuses ? Math.max(items, kind.plan({ bits: shape.bits, k: shape.k, fpr })?.items ?? 0) : Infinity;
  return {
    name,
    names: 'kind',
    format: ours.name,
    kind: name,
    plan: { ...plan, bits: shape.bits, predictedFpr: kind.predictedRate(items, shape) },
    segments: shape.segments,
    fileBytes: ours.fileBytes(shape),
    abilities: USES.filter((use) => canBeUsed(kind, use)),
    shortfall,
    rateWith(keys) {
      const predicted = kind.predictedRate(keys, shape);
      return keys > most || (refuses && predicted === 1) ? undefined : predicted;
    },
  };
}

const isRefusal = (attempted: Row | BloomError): attempted is BloomError => attempted instanceof BloomError;
const isRow = (attempted: Row | BloomError): attempted is Row => !isRefusal(attempted);

/** A table of rates for a given number of keys or bits, or of numbers of keys for a given rate. */
function tabulated(constraints: Constraints, headroom?: number): Constraints[] {
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
