import { describe, expect, test } from 'vitest';
import type { Digests } from '../../src/engine/input/digests.ts';
import { LONGEST_RECORD, tooLong } from '../../src/engine/input/key-selection.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { UnreadableInput } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/source.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { piecewise } from './pieces.ts';
import { PLAIN_RULES, WHOLE } from './scanning.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** A source that fails at the end of its text. */
function breakingOff(text: string): ByteSource {
  const whole = memorySource('breaking', bytesOf(text));
  const read = (into: Uint8Array): number => {
    const bytes = whole.read(into) ?? 0;
    if (bytes === 0) throw new UnreadableInput('input/output error');
    return bytes;
  };
  return { ...whole, read, wait: async (into) => read(into) };
}

test('a record that an input error cuts off is not a key, and not a part of the next input', async () => {
  const kernel = loadKernel();
  const found: bigint[] = [];
  const note = ({ address, count }: Digests) => {
    found.push(...new BigUint64Array(kernel.memory.buffer, address, count));
  };
  const options = { selection: WHOLE, rules: [PLAIN_RULES], recordLimit: 1000, keepRecords: true };
  const scanner = createScanner(kernel, options, { keys: note, lastKeys: note });
  await expect(scanner.scan(breakingOff('one\ntwo\nthr'))).rejects.toThrow('input/output error');
  await scanner.scan(memorySource('next', bytesOf('ee\nfour')));
  scanner.endBatch();
  expect(found).toEqual(['one', 'two', 'ee', 'four'].map((key) => xxh64(bytesOf(key), 0n)));
});

describe('a record that is too long', () => {
  /** Scans a text with records of at most 5 bytes, and then another text; returns all keys found. */
  async function keysOf(text: string, most: number, keepRecords: boolean) {
    const kernel = loadKernel();
    const found: bigint[] = [];
    const note = ({ address, count }: Digests) => {
      found.push(...new BigUint64Array(kernel.memory.buffer, address, count));
    };
    const options = { selection: WHOLE, rules: [PLAIN_RULES], recordLimit: 1000, keepRecords, longest: 5 };
    const scanner = createScanner(kernel, options, { keys: note, lastKeys: note });
    const source = piecewise(bytesOf(text), createRandom(most), { most, blocking: 0.2 });
    const outcome = await scanner.scan(source).catch((error: unknown) => error);
    await scanner.scan(memorySource('next', bytesOf('next')));
    scanner.endBatch();
    return { found, outcome };
  }

  const digestsOf = (...keys: string[]) => keys.map((key) => xxh64(bytesOf(key), 0n));
  const ways = [1, 4, 1000].flatMap((most) => [true, false].map((keepRecords) => ({ most, keepRecords })));

  test.each(ways)('ends its input, and no other: $most bytes at once, kept: $keepRecords', async (way) => {
    for (const last of ['123456', '123456\nlost\n', '1'.repeat(1000)]) {
      const { found, outcome } = await keysOf(`one\n12345\n\n${last}`, way.most, way.keepRecords);
      expect(outcome).toMatchObject({
        name: 'UnreadableInput',
        message: expect.stringMatching(/^pieces: a line is longer than/),
      });
      expect(found).toEqual(digestsOf('one', '12345', '', 'next'));
    }
  });

  test.each(ways)('is longer than the limit: $most bytes at once, kept: $keepRecords', async (way) => {
    const { found, outcome } = await keysOf('one\n12345\n\n54321', way.most, way.keepRecords);
    expect(outcome).toMatchObject({ records: 4 });
    expect(found).toEqual(digestsOf('one', '12345', '', '54321', 'next'));
  });

  test('has more than 1 GiB, unless a test sets another limit', () => {
    expect(LONGEST_RECORD).toBe(2 ** 30);
    expect([tooLong('-', 10), tooLong('a\tb', 0)]).toMatchObject([
      {
        message: 'standard input: a line is longer than 1 GiB, which is the limit',
        hint: 'if its records end with NUL, add -0',
      },
      {
        message: '"a\\tb": a record is longer than 1 GiB, which is the limit',
        hint: 'if its records end with newlines, leave out -0',
      },
    ]);
  });
});
