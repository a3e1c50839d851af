// The plots of size and stats.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { fixture, scratch } from './run.ts';

const { bloom, path, within } = scratch();
const WORDS = fixture('words.txt');

beforeAll(async () => {
  await within(['build', '-n', '1M', WORDS, '-o', 'words.bloom']);
});

/** Heights of the corners of each line, in the order of the picture. */
const heights = (svg: string) =>
  [...svg.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => Number(point.split(',')[1])),
  );

test('size draws the rate past the capacity, and what a rate costs, below its table', async () => {
  const flags = ['size', '-n', '10M', '-p', '1%', '--kind', 'bloom', '--kind', 'cuckoo'];
  const table = (await within(flags)).stdout;
  const { stdout } = await within([...flags, '--plot']);
  expect(stdout.startsWith(table)).toBe(true);
  const drawn = stdout.slice(table.length);
  expect(drawn).toMatch(/^\nThe rate past the capacity\n/);
  expect(drawn).toContain('\nWhat a rate costs, for 10M keys\n');
  expect(drawn.match(/^\* bloom$/gm)).toHaveLength(2);
  expect(drawn.match(/^\+ cuckoo$|^o cuckoo$/gm)).toHaveLength(2);
  expect(Math.max(...drawn.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('if too little is stated, only the cost of a rate is drawn', async () => {
  const { stdout } = await within(['size', '--plot']);
  expect(stdout).not.toContain('past the capacity');
  expect(stdout).toContain('What a rate costs, for 1M keys');
});

test('the README shows what the command draws', async () => {
  await within(['size', '-n', '10M', '-p', '1%', '--kind', 'all', '--svg', 'readme.svg']);
  const shown = new URL('../../src/plots/size.svg', import.meta.url);
  expect(readFileSync(path('readme.svg'), 'utf8')).toBe(readFileSync(shown, 'utf8'));
});

test('the lines follow the theory', async () => {
  expect((await within(['size', '-n', '1M', '-p', '1%', '--svg', 'size.svg'])).status).toBe(0);
  const [rates = [], bits = []] = heights(readFileSync(path('size.svg'), 'utf8'));
  // At the capacity the rate is 1 %, at a third of the logarithmic axis from 0.1 % to 100 %. At the end the rate is (1 - e^(-7 * 10 /
  // 9.585))^7.
  const [bottom, top] = [316, 44];
  const heightOf = (rate: number) => bottom + ((top - bottom) * Math.log(rate / 0.001)) / Math.log(1000);
  expect(rates.at(-1)).toBeCloseTo(heightOf((1 - Math.exp(-70 / 9.585)) ** 7), 0);
  // Bits per key grow with the logarithm of the rate. Their own axis goes from 4.79 to 23.96.
  expect(bits[0]).toBeCloseTo(bottom, 0);
  expect(bits[50]).toBeCloseTo(bottom + ((top - bottom) * Math.log(14.38 / 4.7925)) / Math.log(23.963 / 4.7925), 0);
  expect(bits.at(-1)).toBeCloseTo(top, 0);
});

test('filters for several numbers of keys have one line each, over the keys', async () => {
  await within(['size', '-n', '1M', '-n', '1.3M', '-n', '1.69M', '-p', '1%', '--svg', 'growth.svg']);
  const svg = readFileSync(path('growth.svg'), 'utf8');
  const corners = [...svg.matchAll(/<polyline [^>]*points="([^"]*)"/g)]
    .slice(0, 3)
    .map(([, points = '']) => points.split(' ').map((point) => point.split(',').map(Number)));
  // The axis goes from 100k keys to 16.9M. Each filter has 1 % at its capacity, at a third of the axis from 0.1 % to 100 %.
  const [left, right, bottom, top] = [96, 560, 316, 44];
  for (const [i, capacity] of [1e6, 1.3e6, 1.69e6].entries()) {
    const at = left + ((right - left) * Math.log(capacity / 1e5)) / Math.log(169);
    const nearest = corners[i]?.reduce((a, b) => (Math.abs((a[0] ?? 0) - at) < Math.abs((b[0] ?? 0) - at) ? a : b));
    // The largest distance between two corners on a line of this slope.
    expect(Math.abs((nearest?.[1] ?? 0) - (bottom + (top - bottom) / 3))).toBeLessThan(9);
  }
});

test('every sized format is drawn, or named as not drawn', async () => {
  const sized = await within(['size', '-n', '1M', '-p', '1%', '--format', 'all', '--json', '--svg', 'all.svg']);
  const names = sized.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).format);
  expect(names.length).toBeGreaterThan(20);
  const [rates = '', bits = ''] = readFileSync(path('all.svg'), 'utf8').split('</g>');
  const listed = (panel: string) =>
    [...panel.matchAll(/<text x="636"[^>]*>([^<]*)</g)].flatMap(([, text = '']) => text.split(/[ ,:]+/));
  for (const name of names.slice(1)) expect(listed(rates)).toContain(name);
  for (const name of ['rocksdb', 'leveldb', 'bip37', ...names.slice(1)]) expect(listed(bits)).toContain(name);
});

test('stats draws how full each segment is, and the measured rate over the predicted one', async () => {
  const { stdout } = await within(['stats', '--probes', '1k', 'words.bloom', '--plot', '--svg', 'stats.svg']);
  expect(stdout).toContain('words.bloom: how full its segments are');
  expect(stdout).toContain('words.bloom: its rate');
  expect(stdout).toMatch(/^M measured$/m);
  const [fill = []] = heights(readFileSync(path('stats.svg'), 'utf8'));
  expect(fill).toHaveLength(
    JSON.parse((await within(['stats', '--probes', '0', '--json', 'words.bloom'])).stdout).segments,
  );
});

test('a picture may be the whole output, and may replace only an earlier picture', async () => {
  const { stdout } = bloom(['size', '-n', '1M', '--svg', '-']);
  expect(stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  writeFileSync(path('earlier.svg'), stdout);
  expect((await within(['size', '-n', '2M', '--svg', 'earlier.svg'])).status).toBe(0);
  expect(readFileSync(path('earlier.svg'), 'utf8')).toContain('for 2M keys');
  writeFileSync(path('text'), 'some text');
  expect(await within(['size', '-n', '1M', '--svg', 'text'])).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'bloom: text is not an earlier picture; name another file, or remove it\n',
  });
  expect(readFileSync(path('text'), 'utf8')).toBe('some text');
  expect((await within(['size', '-n', '1M', '--json', '--plot'])).status).toBe(2);
});

test('an earlier picture stays if no filter can be drawn', async () => {
  writeFileSync(path('kept.svg'), '<svg xmlns="http://www.w3.org/2000/svg">earlier</svg>\n');
  writeFileSync(path('broken.bloom'), 'no filter');
  const { status } = await within(['stats', 'broken.bloom', '--svg', 'kept.svg']);
  expect(status).toBe(2);
  expect(readFileSync(path('kept.svg'), 'utf8')).toContain('earlier');
});

test('the axis of rates begins at a hundredth of the lowest one', async () => {
  await within(['build', fixture('words.txt'), '-o', 'tight.bloom']);
  const { stdout } = await within(['stats', '--probes', '10k', '--plot', 'tight.bloom']);
  expect(stdout).toMatch(/^0\.0100 % \+/m);
  // The measured rate is at the number of keys, the middle of the axis.
  expect(stdout).toMatch(/^.{9}[|+].{34,36}M/m);
});
