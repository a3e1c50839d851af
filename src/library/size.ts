import { parametersFor } from '../engine/filter-parameters.ts';
import { BloomError } from '../errors.ts';
import { FORMATS } from '../formats/registry.ts';
import { DEFAULT_FPR } from '../sizing/solve.ts';
import { constraintsOf, kindOf } from './checks.ts';
import type { KindName } from './filter.ts';
import { requireKnown } from './known-options.ts';
import type { FilterSize, SizeOptions } from './options.ts';

/**
 * Computes how large a filter must be, or how low its rate is. Throws a `BloomError` of code `usage` if the options state too little, or
 * contradict each other.
 *
 * @example
 * import { sizeFilter } from 'bloomery';
 *
 * console.log(sizeFilter({ items: 10_000_000, fpr: 0.01 }).bits); // 95856640
 */
export function sizeFilter(options: SizeOptions): FilterSize {
  requireKnown('sizeFilter', options);
  const kind = kindOf(options.kind);
  const constraints = constraintsOf(options);
  const plan = kind.plan(constraints) ?? kind.plan({ ...constraints, fpr: constraints.fpr ?? DEFAULT_FPR });
  if (plan === undefined)
    throw new BloomError('usage', 'these options do not determine a filter', 'state two of items, fpr and bits');
  const { shape, capacity, targetFpr } = parametersFor(kind, plan, constraints);
  return {
    kind: kind.name as KindName,
    capacity,
    targetFpr,
    predictedFpr: kind.predictedRate(capacity, shape),
    bits: shape.bits,
    bitsPerKey: shape.bits / capacity,
    hashes: plan.k,
    segments: shape.segments,
    bytes: FORMATS[0].fileBytes(shape),
  };
}
