// Filters of bits-and-blooms in encoding/gob with little-endian bits, as Go writes them after bitset.LittleEndian().

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixture } from '../cli/run.ts';
import { answersTo, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

test('a stream of encoding/gob may have its bits in either order', async () => {
  const big = readFileSync(fixture('formats/bits-and-blooms/gob.gob'));
  const asked = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n').slice(0, -1);
  const answers = readFileSync(fixture('formats/bits-and-blooms/gob.answers'), 'utf8').trim();
  // The order is m, k, the number of bits, and the bits in words of 64 bits.
  const m = big.subarray(19, 27).readBigUInt64BE();
  const bits = 19 + 16;
  expect(big.subarray(bits).readBigUInt64BE()).toBe(m);
  const little = Buffer.concat([big.subarray(0, bits), Buffer.from(big.subarray(bits)).swap64()]);
  const keys = asked.map((key) => new Uint8Array(Buffer.from(key)));
  for (const file of [big, little]) {
    const found = await withLoaded(placed(new Uint8Array(file)), 1, (loaded) => answersTo(loaded, keys));
    expect(found.map(Number).join('')).toBe(answers);
  }
});
