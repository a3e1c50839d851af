// A counting filter from which a false positive is removed. Its probes can meet in one counter of 1.

import { expect, test } from 'vitest';
import { counting } from '../../src/filters/counting.ts';
import { filterOf } from '../engine/alone.ts';
import { type BitRules, bitsOfKey } from '../reference/bloom-bits.ts';
import { digestOf } from '../reference/digests.ts';
import { countersIn, oracleOf } from '../reference/kinds.ts';
import { openVessel, RULES } from './filling.ts';

const FULL = 15;
const SHAPE = { segments: 1, segmentBits: 512, bits: 512, k: 4 };
const COUNTER_BITS = 4;
const rules: BitRules = { ...RULES, ...SHAPE };
const bytesOf = (key: string) => new Uint8Array(Buffer.from(key));

/** The counters of a key. FORMAT.md places them as the bits of a Bloom filter with a bit for each counter. */
const countersOf = (key: string) =>
  bitsOfKey(bytesOf(key), { ...rules, segmentBits: SHAPE.segmentBits / COUNTER_BITS });

test('each of its probes lowers a counter, but none below 0, and other counters keep their values', () => {
  const members = Array.from({ length: 25 }, (_, i) => `member ${i}`);
  const vessel = openVessel(SHAPE, filterOf(SHAPE, undefined, 1, undefined, counting));
  vessel.add(BigUint64Array.from(members, (key) => digestOf(bytesOf(key), RULES)));
  const expected = countersIn(oracleOf(counting.id).payloadOf(members.map(bytesOf), rules));
  let [removed, met] = [0, 0];
  for (let i = 0; i < 3000; i++) {
    const key = `non-member ${i}`;
    const counters = countersOf(key);
    const isPresent = counters.every((counter) => expected[counter] !== 0);
    for (const counter of isPresent ? counters : []) {
      const value = expected[counter] ?? 0;
      if (value === 0) met++;
      else if (value !== FULL) expected[counter] = value - 1;
    }
    removed += Number(isPresent);
    expect(vessel.remove(BigUint64Array.of(digestOf(bytesOf(key), RULES)))).toBe(Number(isPresent));
  }
  expect([...countersIn(vessel.payload())]).toEqual([...expected]);
  expect(removed).toBeGreaterThan(5);
  expect(met).toBeGreaterThan(0);
});
