import { type Estimate, sumEstimates } from '../sizing/cardinality.ts';
import { bloomStructure, type Ones } from './bloom.ts';
import { type Fill, type Link, type Shape, type Structure, sum } from './kind.ts';
import { scalable } from './scalable.ts';

/** The shape of a scalable filter of other systems: its slices are independent bit arrays. */
export function linkedShape(links: readonly Link[]): Shape {
  const bits = sum(links.map((link) => link.bits));
  return { bits, segments: links.length, segmentBits: bits / links.length, k: links[0]?.k ?? 1, links };
}

/** The structure of a filter with several arrays, any of which may have a key. */
export function joined<F extends Fill>(kind: Structure<F>): Structure<F> {
  return {
    ...kind,
    abilities: ['add', 'union'],
    // The division of keys among the arrays does not follow from the shape.
    predictedRate: undefined,
    // A non-member is a false positive if it is one in any of the arrays.
    rateFromFill: (fill, shape) =>
      1 - ofLinks(fill, shape, kind.rateFromFill).reduce((missed, rate) => missed * (1 - rate), 1),
    itemsFromFill: (fill, shape): Estimate => sumEstimates(ofLinks(fill, shape, kind.itemsFromFill)),
  };
}

/** The scalable filter of other systems: queries and reports work array by array. */
export function linkedBy(kind: Structure<Ones>): Structure<Ones> {
  return {
    ...joined(kind),
    name: scalable.name,
    details: (fill, shape) => [
      {
        name: 'sliceFill',
        label: 'slices, filled',
        value: ofLinks(fill, shape, (part, link) => kind.fillRatio(part, link)),
      },
    ],
  };
}

/** The same with independent positions. */
export const linked = linkedBy(bloomStructure);

/** Computes a value for each array as for a filter of its own. */
export function ofLinks<F extends Fill, T>(
  fill: readonly F[],
  { links = [] }: Shape,
  of: (part: readonly F[], shape: Shape) => T,
): T[] {
  return links.map((link, i) => of(fill.slice(i, i + 1), linkShape(link)));
}

/** The shape of an array as a filter of its own. */
export function linkShape({ bits, k }: Link): Shape {
  return { bits, segments: 1, segmentBits: bits, k };
}
