// Several rules at once give the same digests as each rule alone, also if they normalise keys differently.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScanner } from '../../src/engine/input/scanner.ts';
import type { OwnRules } from '../../src/formats/bloomery/header.ts';
import { createRandom } from '../reference/random.ts';
import { keysOf, longAddressesOf } from '../reference/records.ts';
import { usedKernel } from './kernels.ts';
import { piecewise } from './pieces.ts';
import { digestsOf, expectedScan, PLAIN_RULES, SCAN, type Scan } from './scanning.ts';

const RULES: readonly OwnRules[] = [
  PLAIN_RULES,
  { ...PLAIN_RULES, encoding: 'int32be' },
  { ...PLAIN_RULES, ignoreCase: true },
  { ...PLAIN_RULES, ignoreCase: 'unicode' },
  { ...PLAIN_RULES, hash: 'xxh3', seed: 5n, trim: true },
  { ...PLAIN_RULES, hash: 'murmur3' },
];

/** The digests of each record by each rule, from batches with few records and keys. */
async function digestsBy(rules: readonly OwnRules[], input: Uint8Array, scan: Scan): Promise<bigint[][][]> {
  const kernel = usedKernel();
  const found: bigint[][][] = rules.map(() => []);
  let before = 0;
  const keys: Parameters<typeof createScanner>[2]['keys'] = ({ address, count, owners, firstOwner }, rule) => {
    const numbers = new Uint32Array(kernel.memory.buffer, owners, count);
    new BigUint64Array(kernel.memory.buffer, address, count).forEach((digest, i) => {
      const record = before + (owners === 0 ? firstOwner + i : (numbers[i] ?? -1));
      const records = found[rule] ?? [];
      records[record] = [...(records[record] ?? []), digest];
    });
  };
  const records = ({ count }: { readonly count: number }) => {
    before += count;
  };
  const { selection, recordLimit, dealing } = scan;
  const options = { selection, rules, recordLimit, keepRecords: true };
  const scanner = createScanner(kernel, options, { keys, lastKeys: keys, records });
  await scanner.scan(piecewise(input, createRandom(1), dealing));
  scanner.endBatch();
  return found.map((byRecord) => Array.from({ length: before }, (_, i) => byRecord[i] ?? []));
}

const record = fc.oneof(
  fc.constantFrom('', 'Key', ' key ', '17', ' -5', 'KEY\t', '99999999999'),
  fc.string({ maxLength: 20 }),
);

test.each([
  ['whole records', RULES.filter(({ encoding }) => encoding === undefined)],
  ['values of types', RULES],
  ['values of types first', RULES.toReversed()],
] as const)('%s by several rules', async (_, rules) => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 400 }), fc.integer({ min: 1, max: 50 }), async (records, most) => {
      const input = new Uint8Array(Buffer.from(records.map((one) => `${one.replaceAll('\n', '')}\n`).join('')));
      const scan = { ...SCAN, recordLimit: 128, dealing: { most, blocking: 0 } };
      const expected = rules.map((one) => expectedScan([input], { ...scan, rules: one }).map(({ digests }) => digests));
      expect(await digestsBy(rules, input, scan)).toEqual(expected);
    }),
    { seed: 1, numRuns: 40 },
  );
});

test('networks beside other keys: every rule gets the words, and the IPv6 addresses after them', async () => {
  const piece = fc.constantFrom(
    ...' \n\n.:-_xé“',
    '::',
    'fe80::1',
    '1:2:3:4:5:6:7:8',
    '10.1.2.3',
    'a.b.c',
    '1.22.333.4.5',
    '7',
  );
  const long = fc.nat(130).map((length) => 'x '.repeat(length / 2));
  const text = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, { weight: 1, arbitrary: long }), {
    maxLength: 300,
    size: 'max',
  });
  const scan = { ...SCAN, selection: { nullTerminated: false, keys: { type: 'words' as const } }, recordLimit: 128 };
  const rules: readonly OwnRules[] = [{ ...PLAIN_RULES, encoding: 'network', trim: true }, PLAIN_RULES];
  await fc.assert(
    fc.asyncProperty(text, async (pieces) => {
      const records = pieces
        .join('')
        .split('\n')
        .map((record) => new Uint8Array(Buffer.from(record)));
      const input = new Uint8Array(Buffer.from(`${pieces.join('')}\n`));
      const keys = records.map((record) => [...keysOf(record, scan.selection), ...longAddressesOf(record)]);
      const expected = rules.map((one) => keys.map((some) => some.flatMap((key) => digestsOf(key, one))));
      expect(await digestsBy(rules, input, scan)).toEqual(expected);
    }),
    { seed: 2, numRuns: 40 },
  );
});
