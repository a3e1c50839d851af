import { expect, test } from 'vitest';
import { createScanner } from '../../src/engine/scanner.ts';
import type { Digests } from '../../src/engine/segment-visits.ts';
import { BloomError } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/source.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { PLAIN_RULES, WHOLE } from './scanning.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** A source that breaks off where its text ends. */
function breakingOff(text: string): ByteSource {
  const whole = memorySource('breaking', bytesOf(text));
  const read = (into: Uint8Array): number => {
    const bytes = whole.read(into) ?? 0;
    if (bytes === 0) throw new BloomError('input', 'input/output error');
    return bytes;
  };
  return { ...whole, read, wait: async (into) => read(into) };
}

test('a record that an input error cuts off is no key, and no part of the next input', async () => {
  const kernel = loadKernel();
  const found: bigint[] = [];
  const note = ({ address, count }: Digests) => {
    found.push(...new BigUint64Array(kernel.memory.buffer, address, count));
  };
  const options = { selection: WHOLE, rules: PLAIN_RULES, recordLimit: 1000, keepRecords: true };
  const scanner = createScanner(kernel, options, { keys: note, lastKeys: note });
  await expect(scanner.scan(breakingOff('one\ntwo\nthr'))).rejects.toThrow('input/output error');
  await scanner.scan(memorySource('next', bytesOf('ee\nfour')));
  scanner.settle();
  expect(found).toEqual(['one', 'two', 'ee', 'four'].map((key) => xxh64(bytesOf(key), 0n)));
});
