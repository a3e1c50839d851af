// Flags that set the destination and the form of results.

import { SEGMENTS_LIMIT } from '../../sizing/geometry.ts';
import { countBetween } from '../numbers.ts';
import { detailed, flagsOf } from './define.ts';

const STANDARD = "'-' is the standard output.";

const flag = flagsOf('Output');

export const outputsFlags = {
  output: () =>
    detailed(flag.text('-o, --output <file>', 'write the filter to this file').makeOptionMandatory(), STANDARD),
  digestOutput: () =>
    detailed(
      flag.text('-o, --output <file>', 'write the digests to this file').makeOptionMandatory(),
      `${STANDARD} With --parts, the name contains %d or %03d, which stands for the number of the part.`,
    ),
  sketchOutput: () => detailed(flag.text('-o, --output <file>', 'keep a sketch of the keys in this file'), STANDARD),
  indexOutput: () =>
    detailed(flag.text('-o, --output <file>', 'write the index to this file').makeOptionMandatory(), STANDARD),
  parts: () =>
    detailed(
      flag.valued(
        '--parts <count>',
        'divide the digests among this many parts of the filter',
        countBetween(1, SEGMENTS_LIMIT),
      ),
      'Each part has a file of its own, and all of them are open together (ulimit -n). There are at most as many parts as segments. The flags of the size describe the filter.',
    ),
  report: () =>
    detailed(
      flag.text('-o, --output <file>', 'write the report to this file'),
      'The file is written in one step, and replaces an earlier report. By default, the report goes to the standard output.',
    ),
  resultsOutput: (names = '--output <file>') =>
    detailed(
      flag.text(names, 'write the results to this file'),
      'The file is written in one step at the end, and not at all if something could not be read.',
    ),
  plot: () => flag.plain('--plot', 'also draw plots in the terminal'),
  svg: () =>
    detailed(
      flag.text('--svg <file>', 'draw the plots into this SVG file'),
      `The file replaces an earlier picture. ${STANDARD}`,
    ),
  force: () =>
    detailed(
      flag.plain('--force', 'replace the output file if it exists'),
      'Without this flag, an existing file is never touched.',
    ),
  update: () =>
    detailed(
      flag.plain('--update', 'read only files that are new or changed'),
      'Files with the size and the time of the index are kept, and files that are gone are removed. Without an index, --update makes one.',
    ),
  checksum: () =>
    detailed(
      flag.plain('--checksum', 'record checksums of the files; --update compares them'),
      'Then a file whose content is the same is not read for its keys again, whatever its time. Without this flag, sizes and times are compared.',
    ),
  forceChange: () =>
    detailed(
      flag.plain('--force', 'change the filter even if it is write-protected'),
      'The filter is also changed if its file would get another owner or group.',
    ),
  forceResults: () =>
    detailed(
      flag.plain('--force', 'replace the output; change a protected state'),
      'A state is also changed if its file would get another owner or group.',
    ),
  forceReport: () => flag.plain('--force', 'replace a file that is protected or not a report'),
  partial: () =>
    detailed(
      flag.plain('--partial', 'accept missing slices, and parts of other inputs'),
      'Filters of --slice and --part state what they were built of. Without this flag, merge refuses an incomplete set. Missing parts are always errors.',
    ),
  dryRun: () =>
    detailed(
      flag.plain('--dry-run', 'only check whether the filters fit together'),
      'The report says what the union would be.',
    ),
  json: () => flag.plain('--json', 'print results as JSON (see bloom help json)'),
  queryJson: () =>
    detailed(
      flag.plain('--json', 'print records or counts as JSON (see bloom help json)'),
      'Each record is one object per line.',
    ),
  dedupJson: () => flag.plain('--json', 'print the counts as JSON (see bloom help json)'),
  csv: () => flag.plain('--csv', 'print results as CSV'),
  prometheus: () => flag.plain('--prometheus', 'print metrics in the text format of Prometheus'),
} as const;
