import { describe, expect, test } from 'vitest';
import { fieldKeys, textSeparator } from '../../src/engine/input/record-keys.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { expectedScan, PLAIN_RULES, SCAN, scanned, WHOLE } from './scanning.ts';

const COMMA = textSeparator(',');

const BYTES = Array.from({ length: 256 }, (_, byte) => byte);

/** Lengths at which hashes read single bytes, 4, 8 and 16 bytes, and stripes. */
const LENGTHS = inLongRuns([1, 3, 4, 7, 8, 12, 15, 17, 31, 32, 40, 71, 130, 241, 320], [1, 4, 8, 15, 17, 40]);

const ENDS = [
  ['LF', false, 10],
  ['NUL', true, 0],
] as const;

const rules = { ...PLAIN_RULES, ignoreCase: true };

describe('ignore-case', () => {
  // The default run has each hash with one end, and one hash with both.
  const cases = HASH_NAMES.flatMap((hash, i) =>
    (IS_LONG || i === 0 ? ENDS : sampled(ENDS)).map((end) => [hash, ...end] as const),
  );
  test.each(cases)(
    'of %s folds A to Z and no other byte, in records that end with %s',
    async (hash, _, nullTerminated, terminator) => {
      const selection = { ...WHOLE, nullTerminated };
      const records = BYTES.filter((byte) => byte !== terminator).flatMap((byte) =>
        LENGTHS.flatMap((length) => [...Buffer.alloc(length, byte), terminator]),
      );
      const scan = { ...SCAN, selection, rules: { ...rules, hash } };
      const expected = expectedScan([Uint8Array.from(records)], scan);
      expect(await scanned([Uint8Array.from(records)], scan)).toEqual(expected);
    },
  );

  test('folds a key of mixed case to lower case, and keeps all but ASCII letters', async () => {
    const mixed = 'The Quick BROWN Fox Jumps Over The LAZY Dog @[`{ ÀÉ';
    const [found] = await scanned([new Uint8Array(Buffer.from(mixed, 'latin1'))], { ...SCAN, rules });
    const lower = 'the quick brown fox jumps over the lazy dog @[`{ ÀÉ';
    expect(found?.digests).toEqual([xxh64(Buffer.from(lower, 'latin1'), 0n)]);
  });
});

describe('trim', () => {
  test.each([
    ['both ends', ' \t a b\t ', 'a b'],
    ['only blanks', ' \t \t', ''],
    ['nothing to do', 'a', 'a'],
    ['other white space stays', '\va\f ', '\va\f'],
    ['a CR after blanks is dropped first', 'a \r', 'a'],
    ['a CR before blanks is part of the key', 'a\r ', 'a\r'],
  ])('%s', async (_, record, key) => {
    const scan = { ...SCAN, rules: { ...PLAIN_RULES, trim: true } };
    const [found] = await scanned([new Uint8Array(Buffer.from(`${record}\n`))], scan);
    expect(found?.digests).toEqual([xxh64(Buffer.from(key), 0n)]);
  });

  test('applies to a field', async () => {
    const selection = { ...WHOLE, keys: fieldKeys(2, COMMA) };
    const scan = { ...SCAN, selection, rules: { ...rules, trim: true } };
    const [found] = await scanned([new Uint8Array(Buffer.from('x,\tA B ,y'))], scan);
    expect(found?.digests).toEqual([xxh64(Buffer.from('a b'), 0n)]);
  });
});
