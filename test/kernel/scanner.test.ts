// Examples of the scanner's rules, and inputs that the property tests hardly ever generate. These are records longer than
// any buffer, and more tokens than a batch has.

import { describe, expect, test } from 'vitest';
import { allFieldKeys, BLANKS, fieldKeys, textSeparator } from '../../src/engine/input/record-keys.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { memorySource } from '../../src/io/source.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { inLongRuns } from '../long.ts';
import { createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { piecewise } from './pieces.ts';
import {
  AT_ONCE,
  digested,
  expectedDigested,
  expectedScan,
  PLAIN_RULES,
  SCAN,
  type Scan,
  scanned,
  WHOLE,
} from './scanning.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const digest = (text: string) => xxh64(bytesOf(text), 0n);

async function keysFound(input: string, scan: Partial<Scan> = {}): Promise<bigint[][]> {
  return (await scanned([bytesOf(input)], { ...SCAN, ...scan })).map(({ digests }) => digests);
}

describe('records', () => {
  test.each([
    ['LF', 'a\nbc\n', ['a', 'bc']],
    ['CRLF, of which one CR goes', 'a\r\nb\r\r\n', ['a', 'b\r']],
    ['a CR within or alone', '\ra\rb\n\r\n', ['\ra\rb', '']],
    ['no last terminator', 'a\nb', ['a', 'b']],
    ['no last terminator but a CR', 'a\nb\r', ['a', 'b']],
    ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
    ['NUL is a byte like any other', 'a\0b\n\0\n', ['a\0b', '\0']],
    ['nothing', '', []],
  ])('%s', async (_, input, keys) => {
    expect(await keysFound(input)).toEqual(keys.map((key) => [digest(key)]));
  });

  test('NUL-terminated: newlines are bytes like any other and no CR goes', async () => {
    const selection = { ...WHOLE, nullTerminated: true };
    expect(await keysFound('a\r\0\n\0\0b\r', { selection })).toEqual(
      ['a\r', '\n', '', 'b\r'].map((key) => [digest(key)]),
    );
  });
});

function separatorOf(delimiter: string | undefined) {
  return delimiter === undefined ? BLANKS : textSeparator(delimiter);
}

describe('fields', () => {
  test.each([
    ['blanks, as awk', 2, undefined, ' \ta  \tb c\na\n  b\n\nx y\r\n', ['b', undefined, undefined, undefined, 'y']],
    ['a delimiter, as cut', 2, ',', 'a,b,c\na\na,\n,,\n\na,b\r\n', ['b', undefined, '', '', undefined, 'b']],
    ['the first of a delimiter', 1, ',', 'a,b\na\n,b\n\n', ['a', 'a', '', '']],
    ['more than one byte', 2, '::', 'a::b\na:b\na:::b\n::\na::', ['b', undefined, ':b', '', '']],
    ['a delimiter that overlaps itself', 3, 'aa', 'aaaaa\naaaa\naaa\n', ['a', '', undefined]],
  ])('%s', async (_, field, delimiter, input, keys) => {
    const selection = { nullTerminated: false, keys: fieldKeys(field, separatorOf(delimiter)) };
    expect(await keysFound(input, { selection })).toEqual(keys.map((key) => (key === undefined ? [] : [digest(key)])));
  });
});

describe('tokens', () => {
  test.each([
    ['blanks, none of them empty', undefined, 'a  b\n \n\n\tc', [['a', 'b'], [], [], ['c']]],
    [
      'a delimiter, with empty ones as -f has them',
      ',',
      'x,,y\n\n,\n , \t',
      [['x', '', 'y'], [''], ['', ''], [' ', ' \t']],
    ],
  ])('%s', async (_, delimiter, input, keys) => {
    const selection = { nullTerminated: false, keys: allFieldKeys(separatorOf(delimiter)) };
    expect(await keysFound(input, { selection })).toEqual(keys.map((tokens) => tokens.map(digest)));
    const trim = { ...PLAIN_RULES, trim: true };
    const trimmed = keys.map((tokens) => tokens.map((token) => digest(token.trim())));
    expect(await keysFound(input, { selection, rules: trim })).toEqual(trimmed);
  });
});

describe('records longer than any buffer', () => {
  const LONG = inLongRuns(3, 1) * 2 ** 20;
  const random = createRandom(3);
  const long = Buffer.from(Array.from({ length: LONG }, () => 0x20 + (random() % 0x5f)));
  const input = new Uint8Array(Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\r\n\nb\n'), long.subarray(7)]));

  const cases: [string, Scan['selection'], Scan['rules']][] = [
    ['whole', WHOLE, PLAIN_RULES],
    ['the third field', { ...WHOLE, keys: fieldKeys(3) }, PLAIN_RULES],
    [
      'the last field',
      { ...WHOLE, keys: fieldKeys(2, textSeparator(long.toString('latin1', LONG - 9, LONG - 4))) },
      PLAIN_RULES,
    ],
    ['without case and blanks', WHOLE, { ...PLAIN_RULES, ignoreCase: true, trim: true }],
  ];
  test.each(inLongRuns(cases, cases.slice(2)))('%s', async (_, selection, rules) => {
    const scan = { ...SCAN, selection, rules, dealing: { most: 400_000, blocking: 0.1 } };
    const expected = expectedScan([input], scan);
    expect(expected.map(({ record }) => record.length)).toEqual([2, LONG + 2, 1, 2, LONG - 6]);
    const found = await scanned([input], scan);
    expect(found.map(({ record }) => record)).toEqual(expected.map(({ record }) => record));
    expect(found.map(({ digests }) => digests)).toEqual(expected.map(({ digests }) => digests));
    expect(await digested([input], scan)).toEqual(expectedDigested([input], scan));
  });
});

describe('more tokens than fit into a batch', () => {
  const TOKENS = inLongRuns(40_000, 17_000);
  const record = Array.from({ length: TOKENS }, (_, i) => i.toString(36)).join(' ');

  test.each([undefined, ' '])('delimiter %j', async (delimiter) => {
    const scan = { ...SCAN, selection: { nullTerminated: false, keys: allFieldKeys(separatorOf(delimiter)) } };
    const input = [bytesOf(`first\n${record}\n\nlast one`)];
    const expected = expectedScan(input, scan);
    // With a delimiter an empty line has one empty field; with runs of blanks it has none.
    expect(expected.map(({ digests }) => digests.length)).toEqual([1, TOKENS, delimiter === undefined ? 0 : 1, 2]);
    expect(await scanned(input, scan)).toEqual(expected);
    expect(await digested(input, scan)).toEqual(expectedDigested(input, scan));
  });

  test('keys run out in the middle of a record that is one of the last of its batch', async () => {
    // 16,320 records, and then the ends of two more in one block of 64 bytes. The keys are full in the second record,
    // while 64 further records do not fit.
    const blank = '\n'.repeat(2 ** 14 - 64);
    const input = `${blank}${'b'.repeat(10)}${Array(2 ** 14 - 2)
      .fill('a')
      .join(' ')}\nx y z last\n`;
    const selection = { nullTerminated: false, keys: allFieldKeys() };
    const found = await keysFound(input, { selection, dealing: AT_ONCE });
    expect(found.at(-1)).toEqual(['x', 'y', 'z', 'last'].map(digest));
  });
});

test('decoded keys have memory of their own in a new kernel: 20,000 quoted fields of CSV', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `a "quoted" key ${i}`);
  const input = bytesOf(keys.map((key) => `"${key.replaceAll('"', '""')}",x\n`).join(''));
  const selection = { nullTerminated: false, keys: fieldKeys(1, { type: 'csv', delimiter: ',' }) };
  const found: bigint[] = [];
  const kernel = loadKernel();
  const take = ({ address, count }: { readonly address: number; readonly count: number }) => {
    found.push(...new BigUint64Array(kernel.memory.buffer, address, count));
  };
  const options = { selection, rules: [PLAIN_RULES], recordLimit: 2 ** 14 };
  const scanner = createScanner(kernel, options, { keys: take, lastKeys: take });
  await scanner.scan(memorySource('keys', input));
  scanner.endBatch();
  expect(found.length).toBe(keys.length);
  expect(found.findIndex((one, i) => one !== digest(keys[i] ?? ''))).toBe(-1);
});

test('waiting answers are printed before the scanner waits for input', async () => {
  const kernel = loadKernel();
  const events: string[] = [];
  const scanner = createScanner(
    kernel,
    { selection: WHOLE, rules: [PLAIN_RULES], recordLimit: 2 ** 14, keepRecords: true },
    { keys: () => {}, lastKeys: () => {}, idle: () => events.push('idle') },
  );
  const source = piecewise(bytesOf('a\nb\n'), createRandom(1), { most: 2, blocking: 1 });
  const wait = (into: Uint8Array) => {
    events.push('wait');
    return source.wait(into);
  };
  await scanner.scan({ ...source, wait });
  expect(events.slice(0, 4)).toEqual(['idle', 'wait', 'idle', 'wait']);
  expect(scanner.tally()).toEqual({ records: 2, keys: 2 });
});
