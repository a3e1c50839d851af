// Sketches that the library of Apache DataSketches wrote, and files that no library writes.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { readSketch, sketchBytes } from '../../src/sketches/file.ts';
import { isSketch } from '../../src/sketches/signature.ts';
import { type Sketch, sketchOfCoupons, sketchUnion } from '../../src/sketches/sketch.ts';
import { fixture } from '../cli/run.ts';
import { couponOf, numberOf, registersOf } from '../reference/coupons.ts';
import { below, createRandom } from '../reference/random.ts';

const couponsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => couponOf(Buffer.from(`${first + i}`)));
const numbers = (first: number, count: number) => Uint32Array.from(couponsFrom(first, count), numberOf);
const bytesOf = (name: string) => new Uint8Array(readFileSync(fixture(join('sketches', name))));
const read = (name: string) => readSketch(bytesOf(name), name);

describe('a file of the library is read', () => {
  test.each([
    ['empty.hll', 12, 0],
    ['list.hll', 12, 7],
    ['list-updatable.hll', 12, 7],
    ['set.hll', 12, 50],
    ['set-updatable.hll', 12, 20],
  ])('%s: coupons', (name, logRegisters, count) => {
    expect(read(name)).toEqual({ logRegisters, coupons: numbers(0, count).sort() });
  });

  test.each([
    ['registers-4.hll', 0, 5000],
    ['registers-6.hll', 0, 5000],
    ['registers-8.hll', 0, 5000],
    ['union.hll', 0, 5000],
    ['exceptions.hll', 8800, 600],
    ['exceptions-updatable.hll', 8800, 600],
  ])('%s: registers', (name, first, count) => {
    expect(read(name)).toEqual({ logRegisters: 8, registers: registersOf(couponsFrom(first, count), 8) });
  });

  test('and the union of two is written as the library does', () => {
    const [a, b] = [sketchOfCoupons(8, numbers(0, 3000)), sketchOfCoupons(8, numbers(2000, 3000))];
    expect(sketchBytes(sketchUnion(a, b))).toEqual(bytesOf('union.hll'));
    expect(sketchBytes(read('empty.hll'))).toEqual(bytesOf('empty.hll').with(7, 8));
  });
});

// The table of a set has 2^5 slots, and twice as many as soon as more than three quarters would be in use (HllUtil of DataSketches).
test.each([8, 24, 25, 48, 49, 96, 97, 192, 193])('a set of %d keys states the table of the library', (keys) => {
  let log = 5;
  while (4 * keys > 3 * 2 ** log) log++;
  const [preamble, , , registers, positions] = sketchBytes(sketchOfCoupons(12, numbers(0, keys)));
  expect([preamble, registers, positions]).toEqual([3, 12, log]);
});

describe('a written sketch is read again', () => {
  test.each([0, 1, 7, 8, 24, 25, 96, 97, 384, 385, 3000])('of %d keys', (keys) => {
    for (const log of [4, 7, 8, 10, 12]) {
      const sketch = sketchOfCoupons(log, numbers(0, keys));
      // A set of coupons has an eighth as many slots as there are registers. It is used until three quarters are occupied.
      expect(sketch.coupons === undefined).toBe(keys > (log < 8 ? 7 : 0.75 * 2 ** (log - 3)));
      expect(readSketch(sketchBytes(sketch), 'it')).toEqual(sketch);
      expect(isSketch(sketchBytes(sketch))).toBe(true);
    }
  });

  test('and unions are those of all keys, in any order', () => {
    const parts: Sketch[] = [
      sketchOfCoupons(9, numbers(0, 40)),
      sketchOfCoupons(12, numbers(30, 100)),
      sketchOfCoupons(10, numbers(120, 900)),
      sketchOfCoupons(9, numbers(1000, 5)),
    ];
    const all = sketchOfCoupons(9, numbers(0, 1020));
    const [a, b, c, d] = parts as [Sketch, Sketch, Sketch, Sketch];
    for (const union of [
      parts.reduce(sketchUnion),
      sketchUnion(sketchUnion(d, c), sketchUnion(b, a)),
      sketchUnion(sketchUnion(c, a), sketchUnion(d, b)),
    ])
      expect(union).toEqual(all);
  });
});

describe('hostile files are refused in one line', () => {
  const refusal = (bytes: Uint8Array): string => {
    try {
      readSketch(bytes, 'it');
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(BloomError);
      expect(String(error)).not.toContain('\n');
      return String(error);
    }
  };

  test.each([
    ['list.hll', 0, 3, 'not a HyperLogLog sketch'],
    ['list.hll', 1, 2, 'not a HyperLogLog sketch'],
    ['list.hll', 2, 8, 'not a HyperLogLog sketch'],
    ['list.hll', 3, 3, 'not a HyperLogLog sketch'],
    ['list.hll', 3, 22, 'not a HyperLogLog sketch'],
    ['list.hll', 3, 255, 'not a HyperLogLog sketch'],
    ['list.hll', 5, 9, 'flags that this bloom does not know'],
    ['list.hll', 5, 0x48, 'flags that this bloom does not know'],
    ['list.hll', 5, 12, 'contradict each other'],
    ['empty.hll', 5, 8, 'contradict each other'],
    ['list.hll', 6, 8, 'cannot have 8 coupons'],
    ['list.hll', 6, 6, 'it has 36 bytes instead of 32'],
    ['list.hll', 7, 3, 'not a HyperLogLog sketch'],
    ['list.hll', 7, 12, 'registers of a type'],
    ['list.hll', 7, 0x18, 'registers of a type'],
    ['list.hll', 11, 0, 'a coupon has no rank'],
    ['set.hll', 8, 51, 'it has 212 bytes instead of 216'],
    ['set.hll', 11, 0x80, 'cannot have'],
    ['set-updatable.hll', 4, 40, 'a set of 2^40 positions'],
    ['set-updatable.hll', 4, 4, 'a set of 2^4 positions'],
    ['set-updatable.hll', 8, 19, 'a wrong number of coupons'],
    ['registers-8.hll', 3, 9, 'its registers need 512 bytes'],
    ['registers-8.hll', 3, 7, 'it has 296 bytes instead of 168'],
    ['registers-8.hll', 40, 64, 'a rank is too large'],
    ['registers-4.hll', 6, 62, 'a rank is too large'],
    ['registers-4.hll', 36, 1, 'its exceptions do not fit 0 bytes'],
    ['registers-4.hll', 40, 0xff, 'an exception is missing'],
    ['exceptions.hll', 36, 0, 'its exceptions do not fit'],
    ['exceptions.hll', 39, 0xff, 'its exceptions do not fit'],
    ['exceptions-updatable.hll', 4, 63, 'its exceptions do not fit'],
    ['exceptions-updatable.hll', 36, 3, 'it has a wrong number of exceptions'],
  ])('%s with %d made %d', (name, at, byte, what) => expect(refusal(bytesOf(name).with(at, byte))).toContain(what));

  test('with any changed byte or truncation', () => {
    const random = createRandom(15);
    for (const name of readdirSync(fixture('sketches'))) {
      const whole = bytesOf(name);
      for (let length = 0; length < whole.length; length += 1 + below(random, 9))
        expect(refusal(whole.subarray(0, length)), `${name} cut to ${length}`).not.toBe('');
      expect(refusal(Uint8Array.from([...whole, 0])), `${name} with a byte more`).not.toBe('');
      // A change that is not noticed gives another valid sketch.
      for (let round = 0; round < 300; round++) refusal(whole.with(below(random, whole.length), below(random, 256)));
    }
  });
});
