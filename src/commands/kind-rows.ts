import { parametersFor } from '../engine/filter-parameters.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { canBeUsed } from '../filters/registry.ts';
import type { OwnFormat } from '../formats/format.ts';
import type { Constraints, Plan } from '../sizing/solve.ts';
import type { Row } from './report/row.ts';
import type { Sizeable } from './size-rows.ts';

/** What the row of a filter says about bloomery's own format. */
export type OwnFileSize = Pick<OwnFormat, 'name' | 'fileBytes'>;

/** A kind of bloomery's own format. */
export function sizeableKind(kind: FilterKind, format: OwnFileSize): Sizeable {
  const { name } = kind;
  return {
    name,
    plan: kind.plan,
    row(constraints, amongOthers) {
      const plan = amongOthers ? planNaming(kind, constraints) : kind.plan(constraints);
      return plan && rowOf(kind, plan, constraints, format);
    },
  };
}

/** The plan of a kind. A plan does not know its kind, so the message of its error names the kind. */
function planNaming({ name, plan }: FilterKind, constraints: Constraints): Plan | undefined {
  try {
    return plan(constraints);
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    throw new BloomError(error.code, `with --kind ${name}: ${error.message}`, error.hint);
  }
}

/** Operations, by their names in tables and JSON. */
const USES = ['add', 'remove', 'merge'] as const;

/** The row of a filter of bloomery's own format. */
export function rowOf(kind: FilterKind, plan: Plan, constraints: Constraints, format: OwnFileSize): Row {
  const { shape, shortfall } = parametersFor(kind, plan, constraints);
  const { items, fpr } = plan;
  const { name, refuses } = kind;
  // A filter that refuses keys may do so before it is full.
  const most = refuses ? Math.max(items, kind.plan({ bits: shape.bits, k: shape.k, fpr })?.items ?? 0) : Infinity;
  return {
    name,
    names: 'kind',
    format: format.name,
    kind: name,
    plan: { ...plan, bits: shape.bits, predictedFpr: kind.predictedRate(items, shape) },
    segments: shape.segments,
    fileBytes: format.fileBytes(shape),
    abilities: USES.filter((use) => canBeUsed(kind, use)),
    shortfall,
    rateWith(keys) {
      const predicted = kind.predictedRate(keys, shape);
      return keys > most || (refuses && predicted === 1) ? undefined : predicted;
    },
  };
}
