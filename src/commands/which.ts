import { isUtf8 } from 'node:buffer';
import { type KeySelection, terminatorOf } from '../engine/input/key-selection.ts';
import { openRecords } from '../engine/input/open-records.ts';
import { type Loading, loadFilter } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { recycleStore } from '../engine/store/store.ts';
import type { LineStyle } from '../engine/tasks/line-style.ts';
import { createSought, type PartWithKeys, type Sought } from '../engine/which.ts';
import { BloomError, Unfiltered } from '../errors.ts';
import type { Opening } from '../formats/opening.ts';
import { requireApart } from '../io/apart.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, resultName } from '../io/look.ts';
import { type Sink, sinkFor, standardOutput } from '../io/sink.ts';
import { readWhole } from '../io/source.ts';
import { isTerminal } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { filtersIn, isOtherFile } from './filter-files.ts';
import { checkStdin, recordsOfKeys, remarkOnInputs, standardInputWithout } from './inputs.ts';
import { doubtWarning } from './opened-filters.ts';
import { type WhichOptions, WITHOUT_F } from './query-options.ts';
import { jsonLine } from './report/json-line.ts';

/** Prints where keys may be, one line per filter and key. */
export async function which(options: WhichOptions): Promise<ExitCode> {
  const { output, places, colour } = options;
  if (output === undefined) return whichInto(standardOutput, options);
  const { intoFile } = await import('./results.ts');
  return intoFile(output, places, await messenger(colour), (into) => whichInto(sinkFor(into), options));
}

async function whichInto(sink: Sink, options: WhichOptions): Promise<ExitCode> {
  const { places, opening, keys, selection, shows, colour } = options;
  checkStdin([...places, ...standardInputWithout(keys)]);
  requireApart(places);
  const others = await otherFiles(options);
  // Nobody should type keys before this error.
  if (others.length > 0 && keys === undefined) throw notFilters(others);
  const say = await messenger(colour);
  const sought = createSought(await bytesOf(keys, selection, say), selection);
  const { isFound, failures, unfiltered, doubts } = await ask(
    { ...options, places: places.filter((place) => !others.includes(place)) },
    sought,
    say,
    sink,
  );
  if (unfiltered.length > 0) say.warning(unfilteredWarning(unfiltered, opening));
  for (const [doubt, files] of doubts) say.warning(doubtWarning(files, doubt));
  const isAnswered = shows === 'nothing' && isFound;
  if (others.length > 0 && !isAnswered) throw notFilters(others);
  if (failures > 0 && !isAnswered) return EXIT.failure;
  return isFound ? EXIT.success : EXIT.negative;
}

/** The arguments that name a file which is not a filter. With --format only opening a file tells. */
async function otherFiles({ places, opening }: WhichOptions): Promise<string[]> {
  if (opening.format !== undefined) return [];
  const others: string[] = [];
  for (const place of places) if (await isOtherFile(place)) others.push(place);
  return others;
}

/** The error for such files. */
function notFilters(names: readonly string[]): BloomError {
  const are = names.length === 1 ? 'is not a filter' : 'are not filters';
  return new BloomError('usage', `${names.map(displayName).join(', ')} ${are}, and ${WITHOUT_F}`, 'give keys with -e');
}

/** The keys, each with what ends it. */
async function bytesOf(
  keys: readonly string[] | undefined,
  selection: KeySelection,
  say: Messenger,
): Promise<Uint8Array> {
  if (keys !== undefined) return recordsOfKeys(keys, selection).records;
  await remarkOnInputs(['-'], selection, say);
  const source = await openRecords('-', selection);
  return readWhole(source).finally(() => source.close());
}

/** What became of the filters. */
interface Seen {
  isFound: boolean;
  /** Filters that could not be asked. */
  failures: number;
  /** Files that have no filter where one is asked. */
  readonly unfiltered: string[];
  /** Files whose keys may be called absent, by why. */
  readonly doubts: Map<string, string[]>;
}

/** Asks one filter after the other. What is wrong with one is said, and the others are asked all the same. */
async function ask(options: WhichOptions, sought: Sought, say: Messenger, sink: Sink): Promise<Seen> {
  const { places, opening, shows, firstOnly } = options;
  const kernel = loadKernel();
  const escapesNames = options.output === undefined && (await isTerminal(STDOUT));
  const loading: Loading = { threadCount: 1, use: 'ask', opening };
  const seen: Seen = { isFound: false, failures: 0, unfiltered: [], doubts: new Map() };
  const left = firstOnly ? new Set(sought.records.keys()) : undefined;
  const onError = (error: BloomError) => {
    seen.failures++;
    say.error(error);
  };
  for await (const name of filtersIn(places, opening, onError)) {
    let loaded: LoadedFilter | undefined;
    try {
      loaded = await loadFilter(kernel, name, loading);
      const { doubt } = loaded.description;
      if (doubt !== undefined) seen.doubts.set(doubt, [...(seen.doubts.get(doubt) ?? []), name]);
      const found = leftOf(await sought.findIn(loaded), left);
      seen.isFound ||= found.length > 0;
      const hasColumns = new Set(loaded.parts.map(({ column }) => column)).size > 1;
      const terminator = terminatorOf(options.selection);
      for (const one of found) sink.write(linesOf(name, one, { sought, shows, hasColumns, terminator, escapesNames }));
    } catch (error) {
      if (!(error instanceof BloomError) || error.code === 'usage') throw error;
      if (error instanceof Unfiltered) seen.unfiltered.push(name);
      else onError(error);
    } finally {
      loaded?.close();
      if (loaded !== undefined) recycleStore(loaded.store);
    }
    if (left?.size === 0 || (seen.isFound && shows === 'nothing')) break;
  }
  return seen;
}

/** What was found of the records that are left, which then are left no more; all of it, where no matter is made of that. */
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
  return `${displayName(first)}${others} no Bloom filter${of}: any key may be there`;
}

/** How what was found is printed. */
interface Printing extends Pick<LineStyle, 'escapesNames'> {
  readonly sought: Sought;
  readonly shows: WhichOptions['shows'];
  /** Filters of several columns are asked. */
  readonly hasColumns: boolean;
  /** The byte that ends a line, as it ends the records. */
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
    const behind = sought.records.length === 1 ? [] : [Buffer.from('\t'), record];
    return Buffer.concat([Buffer.from(place), ...behind, Uint8Array.of(terminator)]);
  });
  return Buffer.concat(lines);
}

/** A record, which may be no UTF-8. */
function recordJson(bytes: Uint8Array): object {
  const record = Buffer.from(bytes);
  return isUtf8(record) ? { record: record.toString() } : { record: null, recordBase64: record.toString('base64') };
}
