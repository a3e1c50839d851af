// Digests that wait for the turn of their part are let go in order and unchanged, although their memory is used again meanwhile.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VISIT_LIMIT } from '../../../src/engine/input/digests.ts';
import { createOrder } from '../../../src/engine/tasks/order.ts';
import { createTurns, passTurn } from '../../../src/engine/tasks/turns.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { inLongRuns } from '../../long.ts';

/** Bytes per digest, and digests that wait. */
const [BYTES, LIMIT] = [12, 50];

function orderOf() {
  const kernel = loadKernel();
  const [address, owners] = [kernel.reserve(BYTES * VISIT_LIMIT), kernel.reserve(4 * VISIT_LIMIT)];
  const released: number[][] = [];
  const order = createOrder(kernel, { digestBytes: BYTES, limit: LIMIT }, (digests) => {
    const bytes = kernel.bytes(digests.address, BYTES * digests.count);
    const found = Array.from({ length: digests.count }, (_, i) => bytes[BYTES * i + (i % BYTES)] ?? -1);
    const named = new Uint32Array(kernel.memory.buffer, digests.owners, digests.count);
    released.push([...found, ...(digests.owners === 0 ? [digests.firstOwner] : named)]);
  });
  let taken = 0;
  /** Takes some digests of one number each, with owners or without. Returns what is let go of them. */
  const take = (count: number, hasOwners: boolean): number[] => {
    const number = ++taken % 256;
    kernel.bytes(address, BYTES * count).fill(number);
    const each = Array.from({ length: count }, (_, i) => 1000 * taken + i);
    new Uint32Array(kernel.memory.buffer, owners, count).set(each);
    order.take({ address, count, owners: hasOwners ? owners : 0, firstOwner: taken });
    kernel.bytes(address, BYTES * count).fill(255);
    new Uint32Array(kernel.memory.buffer, owners, count).fill(7);
    return [...Array.from({ length: count }, () => number), ...(hasOwners ? each : [taken])];
  };
  return { order, take, released };
}

const group = fc.record({
  count: fc.oneof(fc.nat(20), fc.constantFrom(LIMIT, LIMIT + 1, VISIT_LIMIT)),
  hasOwners: fc.boolean(),
});

test('parts of a file, each of which waits until more than the limit wait, or until its end', () => {
  const { order, take, released } = orderOf();
  const property = fc.property(fc.array(fc.array(group, { maxLength: 6 }), { maxLength: 3 }), (parts) => {
    const adding = createTurns();
    for (const [number, groups] of parts.entries()) {
      order.begin({ name: undefined, first: number === 0, turn: { adding, turns: adding, number } });
      let [waiting, isAwaited]: [number[][], boolean] = [[], true];
      let count = 0;
      for (const { count: more, hasOwners } of groups) {
        released.length = 0;
        const expected = take(more, hasOwners);
        if (more > 0) waiting.push(expected);
        count += more;
        if (isAwaited && count <= LIMIT) {
          expect(released).toEqual([]);
          continue;
        }
        expect(released).toEqual(waiting);
        [waiting, isAwaited] = [[], false];
      }
      released.length = 0;
      order.end(false);
      expect(released).toEqual(waiting);
      expect(adding.current[0]).toBe(number + 1);
    }
  });
  fc.assert(property, { numRuns: inLongRuns(500, 16) });
});

test('without turns nothing waits', () => {
  const { order, take, released } = orderOf();
  order.begin({ name: undefined, first: true, turn: undefined });
  const one = take(2, false);
  expect(released).toEqual([one]);
  expect(order.release()).toBe(true);
  order.end(false);
  expect(released).toEqual([one]);
});

test('what is behind a part that was cut off is discarded, up to the next file', () => {
  const { order, take, released } = orderOf();
  const adding = createTurns();
  const begin = (number: number, first: boolean) =>
    order.begin({ name: undefined, first, turn: { adding, turns: adding, number } });
  begin(0, true);
  const one = take(3, true);
  order.end(true);
  begin(1, false);
  take(3, true);
  expect(order.release()).toBe(false);
  take(60, false);
  order.end(false);
  begin(2, false);
  take(1, false);
  order.end(false);
  expect(released).toEqual([one]);
  begin(3, true);
  const other = take(1, false);
  expect(order.release()).toBe(true);
  order.end(false);
  expect(released).toEqual([one, other]);
  passTurn(adding, 4, 0);
});
