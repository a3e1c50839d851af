import { BloomError } from '../errors.ts';
import { type Constraints, withHeadroom } from '../sizing/solve.ts';
import type { Row } from './report/row.ts';

/** The rates and capacities of the table if too few flags are given. */
const TABLE_RATES = [0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5];
const TABLE_ITEMS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const TABLE_DEFAULT_ITEMS = 1e6;

/** A kind of filter, or another system, that can be sized. */
export interface Sizeable {
  readonly name: string;
  /** Undefined if the constraints are not sufficient. Throws a `usage` error if they contradict each other. */
  plan(constraints: Constraints): { readonly bits: number } | undefined;
  /** The row, with the same errors. An error names the kind if it is `amongOthers`. */
  row(constraints: Constraints, amongOthers: boolean): Row | undefined;
}

/** The filters to size. */
export interface Sized {
  readonly sizeables: readonly Sizeable[];
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

function attempts({ sizeables }: Sized, all: readonly Constraints[]): (Row | BloomError)[] {
  const amongOthers = sizeables.length > 1;
  return all.flatMap((constraints) =>
    sizeables.flatMap((sizeable) => {
      try {
        return sizeable.row(constraints, amongOthers) ?? [];
      } catch (error) {
        if (!(error instanceof BloomError)) throw error;
        return error;
      }
    }),
  );
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
