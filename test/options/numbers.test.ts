import { describe, expect, test } from 'vitest';
import { flags } from '../../src/options/flags.ts';
import {
  parseBits,
  parseCount,
  parseCountOrZero,
  parseDelimiter,
  parseFields,
  parsePath,
  parsePositive,
  parseRate,
  parseSeed,
  parseSet,
  parseShare,
  parseSize,
  parseSpan,
  Unreadable,
} from '../../src/options/numbers.ts';

const refused = (parse: (text: string) => unknown, texts: readonly string[]) => {
  for (const text of texts) expect(() => parse(text), text).toThrow(Unreadable);
};

describe('numbers on the command line', () => {
  test('spans: m is a minute, M a million', () => {
    expect(['1M', '1000', '1k', '2e6'].map(parseSpan)).toEqual([1e6, 1000, 1000, 2e6].map((records) => ({ records })));
    expect(['30s', '10m', '1.5 h', '7d', '0.25s'].map(parseSpan)).toEqual(
      [30_000, 600_000, 5_400_000, 604_800_000, 250].map((milliseconds) => ({ milliseconds })),
    );
    refused(parseSpan, ['', '0', '0s', '1H', '1S', 's', '-1h', '1w', '0.0001s', '1hour', '1e99d', '99999999999999d']);
  });

  test('counts', () => {
    for (const text of ['1000000', '1M', '1m', '1e6', '1_000_000', '1000k', '0.001G', '0.001B', '1E+6', '1,000,000']) {
      expect(parseCount(text), text).toBe(1_000_000);
    }
    expect(parseCount('1.1M')).toBe(1_100_000);
    expect(parseCount('1b')).toBe(1_000_000_000);
    expect(parseCount('12,345k')).toBe(12_345_000);
    expect(parseCount('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    refused(parseCount, [
      '',
      '0',
      '-1',
      '1.5',
      '1.0005k5',
      '1MM',
      '0x10',
      '1e',
      'M',
      ' ',
      '1e17',
      'NaN',
      'Infinity',
      '1,00',
      '1000,000',
      ',100',
      '1,000,',
      '1,000_000',
      '1,000.5k',
      '1,000e3',
      '1,,000',
      ' 5',
      '5 ',
      '5k ',
      '5\n',
      '1_',
      '_1',
      '1__0',
      '1_k',
      '1_.5k',
    ]);
    expect(parseCount('5 k')).toBe(5000);
    expect(parseCountOrZero('0')).toBe(0);
    expect(parseCountOrZero('1k')).toBe(1000);
  });

  test('counts with a fraction of their unit are exact', () => {
    const wrong: string[] = [];
    for (let thousandths = 1; thousandths <= 9999; thousandths++) {
      const text = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`;
      if (parseCount(`${text}k`) !== thousandths || parseCount(`${text}G`) !== 1e6 * thousandths) wrong.push(text);
    }
    expect(wrong).toEqual([]);
    refused(parseCount, ['1000.1', '1.0001k', '1.0000001M', '1000000000.1']);
  });

  test('rates', () => {
    for (const text of ['1%', '0.01', '1e-2', '.01', '1 %']) expect(parseRate(text), text).toBeCloseTo(0.01, 15);
    expect([parseRate('1e-15'), parseRate('0.999999')]).toEqual([1e-15, 0.999999]);
    refused(parseRate, ['9.9e-16', '', '0', '1', '100%', '-1%', '1e-16', '0.01x', '%', '1%%', ' 1%', '1% ', '0.01 ']);
  });

  test('shares', () => {
    expect(parseShare('30%')).toBeCloseTo(0.3, 15);
    expect(parseShare('0')).toBe(0);
    expect(parseShare('1')).toBe(1);
    expect(parseShare('200%')).toBe(2);
    expect(parseShare('30 %')).toBeCloseTo(0.3, 15);
    expect(parseShare('100000%')).toBe(1000);
    refused(parseShare, ['100001%', '-10%', 'a lot', '', '30% ', '1 ', '30', '1.01', '2']);
  });

  test('positive numbers', () => {
    expect(['9.6', '.5', '1', '1000000', '0.000001'].map(parsePositive)).toEqual([9.6, 0.5, 1, 1_000_000, 0.000001]);
    refused(parsePositive, ['0', '0.0', '', '.', '1.', '-1', '1e3', '1000001', '1,000', '1k', ' 1']);
  });

  test('sizes, in bits', () => {
    expect(parseSize('12MB')).toBe(96_000_000);
    expect(parseSize('12MiB')).toBe(100_663_296);
    expect(parseSize('96Mbit')).toBe(96_000_000);
    expect(parseSize('96Mbits')).toBe(96_000_000);
    expect(parseSize('1Kibit')).toBe(1024);
    expect(parseSize('1500')).toBe(12_000);
    expect(parseSize('12,000,000')).toBe(96_000_000);
    expect(parseSize('1.5 GB')).toBe(12_000_000_000);
    refused(parseSize, ['', '0', '12XB', 'MB', '12iB', '-1MB', '1e3MB', ' 12MB', '12MB ', '12 ', '1_MB', '1__0MB']);
  });

  test('bits are not a size in bytes, and the error names the flag for it', () => {
    expect(parseBits('96M')).toBe(96_000_000);
    for (const text of ['512MiB', '12MB', '96Mbit', '1B'])
      expect(() => parseBits(text), text).toThrow('--memory takes');
    refused(parseBits, ['0', 'x']);
  });

  test.each([
    { flag: flags.threads(), text: '0', range: '1 to 64' },
    { flag: flags.threads(), text: '65', range: '1 to 64' },
    { flag: flags.hashes(), text: '0', range: '1 to 64' },
    { flag: flags.probes(), text: '-1', range: '0 to 2^53 - 1, such as 10k, 1M, 1e6 or 1,000,000' },
    { flag: flags.keySize(), text: '0', range: '1 to 2^53 - 1, such as 10k, 1M, 1e6 or 1,000,000' },
  ])('$flag.long $text: the range is that of the flag', ({ flag, text, range }) => {
    expect(() => flag.parseArg?.(text, undefined)).toThrow(`expected a whole number from ${range}`);
  });

  test('factors of growth', () => {
    const grown = (text: string) => flags.growth().parseArg?.(text, undefined);
    expect([grown('2'), grown('3')]).toEqual([2, 3]);
    for (const text of ['', ' 2', '2 ', '0x2', '0', '1.5']) expect(() => grown(text), text).toThrow('expected ');
  });

  test('seeds', () => {
    expect(parseSeed('42')).toBe(42n);
    expect(parseSeed('0x2A')).toBe(42n);
    expect(parseSeed('18446744073709551615')).toBe(2n ** 64n - 1n);
    expect(parseSeed('random')).toBe('random');
    refused(parseSeed, ['', '-1', '1.5', '18446744073709551616', 'x']);
  });

  test('lists of fields', () => {
    expect(parseFields('2')).toEqual([{ from: 2, to: 2 }]);
    expect(parseFields('1,3-5,-1')).toEqual([
      { from: 1, to: 1 },
      { from: 3, to: 5 },
      { from: -1, to: -1 },
    ]);
    expect(parseFields('2-,-3-,2--2,-3--2')).toEqual([
      { from: 2, to: -1 },
      { from: -3, to: -1 },
      { from: 2, to: -2 },
      { from: -3, to: -2 },
    ]);
    expect(parseFields('2147483647')).toEqual([{ from: 2 ** 31 - 1, to: 2 ** 31 - 1 }]);
    refused(parseFields, ['', '0', '1,', ',1', '3-2', '-2--3', '1-0', '1.5', '2147483648', '1 2', '-', '--1', '1-2-3']);
    expect(parseFields('x,2,"a, ""b""","2026"')).toEqual([
      { column: 'x' },
      { from: 2, to: 2 },
      { column: 'a, "b"' },
      { column: '2026' },
    ]);
  });

  test('paths of names', () => {
    expect(parsePath('id')).toEqual(['id']);
    expect(parsePath('user.id')).toEqual(['user', 'id']);
    expect(parsePath('.user.id')).toEqual(['user', 'id']);
    expect(parsePath('"a.b".c d.é')).toEqual(['a.b', 'c d', 'é']);
    expect(parsePath('"a\\"\\u0062"')).toEqual(['a"b']);
    // JSONPath uses this name for the whole text; a member of this name needs quotes.
    refused(parsePath, ['$.user', '$.']);
    expect(parsePath('"$".id')).toEqual(['$', 'id']);
    refused(parsePath, ['', '.', 'a.', 'a..b', '..a', 'a[0]', '"a', '"a"b', 'a"b', '"\\x"']);
  });

  test('sets of characters', () => {
    expect(parseSet(' ,;')).toBe(' ,;');
    expect(parseSet('\\t\\n\\r\\0\\\\[]')).toBe('\t\n\r\0\\[]');
    expect(parseSet('\\d')).toBe('\\d');
    refused(parseSet, ['', 'é', '\x80']);
  });

  test('delimiters', () => {
    expect(parseDelimiter(',')).toBe(',');
    expect(parseDelimiter('\\t')).toBe('\t');
    expect(parseDelimiter(' => ')).toBe(' => ');
    refused(parseDelimiter, ['']);
  });
});
