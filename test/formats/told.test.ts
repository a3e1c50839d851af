// Small filters of other systems. Their bits are among the first bytes, which distinguish formats from each other.

import { describe, expect, test } from 'vitest';
import { formatNamed, formatOf, likelyFormat } from '../../src/formats/registry.ts';
import { inLongRuns } from '../long.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { createRandom } from '../reference/random.ts';

const ROUNDS = inLongRuns(500, 15);

/** The size of a file that is small enough for many rounds, and of the ends that distinguish formats. */
const SMALL = inLongRuns(4096, 1024);
const HEAD_BYTES = 73;
const TAIL_BYTES = 64;

/** The numbers of keys. They are small, because sparse bits resemble the small numbers of a header. */
const KEYS = [0, 1, 1, 2, 3, 5, 10, 30];

/** The ends of a file by which its format is detected. The tail of a short file begins with NULs. */
function endsOf(file: Uint8Array): { head: Uint8Array; tail: () => Uint8Array } {
  const tail = new Uint8Array(TAIL_BYTES);
  tail.set(file.subarray(-TAIL_BYTES), Math.max(0, TAIL_BYTES - file.length));
  return { head: file.subarray(0, HEAD_BYTES), tail: () => tail };
}

const small = Object.entries(SYSTEMS).flatMap(([system, { vessels, isToldByEnd, isReadFromEnd }]) => {
  const { signatures, fits, ends } = formatNamed(system);
  // A format without a mark has to be stated.
  if ((signatures ?? fits ?? ends) === undefined) return [];
  return Object.entries(vessels).flatMap(([vessel, make]) => {
    const { filter, variant } = make();
    const isStated = variant !== undefined && ends !== undefined;
    if (isStated || filter.encode().length > SMALL) return [];
    return [{ system, vessel, make, isInPipe: !isToldByEnd && !isReadFromEnd }];
  });
});

describe('a small filter is distinguished from those of other systems', () => {
  test('there are some', () => expect(new Set(small.map(({ system }) => system)).size).toBeGreaterThan(12));

  test.each(small)('$system, $vessel', ({ system, make, isInPipe }) => {
    const random = createRandom(7);
    const taken = new Set<string | undefined>();
    for (let round = 0; round < ROUNDS; round++) {
      const { filter } = make();
      for (let keys = KEYS[round % KEYS.length] ?? 0; keys > 0; keys--) filter.add(Buffer.from(random().toString(36)));
      const file = filter.encode();
      const { head, tail } = endsOf(file);
      taken.add(formatOf(head, file.length, tail)?.system);
      if (isInPipe) taken.add(likelyFormat(head, undefined)?.system);
    }
    expect([...taken]).toEqual([formatNamed(system).system]);
  });
});
