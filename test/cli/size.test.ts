import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();
const rowsOf = async (...args: string[]) =>
  (await within(['size', '--json', ...args])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const sizeJson = async (...args: string[]) => (await rowsOf(...args))[0];

describe('size', () => {
  test('solves for bits and hashes', async () => {
    expect(await sizeJson('-n', '10M', '-p', '1%')).toMatchObject({
      format: 'bloomery',
      kind: 'bloom',
      capacity: 10_000_000,
      targetFpr: 0.01,
      // ceil(-n ln p / (ln 2)^2) = 95,850,584, rounded up to 23 segments of whole lines of 512 bits.
      bits: 23 * 512 * Math.ceil(95_850_584 / 23 / 512),
      segments: 23,
      bitsPerKey: 9.585664,
      hashes: 7,
      // n log2(100) = 66,438,561.9
      lowerBoundBits: 66_438_562,
    });
    expect((await sizeJson('-n', '1e6', '-p', '1e-5')).hashes).toBe(17);
  });

  test('solves for keys and for the rate', async () => {
    expect(await sizeJson('-m', '95_850_584', '-p', '0.01')).toMatchObject({ capacity: 10_000_000, hashes: 7 });
    expect((await sizeJson('--memory', '12MiB', '-p', '1%')).bits).toBe(12 * 2 ** 23);
    // (1 - e^(-7/9.585059))^7 for 10 bits per key and k = 7: 0.00819 (Bloom filter tables, e.g. Fan et al. 2000).
    expect((await sizeJson('-n', '1M', '--bits-per-key', '10', '-k', '7')).predictedFpr).toBeCloseTo(0.00819, 5);
  });

  test('prints the table if too little is stated', async () => {
    const rows = await rowsOf();
    expect(rows.map(({ targetFpr }) => targetFpr)).toEqual([0.1, 0.05, 0.01, 0.001, 1e-4, 1e-5]);
    expect(rows[2]).toMatchObject({ capacity: 1_000_000, bits: 3 * 512 * Math.ceil(9_585_059 / 3 / 512) });
    const { stdout, status } = await within(['size']);
    expect(status).toBe(0);
    expect(stdout).toContain('9,586,176');
    expect(stdout).toContain('0.00100 %');
    expect(stdout).toContain('Storing 1,000,000 keys of 64 bytes takes 64.0 MB.');
  });

  test.each(KINDS.map(({ name }) => name))('states the bytes of the file: %s', async (kind) => {
    for (const args of inLongRuns(
      [
        ['-n', '1k', '-p', '1%'],
        ['-n', '500k', '-p', '3%'],
      ],
      [['-n', '500k', '-p', '3%']],
    )) {
      await within(['build', '--kind', kind, ...args, '--force', '-o', 'sized.bloom']);
      expect((await sizeJson('--kind', kind, ...args)).bytes).toBe(statSync(path('sized.bloom')).size);
    }
  });

  test('makes a row of every -n', async () => {
    const sized = await rowsOf('-n', '1M', '-n', '2M', '-n', '10M', '-p', '1%', '--kind', 'bloom', '--kind', 'ribbon');
    expect(sized.map(({ kind, capacity }) => [kind, capacity])).toEqual([
      ['bloom', 1e6],
      ['ribbon', 1e6],
      ['bloom', 2e6],
      ['ribbon', 2e6],
      ['bloom', 1e7],
      ['ribbon', 1e7],
    ]);
    expect((await rowsOf('-n', '1k', '-n', '2k')).map(({ capacity }) => capacity)).toEqual([
      ...Array(6).fill(1000),
      ...Array(6).fill(2000),
    ]);
  });

  test('writes the rates of a table in one way', async () => {
    const { stdout } = await within(['size', '-n', '3M', '-p', '1e-8', '--kind', 'cuckoo']);
    expect(stdout).toContain(' 1.00e-6 %  6.86e-7 % ');
  });

  test('adds headroom', async () => {
    expect((await sizeJson('-n', '1M', '-p', '1%', '--headroom', '30%')).capacity).toBe(1_300_000);
  });

  test('states the rates of an overfull filter', async () => {
    const { overfill } = await sizeJson('-n', '1M', '-p', '1%', '--overfill');
    const at = (factor: number) => overfill.find((row: { factor: number }) => row.factor === factor).predictedFpr;
    expect(overfill.map((row: { factor: number }) => row.factor)).toEqual([1, 1.5, 2, 3, 5, 10]);
    expect(at(1.5)).toBeCloseTo(0.058, 3);
    expect(at(2)).toBeCloseTo(0.157, 3);
    expect(at(5)).toBeCloseTo(0.83, 2);
  });

  test('prints CSV with the names of the JSON', async () => {
    const [header, first, ...rest] = (await within(['size', '--csv'])).stdout.trimEnd().split('\n');
    expect(header?.startsWith('format,kind,bits,hashes,segments,bytes,bitsPerKey,capacity,targetFpr,')).toBe(true);
    expect(first?.startsWith('bloomery,bloom,4793344,3,2,599')).toBe(true);
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
  ])('refuses the contradiction %j', async (args, names) => {
    const { stderr, stdout, status } = await within(['size', ...args]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr.match(/--[a-z-]+/g)).toEqual(names);
  });

  // The limits: bits of a digest, bits of a fingerprint, the rest of a digest within a block, and the memory of a process.
  test.each([
    // 10^8 / 2^64 = 5.42e-12
    [
      ['-n', '100M', '-p', '1e-12'],
      '100,000,000 keys have a rate above 5.42e-10 % in a filter of any size, not 1.00e-10 %: their digests have 64 bits; state -p 1.1e-11 or higher, or fewer keys',
    ],
    [
      ['-n', '4M', '-p', '1e-10', '--kind', 'cuckoo'],
      'a cuckoo filter for 4,000,000 keys has a rate of 1.71e-7 % at best',
    ],
    [['-n', '1M', '-p', '1e-12', '--kind', 'blocked'], 'a blocked filter for 1,000,000 keys has a rate of'],
    [['-n', '100M', '-p', '1e-12', '--kind', 'blocked'], '100,000,000 keys have a rate above 5.42e-10 %'],
    [
      ['-n', '9e15', '-p', '1%', '--kind', 'blocked'],
      'a blocked filter for 9,000,000,000,000,000 keys takes 7.47 PB of memory, and the limit is 1.00 TB',
    ],
    [['-n', '9e15', '-p', '1%', '--kind', 'cuckoo'], 'a cuckoo filter for 9,000,000,000,000,000 keys takes'],
    [['-n', '9e15', '-p', '1%'], 'a bloom filter for 9,000,000,000,000,000 keys takes 10.9 PB'],
    [['-n', '100k', '-k', '2', '-p', '1%', '--kind', 'quotient'], 'a quotient filter for 100,000 keys has a rate of'],
    [['--memory', '1.01TB', '-p', '1%'], ' keys takes 1.01 TB of memory, and the limit is 1.00 TB'],
    [
      ['-n', '1M', '-m', '1M', '-p', '1%'],
      '--items, --bits, --fpr contradict each other: 1,000,000 bits hold 1,000,000 keys at a rate of 63.2 % with k = 1, not 1.00 %',
    ],
    [
      ['-m', '1', '-p', '1e-9'],
      '--bits is too small: 1 bit holds no key at a rate of 1.00e-7 %; state more, or a higher -p',
    ],
    [['-n', '10M', '-m', '100'], 'a bloom filter of 100 bits for 10,000,000 keys would accept every key'],
  ])('states no size that build refuses: %j', async (args, message) => {
    const [sized, built] = [await within(['size', ...args]), await within(['build', ...args, '-o', 'never.bloom'])];
    expect(sized.stderr).toContain(message);
    expect(sized).toEqual({ stdout: '', stderr: built.stderr, status: 2 });
  });

  // k is at its limit of 32.
  test('warns with the resulting rate if the requested one is out of reach', async () => {
    const { stderr, stdout, status } = await within(['size', '-n', '1k', '-p', '1e-9', '--kind', 'cuckoo']);
    expect(stderr).toBe('bloom: warning: a cuckoo filter for 1,000 keys has a rate of 1.51e-7 %, not 1.00e-7 %\n');
    expect(stdout).toContain(' predicted ');
    expect(status).toBe(0);
  });

  // The target is the rate of the bits, by the usual formula, plus n / 2^64.
  test.each([
    [1e11, 1e-8],
    [1e8, 1e-11],
  ])('adds bits if equal digests make up a share of the rate: %d keys at %d', async (n, p) => {
    const { stderr, stdout } = await within(['size', '-n', String(n), '-p', String(p), '--json']);
    const { bits, hashes, predictedFpr } = JSON.parse(stdout);
    expect(stderr).toBe('');
    expect(((1 - Math.exp((-hashes * n) / bits)) ** hashes + n / 2 ** 64) / p).toBeCloseTo(1, 2);
    expect(predictedFpr / p).toBeCloseTo(1, 2);
    const back = JSON.parse((await within(['size', '-m', String(bits), '-p', String(p), '--json'])).stdout);
    expect(back.capacity / n).toBeCloseTo(1, 3);
    const { stdout: text } = await within(['size', '-n', String(n), '-p', String(p)]);
    expect(text).toContain(
      `keys have a rate above ${n === 1e11 ? '5.42e-7 %' : '5.42e-10 %'} in a filter of any size.`,
    );
  });

  test('prints no warning for rates that are reached, or that flags force', async () => {
    for (const args of [
      ['--kind', 'all', '-n', '1', '-p', '1%'],
      ['--kind', 'all', '-n', '1M', '-p', '3%'],
      ['-n', '1k', '-p', '1e-9', '-k', '32', '--kind', 'cuckoo'],
    ])
      expect(await within(['size', ...args])).toMatchObject({ stderr: '', status: 0 });
  });

  test('accepts all the memory that a filter can have', async () => {
    // Rounding up to whole segments adds less than one line per segment.
    const { bits, segments } = await sizeJson('--memory', '1TB', '-p', '1%');
    expect(Math.floor((bits - 8e12) / 512 / segments)).toBe(0);
  });

  test('takes flags of growing filters for kinds and systems that grow, and for no others', async () => {
    for (const design of [
      ['--kind', 'scalable'],
      ['--kind', 'all'],
      ['--format', 'redisbloom'],
    ])
      expect((await within(['size', '-n', '1M', ...design, '--growth', '4'])).status, `${design}`).toBe(0);
    for (const [flag, value] of [
      ['--growth', '4'],
      ['--tightening', '0.5'],
    ] as const)
      expect(await within(['size', '-n', '1M', '--kind', 'cuckoo', flag, value])).toEqual({
        stdout: '',
        stderr: `bloom: ${flag} describes how a filter grows, and this kind does not grow; add --kind scalable, or leave it out\n`,
        status: 2,
      });
  });

  test('names the kind of a contradiction among several kinds', async () => {
    const kinds = ['--kind', 'bloom', '--kind', 'ribbon'];
    const { stderr } = await within(['size', '-n', '1M', '-m', '1M', '-p', '1%', ...kinds]);
    expect(stderr).toMatch(/^bloom: with --kind bloom: --items, --bits, --fpr contradict each other: /);
  });

  test('without a possible filter of any kind, names the problem of the first', async () => {
    const { stdout, stderr, status } = await within(['size', '--kind', 'all', '-n', '9e15', '-p', '1e-9']);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toMatch(/^bloom: with --kind bloom: 9,000,000,000,000,000 keys have a rate above .*\n$/);
  });

  test('prints only possible filters of all kinds, and of its own tables', async () => {
    const all = await within(['size', '--kind', 'all', '-n', '1M', '-p', '1e-11']);
    const able = ['bloom', 'counting', 'scalable'];
    expect(all.stdout.match(/^[a-z]+(?= +1,000,000 )/gm)).toEqual(able);
    const others = KINDS.map(({ name }) => name).filter((name) => !able.includes(name));
    expect(all.stderr.match(/a \w+ filter/g)).toEqual(others.map((name) => `a ${name} filter`));
    expect((await rowsOf('-p', '1e-12')).map(({ capacity }) => capacity)).toEqual([1e3, 1e4, 1e5, 1e6, 1e7]);
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
    ['--headroom', '30'],
    ['-m', '512MiB'],
  ])('refuses %s %s and states the expected grammar', async (flag, value) => {
    const { stderr, status } = await within(['size', `${flag}${flag.startsWith('--') ? '=' : ''}${value}`]);
    expect(status).toBe(2);
    expect(stderr).toContain(`'${value}'`);
    expect(stderr).toContain('xpected');
  });
});
