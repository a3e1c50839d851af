import type { Sink } from '../../io/sink.ts';
import type { AnsweredBatch } from '../input/scanning.ts';
import { createEnough } from './enough.ts';
import { createLinePrinter, type LinePrinter } from './line-printer.ts';
import type { Tally } from './tally.ts';
import type { DedupSpec, SourcePart, TestSpec } from './task.ts';
import type { ThreadContext } from './thread-context.ts';
import { awaitTurn, passTurn } from './turns.ts';

/** Records per batch. A filter that fits in the cache should find the records there too; a larger filter needs several keys per segment. */
export const SMALL_BATCH = 2 ** 14;
const LARGE_BATCH = 2 ** 21;
const RECORDS_PER_SEGMENT = 2 ** 13;

/** The largest number of records that are answered together. */
export function batchRecords(segments: number): number {
  return segments === 1 ? SMALL_BATCH : Math.min(LARGE_BATCH, RECORDS_PER_SEGMENT * segments);
}

/** Records per batch in an ordered pass: a thread may wait for its turn, and a filter that grows needs many keys per segment. */
const ORDERED_BATCH = 2 ** 17;

/** The largest number of records that are answered together in an ordered pass, in which all records before them are answered first. */
export function orderedBatchRecords({ seen }: DedupSpec): number {
  return Math.max(ORDERED_BATCH, batchRecords(seen[0]?.[0]?.filter.payload.shape.segments ?? 1));
}

/** The destination of answered records, part by part. */
export interface RecordOutput {
  start(part: SourcePart): void;
  print(batch: AnsweredBatch): void;
  flush(): void;
  /** `isCutOff`: the file cannot be read further, so the later parts of the file are not printed. */
  end(isCutOff: boolean): void;
  /** The tally of the printed records; undefined without a limit on them. */
  accepted(): Omit<Tally, 'keys'> | undefined;
}

const NO_OUTPUT: RecordOutput = { start() {}, print() {}, flush() {}, end() {}, accepted: () => undefined };

/** How records are printed; without a style they are not printed. */
export type Printing = Pick<TestSpec, 'print' | 'selection' | 'stopAt'>;

/** Prints the records of a part, or their keys, once it is the part's turn. */
export function openOutput(
  { kernel, onPrinting }: ThreadContext,
  printing: Printing,
  sink: Sink,
  keyPrinter?: LinePrinter,
): RecordOutput {
  const { print: style, selection, stopAt } = printing;
  if (style === undefined) return NO_OUTPUT;
  const printer = keyPrinter ?? createLinePrinter(kernel, style, selection.nullTerminated, sink);
  const enough = stopAt && createEnough(stopAt);
  let part: SourcePart | undefined;
  let started = false;
  /** NaN if the file was cut off before. */
  let recordsBefore = 0;
  /** Waits for the turn of the part, and reads the number of records before it. */
  const begin = () => {
    if (started || part === undefined) return;
    started = true;
    if (part.turn !== undefined) {
      onPrinting?.();
      awaitTurn(part.turn.turns, part.turn.number);
    }
    recordsBefore = part.first ? 0 : (part.turn?.turns.records[0] ?? 0);
    enough?.start(part.first ? 0 : (part.turn?.turns.selected[0] ?? 0));
    printer.startFile(part.name, recordsBefore);
  };
  return {
    start(next) {
      part = next;
      started = false;
    },
    print(batch) {
      begin();
      if (Number.isNaN(recordsBefore)) return;
      const count = enough?.take(kernel.bytes(batch.matches, batch.count)) ?? batch.count;
      recordsBefore += count;
      printer.print({ ...batch, count });
    },
    flush: printer.flush,
    end(isCutOff) {
      begin();
      if (part?.turn === undefined) return;
      passTurn(part.turn.turns, part.turn.number, isCutOff ? Number.NaN : recordsBefore, enough?.selected());
    },
    accepted: () => enough?.accepted(),
  };
}
