// What is written of filters of RedisBloom, and how they are merged: BF.SCANDUMP of rebloom.c, and the protocol of Redis.

import { describe, expect, test } from 'vitest';
import type { Description } from '../../src/formats/description.ts';
import { blueprintOf, commands, emptied, raw } from '../../src/formats/redisbloom/blueprint.ts';
import { decodeHeader, encodeHeader } from '../../src/formats/redisbloom/header.ts';
import type { ChangeableLinks, RedisLink } from '../../src/formats/redisbloom/links.ts';
import { mergingOf } from '../../src/formats/redisbloom/merging.ts';

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

describe('a filter that is written', () => {
  const described = () => ({}) as Description;
  const key = Buffer.from('k');
  const links = (...all: readonly Partial<RedisLink>[]): ChangeableLinks => {
    const one = { bytes: 3, bits: 24, k: 2, capacity: 9, fpr: 0.5, bitsPerKey: 2, power: 0, items: 4 };
    return { items: 4 * all.length, options: 5, growth: 2, links: all.map((changed) => ({ ...one, ...changed })) };
  };

  test.each([
    [3, 2 ** 24, 2 ** 25, 2 ** 24 + 1],
    [1, 2 ** 24 - 1],
  ])('as commands has chunks of at most 16 MiB, and states in each where it ends: arrays of %d bytes', (...arrays) => {
    const made = links(...arrays.map((bytes) => ({ bytes })));
    const { pieces } = commands(key)(made);
    const texts = pieces.map((piece) => (piece instanceof Uint8Array ? Buffer.from(piece).toString('latin1') : piece));
    const head = Buffer.from(encodeHeader(made)).toString('latin1');
    const command = (n: number, bytes: number) =>
      `*4\r\n$12\r\nBF.LOADCHUNK\r\n$1\r\nk\r\n$${`${n}`.length}\r\n${n}\r\n$${bytes}\r\n`;
    const expected: unknown[] = [command(1, head.length), head, '\r\n'];
    let end = 1;
    for (const [array, bytes] of arrays.entries()) {
      for (let from = 0; from < bytes; from += 2 ** 24) {
        const length = Math.min(2 ** 24, bytes - from);
        end += length;
        expected.push(command(end, length), { array, from, bytes: length }, '\r\n');
      }
    }
    expect(texts).toEqual(expected);
  });

  test('has the keys that were added to each of its arrays', () => {
    const { pieces } = blueprintOf(links({}, { items: 1 }), raw, described).written([2, 3], () => 0);
    const [head = new Uint8Array()] = pieces.filter((piece) => piece instanceof Uint8Array);
    const found = decodeHeader(viewOf(head), 'x');
    expect([found.items, ...found.links.map(({ items }) => items)]).toEqual([8 + 5, 6, 4]);
    expect(pieces.slice(1)).toEqual([0, 1].map((array) => ({ array, from: 0, bytes: 3 })));
  });

  test.each([
    ['5 of 9 keys', { items: 4 }, 5, 5],
    ['as many as it was sized for', { items: 9 }, 5, 0],
    ['more', { items: 10 }, 5, 0],
    ['5 of 9 keys, and does not grow', { items: 4 }, 5 + 8, 5],
  ])('has room for the rest of its capacity if it has %s', (_, changed, options, rest) => {
    const { remaining, growth } = blueprintOf({ ...links(changed), options }, raw, described);
    expect([remaining, growth?.remaining]).toEqual(options === 5 ? [undefined, rest] : [rest, undefined]);
  });

  test('like another has the first of its arrays, without keys', () => {
    expect(emptied(links({ bytes: 7 }, { bytes: 9 }))).toEqual({ ...links({ bytes: 7, items: 0 }), items: 0 });
  });

  test('from several is one of like arrays if its capacity is that of all, and a chain otherwise', () => {
    const mergingFor = (made: ChangeableLinks) => ({
      description: described(),
      arrays: [],
      merging: mergingOf(made, raw, described),
    });
    const union = (...all: readonly ChangeableLinks[]) => {
      const [first, ...others] = all.map(mergingFor);
      const found = first?.merging.unionWith(others);
      const [head] = found?.written([]).pieces ?? [];
      const { items, links: chain } = decodeHeader(viewOf(head as Uint8Array), 'x');
      return { items, each: chain.map((one) => one.items), from: found?.arrays.map(({ from }) => from) };
    };
    const alone = [0, 1].map((file) => [{ file, array: 0 }]);
    expect(union(links({}), links({}))).toEqual({ items: 8, each: [8], from: [alone.flat()] });
    expect(union(links({ capacity: 8 }), links({ capacity: 8 })).each).toEqual([8]);
    expect(union(links({ capacity: 7 }), links({ capacity: 7 }))).toEqual({ items: 8, each: [4, 4], from: alone });
    for (const other of [{ bytes: 4 }, { k: 3 }, { capacity: 10 }, { power: 4, bits: 16 }])
      expect(union(links({}), links(other)).from).toEqual(alone);
    expect(union(links({}), links({}, {}))).toEqual({
      items: 12,
      each: [4, 4, 4],
      from: [...alone, [{ file: 1, array: 1 }]],
    });
    expect(union(links({}, {}), links({})).from).toEqual([
      [{ file: 0, array: 0 }],
      [{ file: 0, array: 1 }],
      [{ file: 1, array: 0 }],
    ]);
  });
});
