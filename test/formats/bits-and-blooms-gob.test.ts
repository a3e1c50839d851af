// Filters of bits-and-blooms in encoding/gob with little-endian bits, as Go writes them after bitset.LittleEndian().

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGobStart } from '../../src/formats/bits-and-blooms/gob.ts';
import { memorySource } from '../../src/io/source.ts';
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

// "Encoding Details" of https://pkg.go.dev/encoding/gob: a number up to 127 is a byte, a larger one has its length before it.
test.each([
  [[5], [3], 5],
  [[0xff, 200], [0xfe, 1, 2], 200],
  [[0xfe, 1, 0], [0xfd, 1, 2, 3], 256],
])('the type is skipped by its length, %j, and the lengths after it are, %j', async (length, after, bytes) => {
  const numbers = [after, after, [0], after].flat();
  const stream = Uint8Array.of(...length, ...new Uint8Array(bytes).fill(0xf8), ...numbers, 1, 2, 3);
  expect(await readGobStart(memorySource('x', stream), 'x')).toBe(length.length + bytes + numbers.length);
});
