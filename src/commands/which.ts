import { isUtf8 } from 'node:buffer';
import { selectionIn } from '../engine/input/header.ts';
import { type KeySelection, terminatorOf } from '../engine/input/key-selection.ts';
import { openRecords } from '../engine/input/open-records.ts';
import { type Loading, loadFilter } from '../engine/store/load.ts';
import { recycleStore } from '../engine/store/store.ts';
import type { LineStyle } from '../engine/tasks/line-style.ts';
import { createSought, type PartWithKeys, type Sought } from '../engine/which.ts';
import { BloomError, Unfiltered } from '../errors.ts';
import type { Opening } from '../formats/opening.ts';
import { requireApart } from '../io/apart.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, resultName } from '../io/look.ts';
import { type Sink, sinkFor } from '../io/sink.ts';
import { readWhole } from '../io/source.ts';
import { isTerminal } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { candidatesIn, isOtherFile } from './filter-files.ts';
import { checkStdin, recordsOfKeys, remarkOnInputs, standardInputWithout } from './inputs.ts';
import { doubtWarning } from './opened-filters.ts';
import { type WhichOptions, WITHOUT_F } from './query-options.ts';
import { jsonLine } from './report/json-line.ts';
import { intoFile } from './results.ts';

/** Prints where keys may be, one line per filter and key. */
export async function which(options: WhichOptions): Promise<ExitCode> {
  const { output, places, colour } = options;
  const say = await messenger(colour);
  const isWhole = (status: ExitCode) => status !== EXIT.failure;
  return intoFile(output, places, say, (into) => whichInto(sinkFor(into), options), isWhole);
}

async function whichInto(sink: Sink, options: WhichOptions): Promise<ExitCode> {
  const { places, opening, keys, selection, shows, colour } = options;
  checkStdin([...places, ...standardInputWithout(keys)]);
  requireApart(places);
  // The error must come before the user types keys.
  if (keys === undefined) await requireFilters(options);
  const say = await messenger(colour);
  const given = await recordsIn(keys, selection, say);
  const sought = createSought(given.bytes, given.selection);
  const { isFound, failures, others, unfiltered, doubts } = await lookUp(options, sought, say, sink);
  if (unfiltered.length > 0) say.warning(unfilteredWarning(unfiltered, opening));
  for (const [doubt, files] of doubts) say.warning(doubtWarning(files, doubt));
  const isAnswered = shows === 'nothing' && isFound;
  if (others.length > 0 && !isAnswered) throw notFilters(others);
  if (failures > 0 && !isAnswered) return EXIT.failure;
  return isFound ? EXIT.success : EXIT.negative;
}

/** Throws a `usage` error if arguments name files that are not filters. */
async function requireFilters({ places, opening }: WhichOptions): Promise<void> {
  const others: string[] = [];
  for (const place of places) if (await isOther(place, opening)) others.push(place);
  if (others.length > 0) throw notFilters(others);
}

/** Whether an argument names a file that is not a filter. With --format, only an attempt to open the file shows this. */
async function isOther(place: string, { format }: Opening): Promise<boolean> {
  return format === undefined && (await isOtherFile(place));
}

/** The error for arguments that name such files. */
function notFilters(names: readonly string[]): BloomError {
  const are = names.length === 1 ? 'is not a filter' : 'are not filters';
  return new BloomError('usage', `${names.map(displayName).join(', ')} ${are}, and ${WITHOUT_F}`, 'give keys with -e');
}

/** The records with their terminators, and which bytes of them are keys. */
async function recordsIn(
  keys: readonly string[] | undefined,
  selection: KeySelection,
  say: Messenger,
): Promise<{ bytes: Uint8Array; selection: KeySelection }> {
  if (keys !== undefined) return { bytes: recordsOfKeys(keys, selection).records, selection };
  await remarkOnInputs(['-'], selection, say);
  const source = await openRecords('-', selection);
  const bytes = await readWhole(source).finally(() => source.close());
  return { bytes, selection: selectionIn(selection, source.fields) };
}

/** What happened to the filters. */
interface Seen {
  isFound: boolean;
  /** Filters that could not be queried. */
  failures: number;
  /** Arguments that name files which are not filters. */
  readonly others: string[];
  /** Files without the filter that the query needs. */
  readonly unfiltered: string[];
  /** Files that may report members as absent, by the reason. */
  readonly doubts: Map<string, string[]>;
}

/** Queries one filter after the other. An error of one is reported, and the others are still queried. */
async function lookUp(options: WhichOptions, sought: Sought, say: Messenger, sink: Sink): Promise<Seen> {
  const { places, opening, shows, firstOnly } = options;
  const kernel = loadKernel();
  const escapesNames = options.output === undefined && (await isTerminal(STDOUT));
  const loading: Loading = { threadCount: 1, use: 'query', opening };
  const seen: Seen = { isFound: false, failures: 0, others: [], unfiltered: [], doubts: new Map() };
  const left = firstOnly ? new Set(sought.records.keys()) : undefined;
  const onError = (error: BloomError) => {
    seen.failures++;
    say.error(error);
  };
  const print = (name: string, all: readonly PartWithKeys[], hasColumns: boolean) => {
    const found = leftOf(all, left);
    seen.isFound ||= found.length > 0;
    const terminator = terminatorOf(options.selection);
    for (const one of found) sink.write(linesOf(name, one, { sought, shows, hasColumns, terminator, escapesNames }));
  };
  const queryOne = async (name: string) => {
    const loaded = await loadFilter(kernel, name, loading);
    try {
      const { doubt } = loaded.description;
      if (doubt !== undefined) seen.doubts.set(doubt, [...(seen.doubts.get(doubt) ?? []), name]);
      print(name, await sought.findIn(loaded), new Set(loaded.parts.map(({ column }) => column)).size > 1);
    } finally {
      loaded.close();
      recycleStore(loaded.store);
    }
  };
  for (const { name, place, isMeant } of candidatesIn(places, opening, onError)) {
    try {
      const quick = mayBeQuick(opening) ? await sought.findInSmall(name) : undefined;
      if (quick !== undefined) print(name, quick, false);
      else if (name === place && (await isOther(name, opening))) seen.others.push(name);
      else if (await isMeant()) await queryOne(name);
    } catch (error) {
      if (!(error instanceof BloomError) || error.code === 'usage') throw error;
      if (error instanceof Unfiltered) seen.unfiltered.push(name);
      else onError(error);
    }
    if (left?.size === 0 || (seen.isFound && shows === 'nothing')) break;
  }
  return seen;
}

/** Whether files may be filters of bloomery's own format, whose content describes them completely. */
function mayBeQuick({ format, column, keyType, keyHash, areHashed, lookup }: Opening): boolean {
  return (format ?? column ?? keyType ?? keyHash ?? areHashed ?? lookup) === undefined;
}

/** The matches of the records in `left`, which are then removed from `left`. All matches if `left` is undefined. */
function leftOf(found: readonly PartWithKeys[], left: Set<number> | undefined): readonly PartWithKeys[] {
  if (left === undefined) return found;
  return found
    .map(({ part, records }) => ({ part, records: records.filter((record) => left.delete(record)) }))
    .filter(({ records }) => records.length > 0);
}

function unfilteredWarning(files: readonly string[], { column }: Opening): string {
  const [first = ''] = files;
  const others = files.length === 1 ? ' has' : ` and ${plural(files.length - 1, 'other file')} have`;
  const of = column === undefined ? '' : ` of ${column}`;
  return `${displayName(first)}${others} no Bloom filter${of}, so any key may be present`;
}

/** How matches are printed. */
interface Printing extends Pick<LineStyle, 'escapesNames'> {
  readonly sought: Sought;
  readonly shows: WhichOptions['shows'];
  /** Whether filters of several columns are queried. */
  readonly hasColumns: boolean;
  /** The byte that ends a line. It is the terminator of the records. */
  readonly terminator: number;
}

/** The lines for the keys that may be in one filter. */
function linesOf(file: string, { part, records: numbers }: PartWithKeys, printing: Printing): Buffer {
  const { sought, shows, hasColumns, terminator } = printing;
  if (shows === 'nothing') return Buffer.alloc(0);
  const { label = null, column = null } = part ?? {};
  const parts = [...(label === null ? [] : [label]), ...(hasColumns && column !== null ? [column] : [])];
  const [shownFile, ...shownParts] = [file, ...parts].map((name) => resultName(name, printing.escapesNames));
  const place = shownParts.length === 0 ? `${shownFile}` : `${shownFile}: ${shownParts.join(', ')}`;
  const lines = numbers.map((number) => {
    const record = sought.records[number] ?? new Uint8Array(0);
    if (shows === 'JSON')
      return Buffer.from(jsonLine({ ...recordJson(record), match: true, filters: [file], label, column }));
    const after = sought.records.length === 1 ? [] : [Buffer.from('\t'), record];
    return Buffer.concat([Buffer.from(place), ...after, Uint8Array.of(terminator)]);
  });
  return Buffer.concat(lines);
}

/** A record as JSON. It may not be UTF-8. */
function recordJson(bytes: Uint8Array): object {
  const record = Buffer.from(bytes);
  return isUtf8(record) ? { record: record.toString() } : { record: null, recordBase64: record.toString('base64') };
}
