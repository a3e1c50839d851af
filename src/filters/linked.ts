import { type Estimate, sumEstimates } from '../sizing/cardinality.ts';
import { bloom, type Ones } from './bloom.ts';
import { type Fill, type FilterKind, type Link, type Shape, sum } from './kind.ts';
import { scalable } from './scalable.ts';

/** The shape of a scalable filter of other systems: its slices are arrays of bits that have nothing in common. */
export function linkedShape(links: readonly Link[]): Shape {
  const bits = sum(links.map((link) => link.bits));
  return { bits, segments: links.length, segmentBits: bits / links.length, k: links[0]?.k ?? 1, links };
}

/** The kind of a filter that is several arrays of a kind, any of which may have a key; it is only asked, and reported on. */
export function joined<F extends Fill>(kind: FilterKind<F>): FilterKind<F> {
  return {
    ...kind,
    abilities: ['add', 'merge'],
    // A stranger is a false positive if it is one in any of the arrays.
    rateFromFill: (fill, shape) =>
      1 - ofLinks(fill, shape, kind.rateFromFill).reduce((missed, rate) => missed * (1 - rate), 1),
    itemsFromFill: (fill, shape): Estimate => sumEstimates(ofLinks(fill, shape, kind.itemsFromFill)),
  };
}

/** The scalable filter of other systems, of arrays of a kind: it is queried and reported on array by array. */
export function linkedBy(kind: FilterKind<Ones>): FilterKind<Ones> {
  return {
    ...joined(kind),
    id: scalable.id,
    name: scalable.name,
    purpose: scalable.purpose,
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
export const linked = linkedBy(bloom);

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
