import { resultName } from '../../io/look.ts';
import type { Sink } from '../../io/sink.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createKeyFinder } from '../input/key-finder.ts';
import type { AnsweredBatch } from '../input/scanning.ts';
import type { BatchAnswers } from './answers.ts';
import { around, inColour, type LineColours, leading } from './colours.ts';
import type { LinePrinter } from './line-printer.ts';
import { type LineStyle, WANTED } from './line-style.ts';

/** A key that matched. */
interface Match {
  /** Addresses of the key's first byte, and of the byte after its last. */
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
  /** The names of the filters that have the key, if they are printed. */
  readonly filters: string;
}

/** Prints records with the matching keys in colour, or only these keys, as grep does. Made for terminals, and not for speed. */
export function createColouredPrinter(
  kernel: Kernel,
  style: LineStyle & { readonly colours: LineColours },
  terminator: number,
  answers: BatchAnswers,
  sink: Sink,
): LinePrinter {
  const { wanted, colours } = style;
  const isAlone = style.keys === 'alone';
  const filtersOf = createFilterNames(kernel, style);
  const find = createMatchFinder(kernel, answers, isAlone ? wanted : WANTED.present, filtersOf);
  const { write, writeText, writeMatch, flush } = createColouredWriter(colours, sink);
  let file = '';
  let recordsBefore = 0;
  const writeLead = (isMatch: boolean, record: number, filters: string) => {
    const tag = style.tag ? (isMatch ? '+' : '-') : '';
    const number = style.numbered ? leading(`${recordsBefore + record + 1}`, 'line', colours) : '';
    writeText(tag + filters + file + number);
  };
  const writeRecord = (start: number, end: number, matches: readonly Match[]) => {
    for (const [from, to, isShown] of cut(start, end, matches))
      (isShown ? writeMatch : write)(kernel.bytes(from, to - from));
  };
  return {
    startFile(name, before) {
      recordsBefore = before;
      file =
        style.named && name !== undefined
          ? leading(resultName(name, style.escapesNames), 'file', colours, style.afterName)
          : '';
    },
    print(batch) {
      const matches = kernel.bytes(batch.matches, batch.count).slice();
      // Absent records have no matching keys, so nothing in them is coloured. With `alone`, their absent keys are printed.
      const found = wanted === WANTED.absent && !isAlone ? NO_KEYS : find(batch, matches);
      const ends = new Uint32Array(kernel.memory.buffer, batch.ends, batch.count).slice();
      for (const [record, match] of matches.entries()) {
        if (match !== wanted && wanted !== WANTED.all) continue;
        const isMatch = match === WANTED.present;
        const keys = found.get(record) ?? [];
        if (!isAlone) {
          writeLead(isMatch, record, filtersOf(batch, record));
          writeRecord(ends[record - 1] ?? batch.start, ends[record] ?? 0, keys);
          continue;
        }
        for (const { bytes, filters } of keys) {
          writeLead(isMatch, record, filters);
          writeMatch(bytes);
          write(Uint8Array.of(terminator));
        }
      }
      recordsBefore += batch.count;
    },
    flush,
  };
}

/** Cuts a record where keys in it begin and end. */
function cut(start: number, end: number, matches: readonly Match[]): [from: number, to: number, isMatch: boolean][] {
  const pieces: [number, number, boolean][] = [];
  let at = start;
  for (const { from, to } of matches) {
    // A key that differs from its bytes in the record cannot be coloured there. The overlap with a previous key is coloured already.
    if (from < start || to > end || to <= at) continue;
    const next = Math.max(at, from);
    pieces.push([at, next, false], [next, to, true]);
    at = to;
  }
  return [...pieces, [at, end, false]];
}

/** The text before a record or key, by its index in the batch. */
type FilterNames = (answered: AnsweredBatch, index: number) => string;

/** The names of the filters that have the record or key, if names are printed. */
function createFilterNames(kernel: Kernel, style: LineStyle): FilterNames {
  const { filterNames = [], colours } = style;
  return ({ rows }, index) => {
    if (rows === undefined || filterNames.length === 0) return '';
    const { address, stride } = rows;
    const having = filterNames.filter((_, filter) => kernel.bytes(address + stride * filter + index, 1)[0] === 1);
    return `${having.map((name) => inColour(resultName(name, style.escapesNames), 'file', colours)).join(',')}\t`;
  };
}

const NO_KEYS: ReadonlyMap<number, readonly Match[]> = new Map();

/** Finds the keys with the wanted answer in the records of a batch that have this answer. The result maps record numbers to keys. */
function createMatchFinder(
  kernel: Kernel,
  { rules, digests, conclude }: BatchAnswers,
  wanted: number,
  filtersOf: FilterNames,
) {
  const found = new Map<number, Match[]>();
  const { find } = createKeyFinder(kernel, rules, {
    digests,
    keys({ count, spans, records }) {
      conclude(count, (answered) => {
        const answers = kernel.bytes(answered.matches, count);
        const spanWords = new Uint32Array(kernel.memory.buffer, spans, 2 * count);
        for (const [key, record] of records.entries()) {
          if (answers[key] !== wanted) continue;
          const [from = 0, length = 0] = spanWords.subarray(2 * key);
          const match = {
            from,
            to: from + length,
            bytes: kernel.bytes(from, length).slice(),
            filters: filtersOf(answered, key),
          };
          const others = found.get(record);
          if (others === undefined) found.set(record, [match]);
          else others.push(match);
        }
      });
    },
  });
  return (batch: AnsweredBatch, matches: Uint8Array): ReadonlyMap<number, readonly Match[]> => {
    found.clear();
    find(batch, matches, wanted);
    return found;
  };
}

/** Bytes that are collected before they are written. */
const ENOUGH = 64 * 1024;

/** Collects the output, and writes matching keys in their colour. */
function createColouredWriter(colours: LineColours, sink: Sink) {
  const [before, after] = around(colours.match, colours).map((text) => Buffer.from(text));
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  const flush = () => {
    if (waiting > 0) sink.write(Buffer.concat(pieces));
    pieces = [];
    waiting = 0;
  };
  const write = (bytes: Uint8Array) => {
    pieces.push(bytes.slice());
    waiting += bytes.length;
    if (waiting >= ENOUGH) flush();
  };
  return {
    flush,
    write,
    writeText: (text: string) => write(Buffer.from(text)),
    writeMatch(bytes: Uint8Array) {
      if (bytes.length === 0) return;
      for (const piece of [before, bytes, after]) if (piece !== undefined) write(piece);
    },
  };
}
