import { BloomError } from '../errors.ts';
import type { FilterKind, Structure } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import type { AnyKeyType } from '../formats/key-types.ts';
import type { Note } from '../formats/note.ts';
import type { Origin } from '../formats/origin.ts';
import { type Constraints, DEFAULT_FPR, withHeadroom } from '../sizing/solve.ts';
import { type FilterParameters, parametersFor } from './filter-parameters.ts';

/** The design of a filter to build. */
export interface Design<K extends Structure = Structure> {
  readonly kind: K;
  readonly rules: KeyRules;
  /** The type of the keys; text if undefined. */
  readonly keyType?: AnyKeyType | undefined;
  /** Keys are added in the order of their records. */
  readonly inOrder?: boolean;
  readonly note?: Note | undefined;
  readonly origin?: Origin | undefined;
  readonly size:
    | { readonly type: 'fixed'; readonly parameters: FilterParameters }
    /** The filter begins with a default size, and grows. */
    | { readonly type: 'growing'; readonly parameters: FilterParameters }
    /** The size follows from the number of distinct keys in the input. */
    | { readonly type: 'counted'; parametersFor(items: number): FilterParameters | Promise<FilterParameters> };
}

/** Defaults for a filter. */
interface Defaults {
  /** The capacity for further keys, as a share, if the size follows from the keys. */
  readonly headroom?: number | undefined;
  readonly defaultFpr?: number | undefined;
}

/** The design of a filter in bloomery's own format. Throws a `usage` error for contradictory constraints. */
export function ownDesign(
  kind: FilterKind,
  rules: KeyRules,
  constraints: Constraints,
  { headroom, defaultFpr = DEFAULT_FPR }: Defaults = {},
): Design<FilterKind> {
  if (constraints.items !== undefined || constraints.bits !== undefined)
    return { kind, rules, size: { type: 'fixed', parameters: solved(kind, constraints, defaultFpr) } };
  if (kind.growing !== undefined) {
    const parameters = solved(kind, { ...constraints, bits: kind.growing.firstBits }, defaultFpr);
    return { kind, rules, size: { type: 'growing', parameters } };
  }
  const forItems = (items: number) =>
    solved(kind, { ...constraints, items: withHeadroom(items, headroom), isCounted: !headroom }, defaultFpr);
  return { kind, rules, size: { type: 'counted', parametersFor: forItems } };
}

/**
 * The parameters for constraints that state the keys or the bits. The default false-positive rate is used unless the rate follows from
 * them.
 */
function solved(kind: FilterKind, constraints: Constraints, defaultFpr: number): FilterParameters {
  const { items, bits, bitsPerKey, fpr = defaultFpr } = constraints;
  const follows = bitsPerKey !== undefined || (items !== undefined && bits !== undefined);
  const plan = kind.plan(follows ? constraints : { ...constraints, fpr });
  if (plan === undefined)
    throw new BloomError('usage', 'these flags do not determine a filter', 'state two of -n, -p and -m');
  return parametersFor(kind, plan, constraints);
}
