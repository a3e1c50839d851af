import { BloomError } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import {
  CHUNK_BYTES,
  EXPANSION,
  firstLink,
  type LinkSize,
  linkSize,
  TIGHTENING,
} from '../../sizing/systems/redisbloom.ts';
import type {
  ArrayBlueprint,
  ArrayGrowth,
  ArrayPiece,
  BlueprintArray,
  FilePiece,
  WrittenArrays,
} from '../array-blueprint.ts';
import type { Description } from '../description.ts';
import { commandBefore, LINE_END, selection } from './commands.ts';
import { encodeHeader } from './header.ts';
import { type ChangeableLinks, type Links, OPTIONS, type RedisLink, shapeOf } from './links.ts';

/** How a file stores a filter around its arrays. */
export type Container = (filter: ChangeableLinks) => Contained;

interface Contained extends Pick<WrittenArrays, 'pieces' | 'convert'> {
  /** Bytes after these pieces. */
  readonly more?: number;
}

const arrayOf = (link: RedisLink): BlueprintArray => ({ shape: shapeOf(link), bytes: link.bytes });

/** The largest number of arrays of a growing filter. Each array has a memory of its own. */
const LINKS_LIMIT = 1024;

/** A filter of some arrays. `describe` makes its description. */
export function blueprintOf(
  begun: ChangeableLinks,
  container: Container,
  describe: (links: Links) => Description,
): ArrayBlueprint {
  const links = [...begun.links];
  const last = links.at(-1);
  const remaining = last === undefined ? 0 : Math.max(0, last.capacity - last.items);
  const isScaling = (begun.options & OPTIONS.noScaling) === 0;
  return {
    description: describe(begun),
    arrays: links.map(arrayOf),
    countsKeys: true,
    remaining: isScaling ? undefined : remaining,
    growth: isScaling ? growthOf(begun, links, remaining) : undefined,
    written(changes) {
      const grown = links.map((link, i) => ({ ...link, items: link.items + (changes[i] ?? 0) }));
      const items = begun.items + sum(changes);
      const filter = { ...begun, items, links: grown.slice(0, Math.max(begun.links.length, changes.length)) };
      const { pieces, convert, more = 0 } = container(filter);
      const bytes = more + sum(pieces.map((piece) => ('bytes' in piece ? piece.bytes : piece.length)));
      return { description: { ...describe(filter), bytes }, pieces, convert };
    },
  };
}

/** `SBChain_AddLink`, as soon as the last array is full. */
function growthOf({ growth, options }: ChangeableLinks, links: RedisLink[], remaining: number): ArrayGrowth {
  return {
    remaining,
    next(index) {
      const before = links[index - 1];
      if (before === undefined || index >= LINKS_LIMIT)
        throw new BloomError(
          'capacity',
          `nothing was written: the filter would need more than ${LINKS_LIMIT} arrays`,
          'state a larger -n',
        );
      const isPower = (options & OPTIONS.noRound) === 0;
      const link = newLink(linkSize(before.capacity * growth, before.fpr * TIGHTENING, isPower));
      links[index] = link;
      return { ...arrayOf(link), capacity: link.capacity };
    },
  };
}

function newLink(size: LinkSize): RedisLink {
  const { bytes, power } = size;
  return { ...size, bits: power > 0 ? 2 ** power : 8 * bytes, items: 0 };
}

/** The result of `BF.RESERVE`. */
export function reserved(items: number, fpr: number, isScaling: boolean, growth = EXPANSION): ChangeableLinks {
  const options = OPTIONS.noRound | OPTIONS.force64 | (isScaling ? 0 : OPTIONS.noScaling);
  return { items: 0, options, growth, links: [newLink(firstLink(items, fpr, isScaling))] };
}

/** An empty filter of the same parameters. */
export function emptied({ options, growth, links }: ChangeableLinks): ChangeableLinks {
  return { items: 0, options, growth, links: links.slice(0, 1).map((link) => ({ ...link, items: 0 })) };
}

/** The header and all bits. */
export const raw: Container = (filter) => ({
  pieces: [encodeHeader(filter), ...filter.links.map(({ bytes }, array): ArrayPiece => ({ array, from: 0, bytes }))],
});

/** The commands that restore a filter under a key. A command before them selects the database if there is one. */
export function commands(key: Uint8Array, database?: string): Container {
  return (filter) => {
    const header = encodeHeader(filter);
    let iterator = 1;
    const before = Buffer.concat([selection(database), commandBefore(key, iterator, header.length)]);
    const pieces: FilePiece[] = [before, header, LINE_END];
    for (const [array, { bytes }] of filter.links.entries()) {
      for (let from = 0; from < bytes; from += CHUNK_BYTES) {
        const length = Math.min(CHUNK_BYTES, bytes - from);
        iterator += length;
        pieces.push(commandBefore(key, iterator, length), { array, from, bytes: length }, LINE_END);
      }
    }
    return { pieces };
  };
}
