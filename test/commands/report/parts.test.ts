// The report about each filter in a file of many.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judge } from '../../../src/commands/report/health.ts';
import { partsOf, partsText } from '../../../src/commands/report/parts.ts';
import { prometheusText } from '../../../src/commands/report/prometheus.ts';
import { reportText } from '../../../src/commands/report/report.ts';
import { loadFilter } from '../../../src/engine/store/load.ts';
import { surveyContent } from '../../../src/engine/survey.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { palette } from '../../../src/terminal/colour.ts';
import { encodeTable } from '../../reference/formats/parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keys = (count: number) => Array.from({ length: count }, (_, i) => new Uint8Array(Buffer.from(`key ${i}`)));

/** The whole report on a column with this many keys per row group, in filters of `blocks` blocks. The file may state other numbers. */
async function factsOf(counts: readonly (number | undefined)[], blocks: number, values?: number) {
  const file = join(folder, 'x');
  const groups = counts.map((count) => (count === undefined ? undefined : keys(count)));
  writeFileSync(file, encodeTable([{ name: 'a.b', groups }], blocks));
  const loaded = await loadFilter(loadKernel(), file, { threadCount: 1, use: 'report' });
  const { description, unfiltered } = loaded;
  const fills = loaded.fills();
  const content = surveyContent(description, fills);
  const unasked = { measured: undefined, absent: undefined, present: undefined };
  const facts = {
    file: 'x',
    modified: undefined,
    description,
    content,
    fills,
    verified: false,
    unfiltered,
    ...unasked,
    hasChecksum: false,
  };
  const stated = loaded.parts.map((part) => (values === undefined ? part : { ...part, values }));
  const parts = partsOf({ ...loaded, parts: stated }, fills);
  loaded.close();
  return { ...facts, parts, health: judge({ ...facts, parts }) };
}

test('healthy filters are listed, each with its keys and its rate', async () => {
  const facts = await factsOf([200, 100], 8);
  const colours = await palette(undefined, 'never');
  expect(facts.health).toEqual({ healthy: true, verdict: 'its file does not state a target rate' });
  expect(facts.parts.map(({ label, values, remark }) => ({ label, values, remark }))).toEqual([
    { label: 'row group 0', values: 200, remark: undefined },
    { label: 'row group 1', values: 100, remark: undefined },
  ]);
  const lines = (await partsText(facts, colours)).split('\n');
  expect(lines[1]).toMatch(/^filter +bits +k +fill +rate +keys +values$/);
  expect(lines[2]).toMatch(/^row group 0 +2,048 +8 +\d\d\.\d % +[\d.]+ % +about \d+ +200$/);
  expect(reportText(facts, colours)).toMatch(/^x: a\.b \(string\)\n/);
  expect(prometheusText([{ file: 'x', reports: [facts], error: undefined }])).toContain(
    'bloom_filter_bits{file="x",kind="blocked",column="a.b"} 4096\n',
  );
});

test('each fault is stated, with the number of filters that have it', async () => {
  const full = await factsOf([800, 800, 50], 8);
  expect(full.health.healthy).toBe(false);
  expect(full.health.verdict).toMatch(/^row group 0 and 1 other: overfull, it accepts \d\d\.\d %$/);
  const large = await factsOf([100], 4096);
  expect(large.health).toEqual({
    healthy: true,
    verdict: 'healthy, but row group 0: 131 kB for about 100 keys; 160 B are enough for 1.00 %',
  });
  const gap = await factsOf([100, undefined, undefined], 8);
  expect(gap.health).toEqual({
    healthy: false,
    verdict: 'row group 1 and 1 other without a filter, so every key may be there',
  });
});

test('the number of values that the file states is compared with the bits', async () => {
  const none = await factsOf([0], 8);
  expect(none.parts).toMatchObject([{ values: 0, remark: undefined, isBad: false }]);
  expect((await factsOf([0], 8, 9)).parts).toMatchObject([{ remark: 'it has no keys', isBad: false }]);
  // 200 keys in 2,048 bits: the standard error is about 3.
  expect((await factsOf([200], 8, 190)).parts).toMatchObject([{ remark: undefined, isBad: false }]);
  const fewer = await factsOf([200], 8, 100);
  expect(fewer.parts).toMatchObject([{ isBad: true }]);
  expect(fewer.health.verdict).toMatch(/^row group 0: its bits show about \d+ keys, but there are 100 values$/);
  expect(fewer.health.healthy).toBe(false);
  const lines = (await partsText(fewer, await palette(undefined, 'never'))).trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^row group 0: its bits show about \d+ keys, but there are 100 values$/);
  expect(await partsText({ ...none, parts: [] }, await palette(undefined, 'never'))).toBe('');
});

test('a filter is too large only beyond 8,192 bits and 16 times what its keys need', async () => {
  // 32 blocks have 8,192 bits. 1,000 keys need 1,280 bytes at 1 %, which are 40 blocks.
  const remarks = async (keys: number, blocks: number) =>
    (await factsOf([keys], blocks)).parts.map(({ remark }) => remark);
  expect(await remarks(1, 32)).toEqual([undefined]);
  expect(await remarks(1, 64)).toEqual(['2.05 kB for about 1 key; 32 B are enough for 1.00 %']);
  const [enough = ''] = await remarks(1000, 4096);
  const needed = Number(/([\d.]+) kB are enough/.exec(enough)?.[1]) * 1000;
  expect(needed / 32).toBeCloseTo(40, -1);
  expect(await remarks(1000, 512)).toEqual([undefined]);
  expect(await remarks(1000, 1024)).not.toEqual([undefined]);
});
