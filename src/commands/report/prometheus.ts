// Reports as metrics in the text format that the node exporter of Prometheus collects.

import { fileBytes, targetOf } from '../../formats/description.ts';
import type { Report, Reported } from './report.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly of: (report: Report) => number | undefined;
  /** The value for a file that could not be read. Without it, such a file has no sample. */
  readonly unread?: number;
}

const METRICS: readonly Metric[] = [
  { name: 'bits', help: 'Bits of the filter.', of: ({ description }) => description.shape.bits },
  { name: 'hashes', help: 'Hash functions (k).', of: ({ description }) => description.shape.k },
  {
    name: 'file_bytes',
    help: 'Size of the file in bytes.',
    of: ({ description }) => fileBytes(description),
  },
  {
    name: 'capacity_keys',
    help: 'Distinct keys for which the filter was sized.',
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
    help: 'Share of bits that are set, or of counters or slots that are used.',
    of: ({ content }) => content.fillRatio,
  },
  {
    name: 'target_false_positive_ratio',
    help: 'False-positive rate for which the filter was sized.',
    of: ({ description }) => description.target?.targetFpr,
  },
  {
    name: 'predicted_false_positive_ratio',
    help: 'False-positive rate that follows from the fill.',
    of: ({ content }) => content.predictedFpr,
  },
  {
    name: 'measured_false_positive_ratio',
    help: 'False-positive rate measured on random absent keys.',
    of: ({ measured }) => measured?.rate,
  },
  {
    name: 'measured_false_positive_ratio_low',
    help: 'Lower end of the 95 % interval of the measured rate.',
    of: ({ measured }) => measured?.low,
  },
  {
    name: 'measured_false_positive_ratio_high',
    help: 'Upper end of the 95 % interval of the measured rate.',
    of: ({ measured }) => measured?.high,
  },
  {
    name: 'absent_false_positive_ratio',
    help: 'False-positive rate measured on the keys of --absent.',
    of: ({ absent }) => absent?.rate,
  },
  { name: 'missing_keys', help: 'Keys of --present that the filter lacks.', of: ({ present }) => present?.missing },
  {
    name: 'modified_timestamp_seconds',
    help: 'Time of the last change of the file, in seconds since 1970.',
    of: ({ modified }) => modified,
  },
  {
    name: 'healthy',
    help: '1 if the file was readable, the rate is at most twice its target and no key is missing.',
    of: ({ health }) => Number(health.healthy),
    unread: 0,
  },
];

const READABLE = { name: 'readable', help: '1 if the report on the file is complete.' };

/** The metrics of files. Every named file has samples, so that an alert still sees a damaged file. */
export function prometheusText(files: readonly Reported[]): string {
  const readable = new Map(files.map(({ file, error }) => [labelsText({ file }), Number(error === undefined)]));
  return [
    familyText(READABLE, readable),
    ...METRICS.map((metric) => familyText(metric, new Map(files.flatMap((file) => samplesOf(file, metric))))),
  ].join('');
}

/** A metric and its values by their labels. Readers accept each label only once. */
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
