// Non-members whose digest shares a half with a member's digest, or with the words that its probes are made of. They are few
// among all non-members: a member's share is 2^-31. But at rates of 1e-9 and less, they would be most of the false positives
// if two of their probes certainly hit. In a blocked filter all probes hit in the member's block, and its rate includes this.

import { describe, expect, test } from 'vitest';
import { blocked } from '../../src/filters/blocked.ts';
import { bloom } from '../../src/filters/bloom.ts';
import { counting } from '../../src/filters/counting.ts';
import type { FilterKind } from '../../src/filters/kind.ts';
import { filterOf } from '../engine/alone.ts';
import { inLongRuns } from '../long.ts';
import { countersIn, onesIn } from '../reference/kinds.ts';
import { createRandom, randomDigests } from '../reference/random.ts';
import { openVessel } from './filling.ts';

const LOW = 2n ** 32n - 1n;
const MULTIPLIER = 0xd1342543de82ef95n;
const NON_MEMBERS = inLongRuns(1_000_000, 200_000);
const Z999 = 3.29;
const HASHES = 10;
const SHAPE = { segments: 1, segmentBits: 2 ** 17, bits: 2 ** 17, k: HASHES };

/** Kinds, and the share of their bits or counters that are not 0. */
const KINDS = [
  ['bloom', bloom, (payload: Uint8Array) => Number(onesIn(payload)) / SHAPE.segmentBits],
  ['counting', counting, (payload: Uint8Array) => share(countersIn(payload))],
] as const;

function share(counters: Uint8Array): number {
  return counters.filter((counter) => counter > 0).length / counters.length;
}

/** The half that a non-member shares with a member, and the number of probes that certainly hit. */
const TWINS = [
  ['the lower half', (member: bigint, other: bigint) => (other & ~LOW) | (member & LOW), 1],
  ['the upper half', (member: bigint, other: bigint) => (member & ~LOW) | (other & LOW), 0],
  ['the lower half, a step on', (member: bigint, other: bigint) => (other & ~LOW) | ((member * MULTIPLIER) & LOW), 0],
] as const;

describe.each(KINDS)('%s', (_, kind, shareTaken) => {
  const members = randomDigests(createRandom(1), kind === bloom ? 9000 : 2250);
  const vessel = openVessel(SHAPE, filterOf(SHAPE, undefined, 1, undefined, kind));
  vessel.add(members);
  const taken = shareTaken(vessel.payload());

  test.each(TWINS)('a non-member that shares %s is a false positive as often as any other', (_, twinOf, spared) => {
    const others = randomDigests(createRandom(2), NON_MEMBERS);
    const twins = others.map((other, i) => twinOf(members[i % members.length] ?? 0n, other));
    const rate = taken ** (HASHES - spared);
    expect(rate).toBeGreaterThan(1e-4);
    expect(Math.abs(vessel.count(twins) - NON_MEMBERS * rate)).toBeLessThan(Z999 * Math.sqrt(NON_MEMBERS * rate));
  });
});

test('blocked: a non-member with the block and the lower half of a member is a false positive, and the rate includes this', () => {
  const shape = { segments: 1, segmentBits: 512, bits: 512, k: 8 };
  const kind: FilterKind = blocked;
  const vessel = openVessel(shape, filterOf(shape, undefined, 1, undefined, kind));
  const [member = 0n] = randomDigests(createRandom(1), 1);
  vessel.add(BigUint64Array.of(member));
  const twins = randomDigests(createRandom(2), 100_000).map((other) => (other & ~LOW) | (member & LOW));
  const inItsBlock = twins.filter((twin) => twin >> 63n === member >> 63n).length;
  expect(vessel.count(twins)).toBe(inItsBlock);
  // One of 2^32 lower halves hits all 8 ones, which are in one of two blocks. The number of keys, 1, is an estimate.
  expect(Math.abs(kind.rateFromFill(vessel.segments.fills(), shape) * 2 ** 33 - 1)).toBeLessThan(0.01);
});
