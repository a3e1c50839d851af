// Every hash of the kernel against its oracle, at every length, for single keys and for every selection of the scanner.

import { describe, expect, test } from 'vitest';
import { allFieldKeys, fieldKeys, textSeparator } from '../../src/engine/input/record-keys.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { digestOf } from '../reference/digests.ts';
import { createRandom } from '../reference/random.ts';
import { singleDigests } from './hashing.ts';
import { expectedScan, PLAIN_RULES, SCAN, scanned, WHOLE } from './scanning.ts';

const COMMA = textSeparator(',');

/** The default run has every length up to the last change of method in a hash, and some longer ones. */
const LENGTHS = Array.from({ length: 701 }, (_, length) => length).filter(
  (length) => IS_LONG || length < 275 || length % 13 === 0,
);
const SEEDS = [
  0n,
  2n ** 32n + 5n,
  2n ** 64n - 1n,
  ...inLongRuns([1n, 2n ** 32n - 1n, 0x123456789abcdef0n, 2n ** 63n], []),
];

const kernel = loadKernel();
const digestAt = singleDigests(kernel);
const AROUND = 64;
const at = kernel.reserve(1024);
const random = createRandom(3);
const material = Uint8Array.from({ length: 1000 }, random);

/** Records of all lengths that end with NUL. No other byte is NUL, and every second one is a letter. */
const records = Buffer.concat(
  LENGTHS.flatMap((length) => [
    Uint8Array.from({ length }, () => (random() % 2 === 0 ? 0x38 + (random() % 72) : 1 + (random() % 255))),
    Uint8Array.of(0),
  ]),
);

describe.each(HASH_NAMES)('%s', (hash) => {
  test.each(SEEDS)('is that of the oracle for all lengths to 700, seed %d', (seed) => {
    const wrong = LENGTHS.filter((length) => {
      const bytes = material.subarray(length % 7, (length % 7) + length);
      const from = at + AROUND + (length % 5);
      const expected = digestOf(bytes, { hash, seed, ignoreCase: false, trim: false });
      // Bytes around the key make no difference.
      return [0, 0xff].some((around) => {
        kernel.bytes(at, 1024).fill(around);
        kernel.bytes(from, length).set(bytes);
        return digestAt(hash, from, length, seed) !== expected;
      });
    });
    expect(wrong).toEqual([]);
  });

  const some: readonly (readonly [boolean, bigint])[] = [
    [false, 0n],
    [true, 2n ** 64n - 1n],
  ];
  const more: typeof some = [
    [false, 0xfedcba9876543210n],
    [true, 0n],
    [true, 2n ** 32n + 5n],
  ];
  test.each([...some, ...inLongRuns(more, [])])(
    'of records of all lengths to 700 (ignore-case %s, seed %d) is that of the oracle',
    async (ignoreCase, seed) => {
      const scan = {
        ...SCAN,
        selection: { ...WHOLE, nullTerminated: true },
        rules: { hash, seed, ignoreCase, trim: false },
      };
      expect(await scanned([records], scan)).toEqual(expectedScan([records], scan));
    },
  );

  test.each([
    ['a field', { ...WHOLE, keys: fieldKeys(2, COMMA) }],
    ['tokens', { ...WHOLE, keys: allFieldKeys() }],
    ['whole records', WHOLE],
  ])('of %s, with trim and ignore-case, is that of the oracle', async (_, selection) => {
    const lines = 'one, Two Words \t,3\n \tALPHA\r\n\nno field,\n,, x\nlast,of ALL';
    const input = new Uint8Array(Buffer.from(lines.repeat(20)));
    for (const ignoreCase of [false, true]) {
      for (const trim of [false, true]) {
        const scan = { ...SCAN, selection, rules: { ...PLAIN_RULES, hash, ignoreCase, trim } };
        expect(await scanned([input], scan)).toEqual(expectedScan([input], scan));
      }
    }
  });
});
