// Filters whose positions do not reach all bits. Their rate follows from the bits that positions reach.

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { placed } from './bloomery/files.ts';

const WORDS = 2 ** 26;

/** A file of zeros after a head, which needs no space on a disk. */
function sparse(head: string): string {
  const bytes = Buffer.from(head.replaceAll(' ', ''), 'hex');
  const name = placed(bytes);
  const file = openSync(name, 'r+');
  writeSync(file, bytes);
  ftruncateSync(file, bytes.length + 8 * WORDS);
  closeSync(file);
  return name;
}

test.each([
  ['Guava, MITZ_32', '00 05 04000000', 2 ** 31],
  ['Guava, MITZ_64', '01 05 04000000', 2 ** 32],
  ['Spark, version 1', '00000001 00000005 04000000', 2 ** 31],
  ['Spark, version 2', '00000002 00000005 00000007 04000000', 2 ** 32],
])('%s, of 2^32 bits', async (_, head, reach) => {
  const file = await openFilterFile(sparse(head), 'query');
  file.close();
  if (file.layout !== 'arrays') throw new Error('it has segments');
  expect(file.description.shape).toEqual({ bits: reach, segments: 1, segmentBits: reach, k: 5 });
  expect(file.arrays).toMatchObject([{ shape: { bits: reach }, bytes: 8 * WORDS }]);
  expect(file.description.bytes).toBe(head.replaceAll(' ', '').length / 2 + 8 * WORDS);
});
