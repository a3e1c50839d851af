import { type GroupContent, type IndexContent, together } from '../../engine/index/index-content.ts';
import { seedNumber } from '../../engine/survey.ts';
import { printable } from '../../errors.ts';
import { amount, bytes, count, plural, rate, ratesLike } from '../../quantities.ts';
import type { Palette } from '../../terminal/colour.ts';
import { table } from '../../terminal/table.ts';

/** What `stats` found out about an index. */
export interface IndexReport {
  readonly content: IndexContent;
  readonly verified: boolean;
}

/** The report for people. */
export async function indexText({ content, verified }: IndexReport, colours: Palette, width?: number): Promise<string> {
  const { name, header, groups, keys, bytes: size } = content;
  const { rules, k, targetFpr, files } = header;
  const normalised = [...(rules.ignoreCase ? ['ignoring case'] : []), ...(rules.trim ? ['trimmed'] : [])];
  const perKey = keys === 0 ? '' : `, ${((8 * size) / keys).toFixed(1)} bits per key`;
  const rows: [label: string, value: string][] = [
    ['kind', ['index of files', rules.hash, `seed ${rules.seed}`, ...normalised].join(', ')],
    ['size', `${bytes(size)} in ${plural(groups.length, 'group')}${perKey}, k = ${k}`],
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

/** Groups whose files have as many digits of keys, together. */
function byKeys(groups: readonly GroupContent[]) {
  const classes = new Map<number, GroupContent[]>();
  for (const group of groups) {
    const digits = String(group.mostKeys).length;
    classes.set(digits, [...(classes.get(digits) ?? []), group]);
  }
  return [...classes.values()].map(together);
}

/** The report for programs. */
export function indexReportJson(file: string, { content, verified }: IndexReport, seconds: number) {
  const { header, groups, keys, bytes: size, expectedFiles } = content;
  const { rules, k, targetFpr, files } = header;
  return {
    ...{ file, files, keys, bytes: size, bitsPerKey: keys === 0 ? null : (8 * size) / keys },
    ...{ hash: rules.hash, seed: seedNumber(rules.seed), ignoreCase: rules.ignoreCase, trim: rules.trim },
    ...{ hashes: k, targetFpr, expectedFiles, verified, groups, seconds },
  };
}
