import { type Estimate, sumEstimates } from '../sizing/cardinality.ts';
import { bloom, type Ones } from './bloom.ts';
import { type FilterKind, type Shape, sum } from './kind.ts';
import { scalable } from './scalable.ts';

/** An array of bits, whose size has nothing to do with that of others. */
export interface Link {
  readonly bits: number;
  readonly k: number;
}

/** The shape of a scalable filter of other systems: its slices are arrays of bits that have nothing in common. */
export function linkedShape(links: readonly Link[]): Shape {
  const bits = sum(links.map((link) => link.bits));
  return { bits, segments: links.length, segmentBits: bits / links.length, k: links[0]?.k ?? 1, links };
}

/** The scalable filter of other systems: it is only asked, array by array, and reported on. */
export const linked: FilterKind<Ones> = {
  ...bloom,
  id: scalable.id,
  name: scalable.name,
  purpose: scalable.purpose,
  abilities: [],
  details: (fill, shape) => [
    {
      name: 'sliceFill',
      label: 'slices, filled',
      value: ofLinks(fill, shape, (part, link) => bloom.fillRatio(part, link)),
    },
  ],
  // A stranger is a false positive if it is one in any of the arrays.
  rateFromFill: (fill, shape) =>
    1 - ofLinks(fill, shape, bloom.rateFromFill).reduce((missed, rate) => missed * (1 - rate), 1),
  itemsFromFill: (fill, shape): Estimate => sumEstimates(ofLinks(fill, shape, bloom.itemsFromFill)),
};

/** Something of each array, as of a filter of its own. */
function ofLinks<T>(fill: readonly Ones[], { links = [] }: Shape, of: (part: readonly Ones[], shape: Shape) => T): T[] {
  return links.map(({ bits, k }, i) => of(fill.slice(i, i + 1), { bits, segments: 1, segmentBits: bits, k }));
}
