import { expect, test } from 'vitest';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { NO_LIMIT } from '../../src/engine/input/scanning.ts';
import { memorySource } from '../../src/io/source.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from './scanning.ts';

test('more than 2^31 records are counted', async () => {
  const kernel = loadKernel();
  const options = { selection: WHOLE, rules: [PLAIN_RULES], recordLimit: NO_LIMIT, keepRecords: false };
  const scanner = createScanner(kernel, options, { keys: () => {}, lastKeys: () => {} });
  // Sets the counter to almost 2^31 records. To read them would take ten seconds.
  const before = 2 ** 31 - 3;
  Reflect.set(kernel.exports.recordCount, 'value', before);
  await scanner.scan(memorySource('lines', new Uint8Array(Buffer.from('a\nb\nc\nd\ne\n'))));
  expect(scanner.tally().records).toBe(before + 5);
  scanner.endBatch();
  expect(scanner.tally().records).toBe(before + 5);
});
