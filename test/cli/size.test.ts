import { describe, expect, test } from 'vitest';
import { scratch } from './run.ts';

const { bloom } = scratch();
const sizeJson = (...args: string[]) => JSON.parse(bloom(['size', '--json', ...args]).stdout);

describe('size', () => {
  test('solves for bits and hashes', () => {
    expect(sizeJson('-n', '10M', '-p', '1%')).toMatchObject({
      kind: 'bloom',
      items: 10_000_000,
      fpr: 0.01,
      bits: 95_850_584,
      bytes: 11_981_323,
      hashes: 7,
    });
    expect(sizeJson('-n', '1e6', '-p', '1e-5').hashes).toBe(17);
  });

  test('solves for keys and for the rate', () => {
    expect(sizeJson('-m', '95_850_584', '-p', '0.01')).toMatchObject({ items: 10_000_000, hashes: 7 });
    expect(sizeJson('--memory', '12MB', '-p', '1%').bits).toBe(96_000_000);
    expect(sizeJson('--memory', '12MiB', '-p', '1%').bits).toBe(12 * 2 ** 23);
    expect(sizeJson('--memory', '96Mbit', '-p', '1%').bits).toBe(96_000_000);
    // (1 - e^(-7/9.585059))^7 for 10 bits a key and k = 7: 0.00819 (Bloom filter tables, e.g. Fan et al. 2000).
    expect(sizeJson('-n', '1M', '--bits-per-key', '10', '-k', '7').predictedFpr).toBeCloseTo(0.00819, 5);
  });

  test('shows the table where nothing can be solved', () => {
    const rows = sizeJson();
    expect(rows.map((row: { fpr: number }) => row.fpr)).toEqual([0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5]);
    expect(rows[2]).toMatchObject({ items: 1_000_000, bits: 9_585_059 });
    const { stdout, status } = bloom(['size']);
    expect(status).toBe(0);
    expect(stdout).toContain('9,585,059');
    expect(stdout).toContain('0.00100 %');
    expect(stdout).toContain('Storing 1,000,000 keys of 64 bytes takes 64.0 MB.');
  });

  test('adds headroom', () => {
    expect(sizeJson('-n', '1M', '-p', '1%', '--headroom', '30%').items).toBe(1_300_000);
  });

  test('tells what an overfilled filter does', () => {
    const { overfill } = sizeJson('-n', '1M', '-p', '1%', '--overfill');
    const at = (factor: number) => overfill.find((row: { factor: number }) => row.factor === factor).fpr;
    expect(overfill.map((row: { factor: number }) => row.factor)).toEqual([1, 1.5, 2, 3, 5, 10]);
    expect(at(1.5)).toBeCloseTo(0.058, 3);
    expect(at(2)).toBeCloseTo(0.157, 3);
    expect(at(5)).toBeCloseTo(0.83, 2);
  });

  test('prints CSV with the names of the JSON', () => {
    const [header, first, ...rest] = bloom(['size', '--csv']).stdout.trimEnd().split('\n');
    expect(header?.startsWith('kind,items,fpr,bits,bytes,hashes,bitsPerKey')).toBe(true);
    expect(first?.startsWith('bloom,1000000,0.1,4792530,599067,3,')).toBe(true);
    expect(rest).toHaveLength(5);
  });

  test.each([
    [
      ['-n', '10M', '-m', '50M', '-p', '1%'],
      ['--items', '--bits', '--fpr'],
    ],
    [
      ['-n', '10M', '--memory', '5MB', '-p', '1%'],
      ['--items', '--memory', '--fpr'],
    ],
    [
      ['-m', '1M', '--memory', '1MB', '-p', '1%'],
      ['--bits', '--memory'],
    ],
    [
      ['-n', '1M', '-m', '8M', '--bits-per-key', '20'],
      ['--items', '--bits', '--bits-per-key'],
    ],
  ])('refuses the contradiction %j', (args, names) => {
    const { stderr, stdout, status } = bloom(['size', ...args]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr.match(/--[a-z-]+/g)).toEqual(names);
  });

  test.each([
    ['-n', '0'],
    ['-n', '-5'],
    ['-n', '1.5'],
    ['-n', 'many'],
    ['-p', '0'],
    ['-p', '100%'],
    ['-p', '2'],
    ['-m', '1e400'],
    ['--memory', '12XB'],
    ['-k', '65'],
    ['--headroom', 'x'],
  ])('refuses %s %s and says what it expects', (flag, value) => {
    const { stderr, status } = bloom(['size', `${flag}${flag.startsWith('--') ? '=' : ''}${value}`]);
    expect(status).toBe(2);
    expect(stderr).toContain(`'${value}'`);
    expect(stderr).toContain('xpected');
  });
});
