import { sum } from '../../filters/kind.ts';
import type { ArrayMerging, DescribedArrays, UnionOfArrays } from '../array-blueprint.ts';
import type { Description } from '../description.ts';
import { sameArrays } from '../headed-blueprint.ts';
import { blueprintOf, type Container } from './blueprint.ts';
import type { ChangeableLinks, Links, RedisLink } from './links.ts';

/** The merging of filters of RedisBloom. It needs the links of all filters. */
interface LinksMerging extends ArrayMerging {
  readonly links: ChangeableLinks;
}

/**
 * How filters are merged, which the server cannot do. Filters of one array each are ORed if they have capacity for
 * the keys of all. The arrays of other filters follow each other, as in a filter that has grown.
 */
export function mergingOf(
  links: ChangeableLinks,
  container: Container,
  describe: (links: Links) => Description,
): ArrayMerging {
  const blueprint = (some: ChangeableLinks) => blueprintOf(some, container, describe);
  const merging: LinksMerging = {
    links,
    fields: { options: links.options },
    isChain: true,
    unionWith(others) {
      const all = [links, ...others.flatMap(linksOf)];
      const items = sum(all.map((filter) => filter.items));
      const union = areMerged(all, items)
        ? mergedLinks(links, items)
        : { ...links, items, links: all.flatMap((filter) => filter.links) };
      const { description, arrays, written } = blueprint(union);
      return {
        description,
        arrays: arrays.map((array, i) => ({ ...array, from: sourcesOf(all, union, i) })),
        written: () => written([], () => 0),
      } satisfies UnionOfArrays;
    },
  };
  return merging;
}

function isOfLinks(merging: ArrayMerging | undefined): merging is LinksMerging {
  return merging !== undefined && 'links' in merging;
}

function linksOf({ merging }: DescribedArrays): ChangeableLinks[] {
  return isOfLinks(merging) ? [merging.links] : [];
}

/** Whether all filters have one array of the same size, with capacity for this many keys. */
function areMerged(all: readonly Links[], items: number): boolean {
  const [first] = all.flatMap(({ links }) => links);
  if (first === undefined || items > first.capacity) return false;
  const isLike = (link: RedisLink | undefined) =>
    link !== undefined &&
    (['bits', 'bytes', 'k', 'power', 'capacity'] as const).every((field) => link[field] === first[field]);
  return all.every(({ links }) => links.length === 1 && isLike(links[0]));
}

function mergedLinks(first: ChangeableLinks, items: number): ChangeableLinks {
  return { ...first, items, links: first.links.map((link) => ({ ...link, items })) };
}

/** The positions of the bits of array `index` of a union. */
function sourcesOf(all: readonly Links[], union: Links, index: number) {
  if (union.links.length < sum(all.map(({ links }) => links.length))) return sameArrays(index, all.length);
  let before = 0;
  for (const [file, { links }] of all.entries()) {
    if (index < before + links.length) return [{ file, array: index - before }];
    before += links.length;
  }
  throw new Error(`there is no array ${index}`);
}
