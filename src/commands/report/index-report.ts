import { type GroupContent, type IndexContent, together } from '../../engine/index/index-content.ts';
import type { IndexDesign, UnwrittenIndex } from '../../engine/index/write-index.ts';
import { seedNumber } from '../../engine/survey.ts';
import { printable } from '../../errors.ts';
import type { IndexedFile } from '../../formats/index-file/entries.ts';
import { amount, bytes, count, plural, rate, ratesLike } from '../../quantities.ts';
import type { Palette } from '../../terminal/colour.ts';
import { table } from '../../terminal/table.ts';
import { CASE_REMARKS } from './report.ts';

/** The facts about an index. */
export interface IndexReport {
  readonly content: IndexContent;
  readonly verified: boolean;
}

/** "2,000 files with 1,234,567 distinct keys, 1.59 MB, 10.3 bits per key, rate 1.00 %", with a remark after the files. */
export function describeIndex({ files, bytes: size, targetFpr }: UnwrittenIndex, remark = ''): string {
  const keys = keysIn(files);
  const what = `${plural(files.length, 'file')}${remark} with ${plural(keys, 'distinct key')}, ${bytes(size)}`;
  return `${what}${perKey(size, keys)}, rate ${rate(targetFpr)}`;
}

/** An index that was built, as JSON. */
export function indexJson(file: string | null, index: UnwrittenIndex) {
  const { files, groups, bytes: size } = index;
  const keys = keysIn(files);
  return { file, files: files.length, keys, groups, bytes: size, ...designJson(size, keys, index) };
}

const keysIn = (files: readonly IndexedFile[]) => files.reduce((sum, { keys }) => sum + keys, 0);

/** ", 10.3 bits per key" */
function perKey(size: number, keys: number): string {
  return keys === 0 ? '' : `, ${((8 * size) / keys).toFixed(1)} bits per key`;
}

function designJson(size: number, keys: number, { rules, k, targetFpr, hasChecksums }: IndexDesign) {
  const { hash, seed, ignoreCase, trim } = rules;
  const bitsPerKey = keys === 0 ? null : (8 * size) / keys;
  return { bitsPerKey, hash, seed: seedNumber(seed), ignoreCase, trim, hashes: k, targetFpr, checksums: hasChecksums };
}

/** The report as text. */
export async function indexText({ content, verified }: IndexReport, colours: Palette, width?: number): Promise<string> {
  const { name, header, groups, keys, bytes: size } = content;
  const { rules, k, targetFpr, files } = header;
  const normalised = [
    ...(rules.ignoreCase ? [CASE_REMARKS[`${rules.ignoreCase}`]] : []),
    ...(rules.trim ? ['trimmed'] : []),
    ...(header.hasChecksums ? ['checksums of files'] : []),
  ];
  const rows: [label: string, value: string][] = [
    ['kind', ['index of files', rules.hash, `seed ${rules.seed}`, ...normalised].join(', ')],
    ['size', `${bytes(size)} in ${plural(groups.length, 'group')}${perKey(size, keys)}, k = ${k}`],
    ['files', `${count(files)} with ${plural(keys, 'distinct key')}`],
    ['target rate', rate(targetFpr)],
    ['predicted', `${amount(content.expectedFiles)} of ${plural(files, 'file')} named by mistake per absent key`],
    ...(verified ? [['verified', 'every checksum matches'] satisfies [string, string]] : []),
  ];
  const label = Math.max(...rows.map(([text]) => text.length));
  const lines = rows.map(([text, value]) => `  ${text.padEnd(label)}  ${value}\n`);
  const classes = byKeys(groups);
  if (classes.length === 0) return `${colours.strong(printable(name))}\n${lines.join('')}`;
  const shown = ratesLike(classes.flatMap(({ meanFpr, highestFpr }) => [meanFpr, highestFpr]));
  const cells = classes.map((one) => [
    one.leastKeys === one.mostKeys ? count(one.leastKeys) : `${count(one.leastKeys)} to ${count(one.mostKeys)}`,
    ...[count(one.files), shown(one.meanFpr), shown(one.highestFpr)],
  ]);
  const columns = ['keys per file', 'files', 'mean rate', 'highest rate'].map((title) => ({ title }));
  return `${colours.strong(printable(name))}\n${lines.join('')}\n${await table(columns, cells, colours, width)}`;
}

/** Joins the groups whose files have numbers of keys with equally many digits. */
function byKeys(groups: readonly GroupContent[]) {
  const classes = new Map<number, GroupContent[]>();
  for (const group of groups) {
    const digits = String(group.mostKeys).length;
    classes.set(digits, [...(classes.get(digits) ?? []), group]);
  }
  return [...classes.values()].map(together);
}

/** The report as JSON. */
export function indexReportJson(file: string, { content, verified }: IndexReport, seconds: number) {
  const { header, groups, keys, bytes: size, expectedFiles } = content;
  const made = { file, files: header.files, keys, bytes: size, ...designJson(size, keys, header) };
  return { ...made, expectedFiles, verified, groups, seconds };
}
