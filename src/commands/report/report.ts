import { lengthsOf, markedAmong } from '../../engine/input/key-variants.ts';
import { noteSummary } from '../../engine/notes.ts';
import { type BloomError, printable } from '../../errors.ts';
import type { Shape } from '../../filters/kind.ts';
import { type Description, fileBytes, remarksOn, targetOf } from '../../formats/description.ts';
import { describeSlice, fingerprintText } from '../../formats/origin.ts';
import { nameOfKeyHash } from '../../hashes/key-hashes.ts';
import { bytes, count, plural, rate, shortCount } from '../../quantities.ts';
import type { Measurement } from '../../sizing/interval.ts';
import { rangeOf } from '../../sizing/share.ts';
import type { Paint, Palette } from '../../terminal/colour.ts';
import { wrap } from '../../terminal/wrap.ts';
import {
  describeAdded,
  describeDistinct,
  describePart,
  describeRate,
  describeSkipped,
  type Facts,
  keysAdded,
} from './content.ts';
import type { Health } from './health.ts';

/** All facts about one filter, and its health. */
export interface Report extends Facts {
  readonly health: Health;
}

/** The remark about the case of keys. */
export const CASE_REMARKS = { false: '', true: 'ignoring case', unicode: 'ignoring case of all letters' } as const;

/** Below this number of columns, values are printed under their labels. */
const NARROW = 32;

const plain: Paint = (text) => text;

/** The result for one named file: the reports on its filters, and the error that ended them early. */
export interface Reported {
  readonly file: string;
  readonly reports: readonly Report[];
  readonly error: BloomError | undefined;
}

/** The report of a filter as text for a number of columns. */
export function reportText(report: Report, colours: Palette, columns = Number.POSITIVE_INFINITY): string {
  const { description, content, measured, absent, present, health } = report;
  const { format, kind, shape, rules } = description;
  const target = targetOf(description);
  const added = keysAdded(description, content);
  const normalised = [
    ...(rules.ignoreCase ? [CASE_REMARKS[`${rules.ignoreCase}`]] : []),
    ...(rules.trim ? ['trimmed'] : []),
    ...(rules.encoding === 'domain' ? ['domain names'] : []),
    ...(rules.encoding === 'network' ? ['networks'] : []),
    ...(rules.keyHash ? [`keys hashed with ${nameOfKeyHash(rules.keyHash)}`] : []),
  ];
  const rows: [label: string, value: string, paint?: Paint][] = [
    ['kind', [kind.name, rules.hash, `seed ${rules.seed}`, ...normalised].join(', ')],
    ...partRow(shape),
    ...inputsRow(description),
    [
      'size',
      `${plural(shape.bits, 'bit')} (${bytes(fileBytes(description))}) in ${plural(shape.segments, 'segment')}, k = ${shape.k}`,
    ],
    ['capacity', target === undefined ? 'unknown' : `${plural(target.capacity, 'key')} at ${rate(target.targetFpr)}`],
    [
      'added',
      `${added === undefined ? '' : `${describeAdded(added, description)}, `}${describeDistinct(content.distinct)} distinct`,
    ],
    ['fill', `${rate(content.fillRatio)} of the ${content.units}`],
    ...content.details.map(({ label, value, isEstimate }): [string, string] => {
      if (typeof value !== 'number') return [label, value.map(rate).join(', ')];
      return [label, isEstimate ? `about ${shortCount(value)}` : count(value)];
    }),
    ...(rules.lengths === undefined ? [] : lengthRows(rules.lengths, rules.marked)),
    ['predicted rate', describeRate(description, content)],
  ];
  if (report.verified && format.integrity !== undefined) rows.push(['verified', format.integrity]);
  if (measured !== undefined)
    rows.push(['measured rate', `${interval(measured)} of ${count(measured.probes)} random keys`]);
  if (absent !== undefined)
    rows.push(['on absent keys', `${interval(absent)} of ${plural(absent.probes, 'key')}${describeSkipped(absent)}`]);
  if (present !== undefined)
    rows.push([
      'on present keys',
      `${count(present.missing)} missing of ${plural(present.records, 'key')}${describeSkipped(present)}`,
    ]);
  if (!report.hasChecksum) rows.push(['integrity', 'no checksum, so a changed bit would not be noticed']);
  const { note, made } = noteSummary(description);
  if (note) rows.push(['note', printable(note)]);
  if (made !== null) rows.push(['made', made]);
  for (const remark of remarksOn(description)) rows.push(['remark', remark]);
  rows.push(['verdict', health.verdict, health.healthy ? colours.good : colours.bad]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const isNarrow = columns < width + NARROW;
  const margin = ' '.repeat(isNarrow ? 4 : width + 4);
  const parts = rows.map(([label, value, paint = plain]) => {
    const text = wrap(value, columns - margin.length)
      .map((line) => paint(line))
      .join(`\n${margin}`);
    return `  ${colours.faint(isNarrow ? label : label.padEnd(width))}${isNarrow ? `\n${margin}` : '  '}${text}\n`;
  });
  const column = report.parts[0]?.column;
  const title = column === undefined ? report.file : `${report.file}: ${column} (${report.parts[0]?.type})`;
  return `${colours.strong(printable(title))}\n${parts.join('')}`;
}

/** The part of a filter and its segments, counted from 1. */
function partRow(shape: Shape): [string, string][] {
  const [part] = describePart(shape);
  if (part === undefined) return [];
  const { first, count: held, of } = rangeOf(shape);
  const segments = held === 1 ? `segment ${first + 1}` : `segments ${first + 1} to ${first + held}`;
  return [['part', `${part}: ${segments} of ${count(of)}`]];
}

/** The inputs that a slice or a part was built of. */
function inputsRow({ origin }: Description): [string, string][] {
  if (origin === undefined) return [];
  return [['inputs', [...describeSlice(origin), `fingerprint ${fingerprintText(origin)}`].join(', ')]];
}

function interval({ rate: measured, low, high, positives }: Measurement): string {
  return `${rate(measured)} (95 %: ${rate(low)} to ${rate(high)}), ${count(positives)}`;
}

/** The lengths of blocks in a filter of networks. */
function lengthRows(lengths: bigint, marked: number | undefined): [label: string, value: string][] {
  const { v4, v6 } = lengthsOf(lengths);
  const row = (label: string, found: readonly number[]): [string, string][] =>
    found.length === 0 ? [] : [[label, found.map((length) => `/${length}`).join(' ')]];
  return [...row('IPv4 blocks', v4), ...row('with markers', markedAmong(v4, marked)), ...row('IPv6 blocks', v6)];
}
