// Several rules at once give the same digests as each rule alone, also if they normalise keys differently.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScanner } from '../../src/engine/input/scanner.ts';
import type { OwnRules } from '../../src/formats/bloomery/header.ts';
import { createRandom } from '../reference/random.ts';
import { usedKernel } from './kernels.ts';
import { piecewise } from './pieces.ts';
import { expectedScan, PLAIN_RULES, SCAN, type Scan } from './scanning.ts';

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
