import { isUtf8 } from 'node:buffer';
import { hashRecords, recordsOf } from '../engine/hashed-records.ts';
import { type FileIndex, openIndex } from '../engine/index/open-index.ts';
import { type RecordSource, selectionIn } from '../engine/input/header.ts';
import { type KeySelection, terminatorOf } from '../engine/input/key-selection.ts';
import { openRecords } from '../engine/input/open-records.ts';
import { BloomError, UnreadableInput } from '../errors.ts';
import type { Output } from '../io/atomic-file.ts';
import { STDOUT } from '../io/descriptors.ts';
import { displayName, isUrl, lookAt, resultName } from '../io/look.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { type Sink, sinkFor } from '../io/sink.ts';
import { readWhole } from '../io/source.ts';
import { isTerminal } from '../io/terminal.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { KEY_FLAGS, listsOf, parseSelection, WHOLE_KEY } from '../options/selection.ts';
import { refuseUnused } from '../options/unused.ts';
import { plural } from '../quantities.ts';
import { type Messenger, messenger } from '../terminal/messages.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { inputsOf, recordsOfKeys, remarkOnInputs, standardInputWithout } from './inputs.ts';
import { type QueryFlags, refuseCsv, resultsOutput } from './query-options.ts';
import { jsonLine } from './report/json-line.ts';
import { intoFile } from './results.ts';
import { watchWork } from './watch.ts';

/** A query of an index. */
interface IndexQuery {
  readonly index: string;
  /** The index, if it is on a server. */
  readonly opened?: ServerFile | undefined;
  readonly files: readonly string[];
  readonly lists: ReturnType<typeof listsOf>;
  /** Keys of the command line. They replace the standard input. */
  readonly keys: readonly string[] | undefined;
  readonly selection: KeySelection;
  /** A file must have all keys of the command line. */
  readonly needsAll: boolean;
  /** Print the files without the keys, or the records that are in no file. */
  readonly isInverted: boolean;
  readonly shows: 'lines' | 'JSON' | 'count' | 'nothing';
  /** The byte that ends a line of the output. */
  readonly end: string;
  /** Warn of files that changed after they were indexed. */
  readonly tellsStale: boolean;
  readonly output: Output | undefined;
  readonly colour: CommonFlags['color'];
}

/** Prints the files of an index that may have some keys. */
export async function queryIndex(
  index: string,
  files: readonly string[],
  raw: QueryFlags,
  opened?: ServerFile,
): Promise<ExitCode> {
  const query = { ...parse(index, files, raw), opened };
  const say = await messenger(query.colour);
  const isWhole = (status: ExitCode) => status !== EXIT.failure;
  return intoFile(query.output, [index, ...files], say, (into) => answerInto(sinkFor(into), query), isWhole);
}

/** Why a flag has no effect on an index. */
const ON_INDEX = 'a query of an index prints the names of files';

function parse(index: string, files: readonly string[], raw: QueryFlags): IndexQuery {
  refuseUnused(raw, ['maxCount', 'onlyMatching', 'filesWithMatches', 'filesWithoutMatch', 'lineNumber'], ON_INDEX);
  refuseUnused(raw, ['withFilename', 'tag', 'summary', 'lineBuffered', 'which', 'firstOnly', 'slice'], ON_INDEX);
  refuseCsv(raw, 'a query of an index');
  refuseUnused(raw, ['format', 'column', 'keyType', 'keyHash', 'hashed'], 'an index is not a filter');
  if (isUrl(index)) refuseUnused(raw, ['stale'], 'the files of an index on a server may not be on this machine');
  else refuseUnused(raw, ['timeout', 'httpHeader'], 'the index is not at a URL');
  if (raw.quiet) refuseUnused(raw, ['count', 'json', 'nullNames', 'output'], '--quiet prints nothing');
  if (raw.json) refuseUnused(raw, ['count', 'nullNames', 'all', 'invert'], '--json prints the files of each key');
  if (raw.count) refuseUnused(raw, ['nullNames'], 'no names of files are printed');
  if (raw.key === undefined) refuseUnused(raw, ['all'], 'without -e, each record is looked up by itself');
  else {
    refuseUnused(raw, [...KEY_FLAGS, 'raw'], WHOLE_KEY);
    if (files.length > 0)
      throw new BloomError(
        'usage',
        `keys come from -e, or from ${displayName(files[0] ?? '')}, not from both`,
        'leave out one of them',
      );
    refuseUnused(raw, ['filesFrom', 'files0From'], 'keys come from -e');
  }
  return {
    ...{ index, files, lists: listsOf(raw), keys: raw.key, selection: parseSelection(raw) },
    needsAll: raw.all === true,
    isInverted: raw.invert === true,
    shows: raw.quiet ? 'nothing' : raw.json ? 'JSON' : raw.count ? 'count' : 'lines',
    end: raw.nullNames || raw.null ? '\0' : '\n',
    tellsStale: raw.stale === true,
    output: resultsOutput(raw),
    colour: raw.color,
  };
}

async function answerInto(sink: Sink, query: IndexQuery): Promise<ExitCode> {
  const { keys, output, shows, end } = query;
  const kernel = loadKernel();
  const index = await openIndex(query.index, kernel, query.opened);
  try {
    const say = await messenger(query.colour);
    const { bytes, selection, failures } = await recordsIn(query, say);
    const { digests, owners } = await hashRecords(kernel, bytes, selection, index.header.rules);
    const found = await index.findLater(digests);
    const escapes = output === undefined && (await isTerminal(STDOUT));
    const names = new Map<number, Uint8Array>();
    const nameOf = (i: number): Uint8Array => {
      const name = names.get(i) ?? Buffer.from(resultName(index.file(i).name, escapes));
      names.set(i, name);
      return name;
    };
    const lines = gathered(sink);
    const [ending, tab] = [Buffer.from(end), Buffer.from('\t')];
    const records = recordsOf(bytes, selection);
    const ofRecords = perRecord(found, owners, records.length, selection.needsAll === true);
    const write = (...parts: readonly Uint8Array[]) => {
      for (const part of parts) lines.add(part);
      lines.add(ending);
    };
    let selected = 0;
    if (shows === 'JSON' || (shows === 'lines' && keys === undefined)) await index.fetchFiles(new Set(found.flat()));
    if (shows === 'JSON') {
      for (const [i, files] of ofRecords.entries()) {
        if (files.length > 0) selected++;
        const named = {
          ...recordJson(records[i]),
          match: files.length > 0,
          files: files.map((one) => index.file(one).name),
        };
        lines.add(Buffer.from(jsonLine(named)));
      }
    } else if (keys !== undefined) {
      const files = filesWith(ofRecords, index.header.files, query);
      selected = files.length;
      if (shows === 'lines') {
        await index.fetchFiles(files);
        for (const one of files) write(nameOf(one));
      }
    } else {
      for (const [i, files] of ofRecords.entries()) {
        if (files.length > 0 === query.isInverted) continue;
        selected++;
        const record = records[i] ?? new Uint8Array();
        if (shows !== 'lines') continue;
        if (query.isInverted) write(record);
        for (const one of files) write(record, tab, nameOf(one));
      }
    }
    lines.flush();
    if (shows === 'count') sink.write(Buffer.from(`${selected}\n`));
    const stale = query.tellsStale ? staleWarning(index) : undefined;
    if (stale !== undefined) say.warning(stale);
    if (failures > 0 && !(shows === 'nothing' && selected > 0)) return EXIT.failure;
    return selected > 0 ? EXIT.success : EXIT.negative;
  } finally {
    index.close();
  }
}

/** The warning for files that changed after they were indexed. Undefined if none did. */
function staleWarning(index: FileIndex): string | undefined {
  let first: string | undefined;
  let changed = 0;
  for (let i = 0; i < index.header.files; i++) {
    const { name, size, modified } = index.file(i);
    const stat = lookAt(name);
    if (stat?.size === size && stat.mtimeMs === modified) continue;
    first ??= name;
    changed++;
  }
  if (first === undefined) return undefined;
  const such = changed === 1 ? `: ${displayName(first)}` : `, the first of them ${displayName(first)}`;
  return `${plural(changed, 'file')} changed since ${index.name} was made${such}; repeat its bloom index command with --update`;
}

/** Bytes per write. */
const WRITTEN_BYTES = 2 ** 16;

/** Collects the parts of lines. A system call per line would take longer than the rest of the query. */
function gathered(sink: Sink) {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const flush = () => {
    if (bytes > 0) sink.write(Buffer.concat(parts));
    parts = [];
    bytes = 0;
  };
  return {
    add(part: Uint8Array) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= WRITTEN_BYTES) flush();
    },
    flush,
  };
}

/** The records that are looked up, each with its terminator, and the fields that are their keys. */
async function recordsIn(
  { files, lists, keys, selection, colour }: IndexQuery,
  say: Messenger,
): Promise<{ bytes: Uint8Array; selection: KeySelection; failures: number }> {
  if (keys !== undefined) return { bytes: recordsOfKeys(keys, selection).records, selection, failures: 0 };
  const watch = watchWork(say, colour);
  const names = await inputsOf(files, lists, watch, [], standardInputWithout(keys));
  await remarkOnInputs(names, selection, say);
  const pieces: Uint8Array[] = [];
  let fields: RecordSource['fields'];
  for (const name of names) {
    try {
      const source = await openRecords(name, selection);
      const piece = await readWhole(source).finally(() => source.close());
      if (piece.length > 0) fields = sameFields(name, fields, source.fields);
      const isOpen = piece.length > 0 && piece.at(-1) !== terminatorOf(selection);
      pieces.push(piece, ...(isOpen ? [Uint8Array.of(terminatorOf(selection))] : []));
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      watch.onUnreadable(error, false);
    }
  }
  return { bytes: Buffer.concat(pieces), selection: selectionIn(selection, fields), failures: watch.failures };
}

/** The fields of the wanted columns. All records are looked up together, so each column must have the same number in every header. */
function sameFields(name: string, before: RecordSource['fields'], fields: RecordSource['fields']) {
  if (before === undefined || JSON.stringify(before) === JSON.stringify(fields)) return fields;
  throw new UnreadableInput(
    `cannot read ${displayName(name)}: its columns are in other places than in the input before`,
    'look up the records of each file by themselves',
  );
}

/** For each record, the files that may have any of its keys, or all of them. */
function perRecord(
  found: readonly number[][],
  owners: readonly number[],
  records: number,
  needsAll: boolean,
): number[][] {
  const all: (number[] | undefined)[] = Array.from({ length: records });
  for (const [key, files] of found.entries()) {
    const record = owners[key] ?? 0;
    const before = all[record];
    if (before === undefined) all[record] = files;
    else all[record] = needsAll ? common(before, files) : union(before, files);
  }
  return all.map((files) => files ?? []);
}

function common(a: readonly number[], b: readonly number[]): number[] {
  const other = new Set(b);
  return a.filter((file) => other.has(file));
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** The files that have any of the keys, or all of them. With --invert, the other files. */
function filesWith(
  ofKeys: readonly number[][],
  files: number,
  { needsAll, isInverted }: IndexQuery,
): readonly number[] {
  const [first = [], ...others] = ofKeys;
  const having = needsAll ? others.reduce(common, first) : union(ofKeys.flat(), []);
  if (!isInverted) return having;
  const known = new Set(having);
  return Array.from({ length: files }, (_, i) => i).filter((file) => !known.has(file));
}

/** A record as JSON. It may not be UTF-8. */
function recordJson(bytes: Uint8Array = new Uint8Array()): object {
  const record = Buffer.from(bytes);
  return isUtf8(record) ? { record: record.toString() } : { record: null, recordBase64: record.toString('base64') };
}
