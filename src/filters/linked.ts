import { type Estimate, sumEstimates } from '../sizing/cardinality.ts';
import { bloomStructure, type Ones } from './bloom.ts';
import { type Fill, type Link, type Shape, type Structure, sum } from './kind.ts';
import { scalable } from './scalable.ts';

/** The shape of a scalable filter of other systems: its slices are arrays of bits that have nothing in common. */
export function linkedShape(links: readonly Link[]): Shape {
  const bits = sum(links.map((link) => link.bits));
  return { bits, segments: links.length, segmentBits: bits / links.length, k: links[0]?.k ?? 1, links };
}

/** The kind of a filter that is several arrays of a kind, any of which may have a key; it is only asked, and reported on. */
export function joined<F extends Fill>(kind: Structure<F>): Structure<F> {
  return {
    ...kind,
    abilities: ['add', 'unite'],
    // How keys are divided among the arrays does not follow from the shape.
    predictedRate: undefined,
    // A stranger is a false positive if it is one in any of the arrays.
    rateFromFill: (fill, shape) =>
      1 - ofLinks(fill, shape, kind.rateFromFill).reduce((missed, rate) => missed * (1 - rate), 1),
    itemsFromFill: (fill, shape): Estimate => sumEstimates(ofLinks(fill, shape, kind.itemsFromFill)),
  };
}

/** The scalable filter of other systems, of arrays of a kind: it is queried and reported on array by array. */
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

/** Such a filter with independent positions. */
export const linked = linkedBy(bloomStructure);

/** Something of each array, as of a filter of its own. */
export function ofLinks<F extends Fill, T>(
  fill: readonly F[],
  { links = [] }: Shape,
  of: (part: readonly F[], shape: Shape) => T,
): T[] {
  return links.map((link, i) => of(fill.slice(i, i + 1), linkShape(link)));
}

/** An array as a filter of its own. */
export function linkShape({ bits, k }: Link): Shape {
  return { bits, segments: 1, segmentBits: bits, k };
}
