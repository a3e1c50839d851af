import type { Command } from 'commander';
import { mergeFilters } from '../engine/merge-filters.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { KINDS, kindOf, kindWithId, requireAbility } from '../filters/registry.ts';
import { portableChecksum } from '../formats/bloomery/checksum.ts';
import type { Header } from '../formats/bloomery/header.ts';
import { type FilterReader, openFilter } from '../formats/bloomery/reader.ts';
import { checkOutput } from '../io/atomic-file.ts';
import { openBriefly } from '../io/brief.ts';
import { print } from '../io/sink.ts';
import { openSource } from '../io/source.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { refuseUnused } from '../options/unused.ts';
import { messenger } from '../terminal/messages.ts';
import { duration, plural } from '../terminal/quantities.ts';
import { type CommonFlags, EXIT, type ExitCode, secondsSince } from './command.ts';
import { checkStdin } from './inputs.ts';
import { displayOutput, refuseMixedOutput } from './outputs.ts';
import { describeContent, overfullWarning, surveyContent } from './report/content.ts';
import { filterJson, jsonLine } from './report/json.ts';
import { watchWork } from './watch.ts';

interface MergeFlags extends CommonFlags {
  readonly output?: string;
  readonly dryRun?: true;
  readonly force?: true;
  readonly json?: true;
}

/** Files that stay open until they are merged, which is quicker. */
const OPEN_LIMIT = 32;

const APART_HINT = 'name another file; mv puts it in the place of that one afterwards';

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter...>', 'filters of the same parameters')
    .addOption(flags.output().makeOptionMandatory(false))
    .addOption(flags.dryRun())
    .addOption(flags.force())
    .addOption(flags.json())
    .addHelpText(
      'after',
      `
Filters fit together if their kind, size, hashes, seed and normalisation are the same: build them with the same
-n and -p, or the later ones with --like. Any number of files can be merged; pipes stay open
until the end, as many as ulimit -n allows.

Example:
  bloom merge monday.bloom tuesday.bloom -o week.bloom`,
    )
    .action(async (filters: string[]) => finish(await run(filters, command.opts<MergeFlags>())));
}

async function run(files: readonly string[], raw: MergeFlags): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(raw.color);
  if (raw.output === undefined && !raw.dryRun) {
    throw new BloomError(
      'usage',
      'no output is named',
      'name it with -o, or add --dry-run to see whether the filters fit together',
    );
  }
  if (raw.dryRun) refuseUnused(raw, ['output', 'force'], '--dry-run writes nothing');
  checkStdin(files);
  const output = raw.output === undefined ? undefined : { name: raw.output, replace: raw.force === true };
  if (output !== undefined) refuseMixedOutput(output.name, raw.json === true);
  const remarks = output === undefined ? [] : await checkOutput(output, files, APART_HINT);

  const readers: FilterReader[] = [];
  try {
    for (const [i, file] of files.entries())
      readers.push(await openFilter(file, portableChecksum, i < OPEN_LIMIT ? openSource : openBriefly));
    const { kind, header } = plan(readers);
    const watch = watchWork(say, raw.color);
    // What goes through a pipe may be shown by somebody who is done before we are.
    if (output?.name !== '-') watch.begin('merging');
    const fill = await mergeFilters(loadKernel(), kind, readers, header, output, watch).finally(watch.finish);
    for (const remark of remarks) say.warning(remark);
    const content = surveyContent(kind, header, fill);
    const name = output === undefined ? 'the union' : displayOutput(output.name);
    const overfull = overfullWarning(name, header, content);
    if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
    const seconds = secondsSince(start);
    const verb = output === undefined ? 'would hold' : 'holds';
    say.note(
      `${name}: ${verb} ${plural(files.length, 'filter')}, ${describeContent(header, content)}; ${duration(seconds)}`,
    );
    if (raw.json) {
      const filter = filterJson(output?.name ?? null, kind, header, content);
      print(jsonLine({ ...filter, filters: files.length, seconds }));
    }
    return EXIT.success;
  } finally {
    for (const reader of readers) reader.close();
  }
}

type Field = string | number | bigint | undefined;

/** Of a filter that does not grow; the others differ in these whenever they have not got the same keys. */
const fixed = (of: (header: Header) => Field) => (reader: FilterReader) =>
  reader.header.chain === undefined ? of(reader.header) : undefined;

/**
 * What must be equal for the bits of two filters to mean the same, in the words of the messages; undefined for filters
 * that have no such thing.
 */
const FIELDS: readonly { readonly name: string; readonly of: (reader: FilterReader) => Field }[] = [
  { name: 'kind', of: ({ header, name }) => kindWithId(header.kind, name).name },
  { name: 'bits', of: fixed(({ bits }) => bits) },
  { name: 'hashes', of: fixed(({ k }) => k) },
  { name: 'segments', of: fixed(({ segments }) => segments) },
  { name: 'bits of a segment', of: ({ header }) => header.chain && header.segmentBits },
  { name: 'growth', of: ({ header }) => header.chain?.growth },
  { name: 'tightening', of: ({ header }) => header.chain?.tightening },
  { name: 'rate', of: ({ header }) => header.chain?.fpr },
  { name: 'hash', of: ({ header }) => header.hash },
  { name: 'seed', of: ({ header }) => header.seed },
  { name: 'ignore-case', of: ({ header }) => (header.ignoreCase ? 'yes' : 'no') },
  { name: 'trim', of: ({ header }) => (header.trim ? 'yes' : 'no') },
];

/**
 * Kind and header of the union: the largest filter's, with the keys of all, and of a larger shape if they are too many
 * for it and the kind has one. Throws a `mismatch` error that lists every difference.
 */
function plan(readers: readonly FilterReader[]): { kind: FilterKind; header: Header } {
  const [first, ...others] = readers;
  if (first === undefined) throw new BloomError('usage', 'no filter is named');
  const kinds = readers.map(({ header, name }) => kindOf(header, name));
  const [kind = KINDS[0]] = kinds;
  for (const [i, { name }] of readers.entries()) requireAbility(kinds[i] ?? kind, 'merge', name);
  const largest = readers.map(({ header }) => header).reduce((a, b) => (b.bits > a.bits ? b : a));
  const differences = others.flatMap((other) =>
    FIELDS.filter(({ of }) => {
      const [one, another] = [of(enlargedTo(first, largest, kind)), of(enlargedTo(other, largest, kind))];
      return one !== undefined && another !== undefined && one !== another;
    }).map(({ name, of }) => `${name} is ${of(other)} in ${other.name}, ${of(first)} in ${first.name}`),
  );
  if (differences.length > 0) {
    throw new BloomError(
      'mismatch',
      `the filters do not fit together: ${differences.join('; ')}`,
      `build them with the same -n and -p, or with --like ${first.name}`,
    );
  }
  const inserted = readers.reduce((sum, reader) => sum + reader.header.inserted, 0);
  const chain = kind.growing?.joined(readers.map((reader) => reader.header));
  let header: Header = { ...largest, ...chain, inserted };
  if (kind.growing !== undefined) return { kind, header: { ...header, capacity: kind.growing.capacity(header) } };
  const { enlarging } = kind;
  while (enlarging !== undefined && inserted > enlarging.capacity(header)) {
    const larger = enlarging.larger(header);
    if (larger === undefined) break;
    header = { ...header, ...larger };
  }
  return { kind, header };
}

/** A filter as if it had been brought into one of the size of another, if that can be done with its kind. */
function enlargedTo(reader: FilterReader, largest: Header, kind: FilterKind): FilterReader {
  let { header } = reader;
  while (header.kind === largest.kind && header.bits < largest.bits) {
    const larger = kind.enlarging?.larger(header);
    if (larger === undefined) break;
    header = { ...header, ...larger };
  }
  return { ...reader, header };
}
