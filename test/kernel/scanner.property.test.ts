// For any bytes, pieces and batches, the scanner finds the same keys as a splitter that reads one byte at a time.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { allFieldKeys, BLANKS, fieldKeys, textSeparator, WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { inLongRuns } from '../long.ts';
import { digested, expectedDigested, expectedScan, type Scan, scanned } from './scanning.ts';

const FRAGMENTS = [
  '\n',
  '\n',
  '\r\n',
  '\r',
  '\0',
  ' ',
  '\t',
  '  ',
  ',',
  '::',
  ':',
  'a',
  'Ab',
  'b c d e f g h i',
  ',,,,',
  '10.1.2.3',
  '1.2.3.4-',
  '-',
  '._',
  '"',
  '"',
  '""',
  '",',
  ',"',
  '1.22.333.4444.5.6.7',
  'é',
  '“',
  '\u2013',
  '\u00a0',
  '\u3000',
  '日本',
  '\u{1f600}',
  '\ufeff',
];

const fragment = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
  // A part of a character, which another part may follow.
  { weight: 1, arbitrary: fc.tuple(fc.nat(3), fc.nat(4)).map(([from, to]) => Buffer.from('“—').subarray(from, to)) },
  // A run longer than a block of the kernel, without a terminator.
  { weight: 1, arbitrary: fc.nat(150).map((length) => Buffer.alloc(length, 'x y')) },
);
const input = fc.array(fragment, { maxLength: 300, size: 'max' }).map((parts) => new Uint8Array(Buffer.concat(parts)));
const inputs = fc.array(input, { minLength: 1, maxLength: 2 });

const separator = fc.constantFrom(
  BLANKS,
  { type: 'runs' as const, of: ',:\0' },
  { type: 'runs' as const, of: 'b\r\x7f\n' },
  ...[',', ':', '::', ' ', '\t', ', ', 'é', '\r', 'b c d e f g h i'].map(textSeparator),
);
const nullTerminated = fc.boolean();
const comments = fc.uniqueArray(fc.constantFrom('a', ',', ',,', ' b', 'b c d e f g h i', 'x yx yx y'), {
  maxLength: 3,
});
const skipsEmpty = fc.boolean();
const leaving = { comments, skipsEmpty, endsAtComments: fc.boolean() };
const whole = fc.record({ nullTerminated, ...leaving, keys: fc.constant(WHOLE_RECORD) });
const oneField = fc.record({
  nullTerminated,
  ...leaving,
  keys: fc.tuple(fc.integer({ min: 1, max: 6 }), separator).map(([number, between]) => fieldKeys(number, between)),
});
const number = fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: -7, max: -1 }));
const range = fc.oneof(
  number.map((from) => ({ from, to: from })),
  fc.record({ from: number, to: number }).filter(({ from, to }) => from < 0 !== to < 0 || from <= to),
  number.map((from) => ({ from, to: -1 })),
);
/** With --all-fields a record that lacks a named field has no keys. */
const needsAll = fc.boolean();
const fieldList = fc.record({
  nullTerminated,
  ...leaving,
  needsAll,
  keys: fc.record({
    type: fc.constant('fields' as const),
    ranges: fc.array(range, { minLength: 1, maxLength: 4 }),
    areOne: fc.boolean(),
    separator,
  }),
});
const csv = fc.record({
  nullTerminated: fc.constant(false),
  comments,
  skipsEmpty,
  needsAll,
  keys: fc.record({
    type: fc.constant('fields' as const),
    ranges: fc.array(range, { minLength: 1, maxLength: 4 }),
    areOne: fc.boolean(),
    separator: fc.constantFrom(',', ':', ' ').map((delimiter) => ({ type: 'csv' as const, delimiter })),
  }),
});
const words = fc.record({ nullTerminated, ...leaving, keys: fc.constant({ type: 'words' as const }) });
const tokens = fc.record({ nullTerminated, ...leaving, needsAll, keys: separator.map(allFieldKeys) });

function scanOf(selection: fc.Arbitrary<KeySelection>): fc.Arbitrary<Scan> {
  return fc.record({
    selection,
    rules: fc.record({
      hash: fc.constantFrom(...HASH_NAMES),
      seed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      ignoreCase: fc.constantFrom(false, true, 'unicode' as const),
      trim: fc.boolean(),
    }),
    keyLimit: fc.constantFrom(64, 65, 100, 2 ** 14),
    recordLimit: fc.constantFrom(64, 70, 150, 2 ** 14),
    dealing: fc.record({ most: fc.constantFrom(1, 7, 64, 200, 2 ** 20), blocking: fc.constantFrom(0, 0.2) }),
    seed: fc.nat(),
  });
}

test.each([
  ['whole records', whole],
  ['a field', oneField],
  ['any token', tokens],
  ['a list of fields', fieldList],
  ['words', words],
  ['fields of CSV', csv],
] as const)('%s: records and their digests', async (_, selection) => {
  await fc.assert(
    fc.asyncProperty(inputs, scanOf(selection), async (bytes, scan) => {
      const expected = expectedScan(bytes, scan);
      expect(await scanned(bytes, scan)).toEqual(expected);
      expect(await digested(bytes, scan)).toEqual(expectedDigested(bytes, scan));
    }),
    { numRuns: inLongRuns(300, 20), seed: 20_26 },
  );
});
