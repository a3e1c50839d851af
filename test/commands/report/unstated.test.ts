// A filter whose file states neither its capacity nor its number of keys.

import { expect, test } from 'vitest';
import { describeContent, type Facts, overfullWarning } from '../../../src/commands/report/content.ts';
import { judge } from '../../../src/commands/report/health.ts';
import { filterJson, reportJson } from '../../../src/commands/report/json.ts';
import { prometheusText } from '../../../src/commands/report/prometheus.ts';
import { reportText } from '../../../src/commands/report/report.ts';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { surveyContent } from '../../../src/engine/survey.ts';
import { descriptionOf } from '../../../src/formats/bloomery/bloomery.ts';
import { palette } from '../../../src/terminal/colour.ts';
import { HEADER } from '../../formats/bloomery/files.ts';

const STATED = descriptionOf(HEADER, 'x');
const DESCRIPTION = { ...STATED, target: undefined, inserted: undefined };
/** Nearly all bits are set, so that the rate is above any target. */
const FILL = Array(HEADER.segments).fill({ ones: HEADER.segmentBits - 1 });
const CONTENT = surveyContent(DESCRIPTION, FILL);
const FACTS: Facts = {
  file: 'x',
  modified: undefined,
  description: DESCRIPTION,
  content: CONTENT,
  fills: FILL,
  parts: [],
  unfiltered: [],
  verified: true,
  hasChecksum: true,
  measured: undefined,
  absent: undefined,
  present: undefined,
};

test('its keys are estimated without an upper limit', () => {
  expect(CONTENT.distinct.count).toBeGreaterThan(2 * HEADER.inserted);
  expect(surveyContent(STATED, FILL).distinct.count).toBe(HEADER.inserted);
  expect(describeContent(DESCRIPTION, CONTENT)).toMatch(/^about \S+ distinct keys, 1,536 bits/);
});

test('it is judged by its present keys, and by a useless rate', () => {
  const full = 'overfull, it accepts every key: rebuild it for more keys';
  const at = (predictedFpr: number) => judge({ ...FACTS, content: { ...CONTENT, predictedFpr } });
  expect(at(0.5)).toEqual({ healthy: true, verdict: 'its file does not state a target rate' });
  expect(at(0.51)).toEqual({ healthy: false, verdict: full.replace('every key', '51.0 % of all keys') });
  expect(at(1)).toEqual({ healthy: false, verdict: full });
  const missing = { records: 3, missing: 1, skipped: 0, keys: WHOLE_RECORD };
  expect(judge({ ...FACTS, present: missing }).verdict).toContain('is missing');
  expect(judge({ ...FACTS, description: STATED }).healthy).toBe(false);
  expect(overfullWarning('x', DESCRIPTION, CONTENT)).toBeUndefined();
});

test('its reports leave out what they do not know', async () => {
  const report = { ...FACTS, health: judge(FACTS) };
  const text = reportText(report, await palette(undefined, 'never'));
  expect(text).toMatch(/capacity +unknown\n +added +about \S+ distinct\n/);
  expect(text).not.toContain('integrity');
  expect(filterJson('x', DESCRIPTION, CONTENT)).toMatchObject({
    bitsPerKey: null,
    capacity: null,
    targetFpr: null,
    inserted: null,
    bits: 1536,
  });
  const metrics = prometheusText([{ file: report.file, reports: [report], error: undefined }]);
  expect(metrics).toContain('bloom_filter_bits');
  for (const name of ['capacity_keys', 'inserted_keys', 'target_false_positive_ratio'])
    expect(metrics).not.toContain(`bloom_filter_${name}`);
});

test.each([
  [true, /^(?!.*integrity)/s],
  [false, /integrity +no checksum, so a changed bit would not be noticed\n +verdict/],
])('the report states whether its file has a checksum: %s', async (hasChecksum, expected) => {
  const report = { ...FACTS, hasChecksum, verified: false, health: judge(FACTS) };
  expect(reportText(report, await palette(undefined, 'never'))).toMatch(expected);
  expect(reportJson(report, 1)).toMatchObject({ hasChecksum });
});

test('remarks on it are before the verdict', async () => {
  const description = { ...DESCRIPTION, remarks: ['one thing', 'another'] };
  const report = { ...FACTS, description, health: judge(FACTS) };
  expect(reportText(report, await palette(undefined, 'never'))).toMatch(
    /remark +one thing\n +remark +another\n +verdict/,
  );
  expect(reportJson(report, 1).remarks).toEqual(['one thing', 'another']);
});

test('values are beside their labels, or below them where there are few columns', async () => {
  const report = { ...FACTS, health: judge(FACTS) };
  const colours = await palette(undefined, 'never');
  const label = 'predicted rate'.length;
  const wide = reportText(report, colours, label + 32);
  expect(wide).toMatch(/^x\n {2}kind {12}bloom, /);
  expect(wide.split('\n').every((line) => line.length <= label + 32)).toBe(true);
  const narrow = reportText(report, colours, label + 31);
  expect(narrow).toMatch(/^x\n {2}kind\n {4}bloom, .*\n {4}ignoring case\n {2}size\n {4}1,536 bits/);
  const tiny = reportText(report, colours, 24);
  expect(tiny).toContain('\n  size\n    1,536 bits (376 B)\n    in 3 segments, k = 3\n');
  expect(tiny.split('\n').filter((line) => line.length > 24)).toEqual(['    18364758544493064720,']);
});
