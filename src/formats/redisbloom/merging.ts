import { sum } from '../../filters/kind.ts';
import type { FlatDescribed, FlatMerging, UnionOfArrays } from '../array-blueprint.ts';
import type { Description } from '../description.ts';
import { sameArrays } from '../headed-blueprint.ts';
import { blueprintOf, type Container } from './blueprint.ts';
import type { ChangeableLinks, Links, RedisLink } from './links.ts';

/** The merging of filters of RedisBloom, which has to know all of them. */
interface LinksMerging extends FlatMerging {
  readonly links: ChangeableLinks;
}

/**
 * How filters become one, which the server does not do: two of one array each with room for the keys of both are ORed; the arrays
 * of others follow each other, as those of a filter that has grown do.
 */
export function mergingOf(
  links: ChangeableLinks,
  container: Container,
  describe: (links: Links) => Description,
): FlatMerging {
  const blueprint = (some: ChangeableLinks) => blueprintOf(some, container, describe);
  const merging: LinksMerging = {
    links,
    fields: { options: links.options },
    isChain: true,
    unionWith(others) {
      const all = [links, ...others.flatMap(linksOf)];
      const items = sum(all.map((filter) => filter.items));
      const united = areUnited(all, items)
        ? unitedLinks(links, items)
        : { ...links, items, links: all.flatMap((filter) => filter.links) };
      const { description, arrays, written } = blueprint(united);
      return {
        description,
        arrays: arrays.map((array, i) => ({ ...array, from: sourcesOf(all, united, i) })),
        written: () => written([], () => 0),
      } satisfies UnionOfArrays;
    },
  };
  return merging;
}

function isOfLinks(merging: FlatMerging | undefined): merging is LinksMerging {
  return merging !== undefined && 'links' in merging;
}

function linksOf({ merging }: FlatDescribed): ChangeableLinks[] {
  return isOfLinks(merging) ? [merging.links] : [];
}

/** Whether filters have one array each, of the same size, and that is for so many keys. */
function areUnited(all: readonly Links[], items: number): boolean {
  const [first] = all.flatMap(({ links }) => links);
  if (first === undefined || items > first.capacity) return false;
  const isLike = (link: RedisLink | undefined) =>
    link !== undefined &&
    (['bits', 'bytes', 'k', 'power', 'capacity'] as const).every((field) => link[field] === first[field]);
  return all.every(({ links }) => links.length === 1 && isLike(links[0]));
}

function unitedLinks(first: ChangeableLinks, items: number): ChangeableLinks {
  return { ...first, items, links: first.links.map((link) => ({ ...link, items })) };
}

/** Where the bits of array `index` of a union are. */
function sourcesOf(all: readonly Links[], united: Links, index: number) {
  if (united.links.length < sum(all.map(({ links }) => links.length))) return sameArrays(index, all.length);
  let before = 0;
  for (const [file, { links }] of all.entries()) {
    if (index < before + links.length) return [{ file, array: index - before }];
    before += links.length;
  }
  throw new Error(`there is no array ${index}`);
}
