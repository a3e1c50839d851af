import { noteSummary } from '../../engine/notes.ts';
import { printable } from '../../errors.ts';
import type { Shape } from '../../filters/kind.ts';
import { fileBytes, targetOf } from '../../formats/description.ts';
import { bytes, count, plural, rate } from '../../quantities.ts';
import type { Measurement } from '../../sizing/interval.ts';
import { rangeOf } from '../../sizing/share.ts';
import type { Paint, Palette } from '../../terminal/colour.ts';
import { wrap } from '../../terminal/wrap.ts';
import { describeDistinct, describePart, describeSkipped, type Facts, keysAdded } from './content.ts';
import type { Health } from './health.ts';

/** Everything that is known of one filter, and what to think of it. */
export interface Report extends Facts {
  readonly health: Health;
}

/** Columns below which values stand under their labels, and not beside them. */
const NARROW = 32;

const plain: Paint = (text) => text;

/** A filter's report for people, in lines of so many columns. */
export function reportText(report: Report, colours: Palette, columns = Number.POSITIVE_INFINITY): string {
  const { description, content, measured, absent, present, health } = report;
  const { format, kind, shape, rules } = description;
  const target = targetOf(description);
  const added = keysAdded(description, content);
  const normalised = [rules.ignoreCase ? 'ignoring case' : '', rules.trim ? 'trimmed' : ''].filter(
    (word) => word !== '',
  );
  const rows: [label: string, value: string, paint?: Paint][] = [
    ['kind', [kind.name, rules.hash, `seed ${rules.seed}`, ...normalised].join(', ')],
    ...partRow(shape),
    [
      'size',
      `${count(shape.bits)} bits (${bytes(fileBytes(description))}) in ${plural(shape.segments, 'segment')}, k = ${shape.k}`,
    ],
    ['capacity', target === undefined ? 'unknown' : `${plural(target.capacity, 'key')} at ${rate(target.targetFpr)}`],
    [
      'added',
      `${added === undefined ? '' : `${plural(added, 'key')}, `}${describeDistinct(content.distinct)} distinct`,
    ],
    ['fill', `${rate(content.fillRatio)} of the ${content.places}`],
    ...content.details.map(({ label, value }): [string, string] => [
      label,
      typeof value === 'number' ? count(value) : value.map(rate).join(', '),
    ]),
    ['predicted rate', rate(content.predictedFpr)],
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
  if (!report.hasChecksum) rows.push(['integrity', 'no checksum: nothing would tell if a bit had changed']);
  const { note, made } = noteSummary(description);
  if (note) rows.push(['note', printable(note)]);
  if (made !== null) rows.push(['made', made]);
  for (const remark of description.remarks ?? []) rows.push(['remark', remark]);
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

/** Which part of a filter it is, and of which of its segments, counted from 1. */
function partRow(shape: Shape): [string, string][] {
  const [part] = describePart(shape);
  if (part === undefined) return [];
  const { first, count: held, of } = rangeOf(shape);
  const segments = held === 1 ? `segment ${first + 1}` : `segments ${first + 1} to ${first + held}`;
  return [['part', `${part}: ${segments} of ${count(of)}`]];
}

function interval({ rate: measured, low, high, positives }: Measurement): string {
  return `${rate(measured)} (95 %: ${rate(low)} to ${rate(high)}), ${count(positives)}`;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly of: (report: Report) => number | undefined;
}

const METRICS: readonly Metric[] = [
  { name: 'bits', help: 'Bits of the filter.', of: ({ description }) => description.shape.bits },
  { name: 'hashes', help: 'Probes per key.', of: ({ description }) => description.shape.k },
  {
    name: 'file_bytes',
    help: 'Bytes of the file.',
    of: ({ description }) => fileBytes(description),
  },
  {
    name: 'capacity_keys',
    help: 'Distinct keys the filter was sized for.',
    of: ({ description }) => targetOf(description)?.capacity,
  },
  { name: 'inserted_keys', help: 'Keys added, repetitions included.', of: ({ description }) => description.inserted },
  {
    name: 'estimated_keys',
    help: 'Distinct keys, estimated from the fill.',
    of: ({ content }) => Math.round(content.distinct.count),
  },
  {
    name: 'fill_ratio',
    help: 'Share of its bits, counters or slots that are taken.',
    of: ({ content }) => content.fillRatio,
  },
  {
    name: 'target_false_positive_ratio',
    help: 'Rate the filter was sized for.',
    of: ({ description }) => description.target?.targetFpr,
  },
  {
    name: 'predicted_false_positive_ratio',
    help: 'Rate that follows from the fill.',
    of: ({ content }) => content.predictedFpr,
  },
  {
    name: 'measured_false_positive_ratio',
    help: 'Rate measured on random absent keys.',
    of: ({ measured }) => measured?.rate,
  },
  {
    name: 'measured_false_positive_ratio_low',
    help: 'Lower end of its 95 % interval.',
    of: ({ measured }) => measured?.low,
  },
  {
    name: 'measured_false_positive_ratio_high',
    help: 'Upper end of its 95 % interval.',
    of: ({ measured }) => measured?.high,
  },
  {
    name: 'absent_false_positive_ratio',
    help: 'Rate measured on given absent keys.',
    of: ({ absent }) => absent?.rate,
  },
  { name: 'missing_keys', help: 'Given present keys that were not found.', of: ({ present }) => present?.missing },
  {
    name: 'modified_timestamp_seconds',
    help: 'When the file was changed last, in seconds since 1970.',
    of: ({ modified }) => modified,
  },
  {
    name: 'healthy',
    help: '1 if the rate is at most twice its target and no key is missing.',
    of: ({ health }) => Number(health.healthy),
  },
];

/** Reports as metrics, in the text format that Prometheus' node exporter collects. */
export function prometheusText(reports: readonly Report[]): string {
  return METRICS.map(({ name, help, of }) => {
    const samples = reports.flatMap((report) => {
      const value = of(report);
      return value === undefined ? [] : [`bloom_filter_${name}{${labelsOf(report)}} ${value}\n`];
    });
    return samples.length === 0
      ? ''
      : `# HELP bloom_filter_${name} ${help}\n# TYPE bloom_filter_${name} gauge\n${samples.join('')}`;
  }).join('');
}

/** The labels of the samples of a report. */
function labelsOf({ file, description, parts: [part] }: Report): string {
  const { kind, shape } = description;
  const of = shape.share && { part: `${shape.share.part}/${shape.share.parts}` };
  const labels = { file, kind: kind.name, ...of, ...(part?.column === undefined ? {} : { column: part.column }) };
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${label(value)}"`)
    .join(',');
}

function label(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
