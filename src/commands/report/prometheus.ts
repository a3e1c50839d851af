// Reports as metrics, in the text format that Prometheus' node exporter collects.

import { fileBytes, targetOf } from '../../formats/description.ts';
import type { Report, Reported } from './report.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly of: (report: Report) => number | undefined;
  /** Its value for a file that could not be read; without one such a file has no sample. */
  readonly unread?: number;
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
    help: '1 if the file was readable, the rate is at most twice its target and no key is missing.',
    of: ({ health }) => Number(health.healthy),
    unread: 0,
  },
];

const READABLE = { name: 'readable', help: '1 if the whole report on the file could be made.' };

/** The metrics of files. Each file that was named has samples, so that none vanishes from an alert when it is damaged. */
export function prometheusText(files: readonly Reported[]): string {
  const readable = new Map(files.map(({ file, error }) => [labelsText({ file }), Number(error === undefined)]));
  return [
    familyText(READABLE, readable),
    ...METRICS.map((metric) => familyText(metric, new Map(files.flatMap((file) => samplesOf(file, metric))))),
  ].join('');
}

/** A metric and its values by their labels, which a reader accepts only once each. */
function familyText({ name, help }: Pick<Metric, 'name' | 'help'>, values: ReadonlyMap<string, number>): string {
  if (values.size === 0) return '';
  const samples = [...values].map(([labels, value]) => `bloom_filter_${name}{${labels}} ${value}\n`);
  return `# HELP bloom_filter_${name} ${help}\n# TYPE bloom_filter_${name} gauge\n${samples.join('')}`;
}

function samplesOf({ file, reports, error }: Reported, { of, unread }: Metric): [labels: string, value: number][] {
  const samples = reports.flatMap((report): [string, number][] => {
    const value = of(report);
    return value === undefined ? [] : [[labelsText(labelsOf(report)), value]];
  });
  return error === undefined || unread === undefined ? samples : [...samples, [labelsText({ file }), unread]];
}

function labelsOf({ file, description, parts: [part] }: Report): Readonly<Record<string, string>> {
  const { kind, shape } = description;
  const of = shape.share && { part: `${shape.share.part}/${shape.share.parts}` };
  return { file, kind: kind.name, ...of, ...(part?.column === undefined ? {} : { column: part.column }) };
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
