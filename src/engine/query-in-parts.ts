// Queries of filters that are larger than the memory. The digests of all records go to temporary files, one per part of a filter. Each
// part is then loaded once, and looks up its digests. At the end the records are read again, and are printed or counted with their answers.

import { BloomError } from '../errors.ts';
import type { PositionedFile } from '../io/positioned.ts';
import { openTemporaryFile } from '../io/temporary-file.ts';
import { areRegular, type Observer } from './input/input.ts';
import { keptInputs } from './input/kept-inputs.ts';
import { boundsOfParts, writeDigests } from './make-digests.ts';
import { countsOf } from './reading.ts';
import type { FilterParts } from './store/filter-parts.ts';
import { changedInput } from './tasks/known-answers.ts';
import { openMark } from './tasks/mark-records.ts';
import { rowsOf } from './tasks/noted-answers.ts';
import type { Tally } from './tasks/tally.ts';
import type { KnownAnswers, MarkSpec, TestedFilter, TestSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { NUMBERED_BYTES } from './tasks/write-digests.ts';
import { type Pass, runPass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';

/** A query, and the parts of each of its filters. */
export interface QueryInParts extends Omit<Pass, 'spec'> {
  readonly spec: TestSpec;
  readonly parts: readonly FilterParts[];
}

/**
 * Looks up the records of inputs, as `runPass` does. Records that can be read only once are copied to a temporary file. Throws a `changed`
 * error if a file changes meanwhile.
 */
export async function queryInParts(query: QueryInParts): Promise<TaskResult[]> {
  const { spec, inputs, observer } = query;
  // With one filter, the number of keys that it has needs no second reading.
  const needsRecords = spec.countsKeys !== true || spec.filters.length > 1;
  const isReadOnce = !needsRecords || areRegular(inputs);
  const kept = isReadOnce ? { inputs, close: () => {} } : await keptInputs(inputs, spec.selection, observer);
  try {
    const found = await lookUp({ ...query, inputs: kept.inputs }, needsRecords);
    return needsRecords ? await answerKnown({ ...query, inputs: kept.inputs }, found) : [found.result];
  } finally {
    kept.close();
  }
}

/** The results of the look-ups. */
interface LookedUp {
  readonly known: KnownAnswers;
  /** The inputs that could be read. */
  readonly readable: readonly number[];
  /** The counts, with the keys that are maybe present. */
  readonly result: TaskResult;
}

/** Looks up the keys of all inputs in all filters. */
async function lookUp(query: QueryInParts, needsRecords: boolean): Promise<LookedUp> {
  const { spec, parts } = query;
  const rows = rowsOf(spec);
  const marks: Uint32Array[] = [];
  let keyed: Uint32Array | undefined;
  let read: Written | undefined;
  let positives = 0;
  for (const [i, filter] of spec.filters.entries()) {
    const ofFilter = parts[i];
    if (ofFilter === undefined) throw new Error(`filter ${i} has no parts`);
    const written = await writeNumbered(query, filter, ofFilter, read === undefined);
    try {
      read ??= written;
      requireSame(read.ends, written.ends);
      const row = rows === 1 ? 0 : i;
      if (needsRecords) {
        const records = read.ends.at(-1) ?? 0;
        marks[row] ??= bitsFor(records);
        if (spec.selection.needsAll) keyed ??= bitsFor(records);
      }
      for (let part = 1; part <= ofFilter.parts; part++) {
        const file = written.files[part - 1];
        if (file === undefined || file.size === 0) continue;
        const { selection } = spec;
        positives += await markRecords(query, {
          ...{ type: 'mark', selection, rules: filter.rules, filter: ofFilter.open(part), file },
          ...{ next: new Int32Array(new SharedArrayBuffer(4)), marks: marks[row], keyed },
        });
      }
    } finally {
      written.close();
    }
  }
  if (read === undefined) throw new Error('no filter is queried');
  const { ends, readable, tally } = read;
  return { known: { marks, keyed, ends }, readable, result: { ...tally, type: 'tally', positives } };
}

/** One bit per record, shared by all threads. */
function bitsFor(records: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * Math.ceil(records / 32)));
}

/** The digests of all records in temporary files, one per part of a filter. */
interface Written {
  readonly files: readonly PositionedFile[];
  readonly readable: readonly number[];
  /** Per readable input, the records up to its end, skipped records included. */
  readonly ends: readonly number[];
  readonly tally: Tally;
  close(): void;
}

const NAME = 'the temporary file of digests';

function fileOfDigests(fd: number, size: number): PositionedFile {
  return { name: NAME, content: 'records', handle: fd, size };
}

/** Writes the digests of a filter. Inputs that cannot be read are reported in the first reading. */
async function writeNumbered(
  { context, pool, inputs, spec: { selection }, observer, onCutOff }: QueryInParts,
  { rules }: TestedFilter,
  { segments, parts }: FilterParts,
  isFirst: boolean,
): Promise<Written> {
  const files = Array.from({ length: parts }, () => openTemporaryFile('digests'));
  const close = () => {
    for (const file of files) file.close();
  };
  const records = inputs.map(() => 0);
  const unreadable = new Set<number>();
  try {
    const { counts, ...tally } = await writeDigests(
      {
        ...{ context, pool, inputs, spec: { selection, rules, numbered: true } },
        observer: wholeInputsOnly(observer, isFirst),
        onTally(input, found) {
          records[input] = (records[input] ?? 0) + found.records;
          return false;
        },
        onCutOff(input) {
          unreadable.add(input);
          onCutOff?.(input);
        },
      },
      files.map(({ fd }) => ({ fd, name: NAME })),
      boundsOfParts(segments, parts),
    );
    const readable = [...inputs.keys()].filter((input) => !unreadable.has(input));
    let end = 0;
    const ends = readable.map((input) => {
      end += records[input] ?? 0;
      return end;
    });
    const positioned = files.map(({ fd }, i) => fileOfDigests(fd, NUMBERED_BYTES * (counts[i] ?? 0)));
    return { files: positioned, readable, ends, tally: { ...tally, positives: 0, elsewhere: 0 }, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Reports inputs that cannot be opened if `isFirst`. Any other failure ends the query, because the numbers of later records would be wrong.
 */
function wholeInputsOnly(observer: Observer, isFirst: boolean): Observer {
  return {
    ...observer,
    onUnreadable(error, isBegun) {
      if (isBegun || !isFirst)
        throw new BloomError('input', `${error.message}; no record was printed after that`, error.hint);
      observer.onUnreadable(error, isBegun);
    },
  };
}

/** Throws a `changed` error unless a reading has found as many records as the first one. */
function requireSame(first: readonly number[], now: readonly number[]): void {
  if (first.length === now.length && first.every((end, i) => end === now[i])) return;
  throw changedInput();
}

/** Marks the records of numbered digests with all threads. Returns the number of keys that are maybe present. */
async function markRecords({ context, pool, observer }: QueryInParts, spec: MarkSpec): Promise<number> {
  if (spec.file.size >= pool.settings.worthwhile) pool.start();
  const open = pool.isStarted() ? pool.sendAll({ type: 'open', spec }) : [];
  const [own] = await Promise.all([openMark(context, spec, observer), open]);
  const others = pool.isStarted() ? await pool.sendAll({ type: 'finish' }) : [];
  const results = [own.finish(), ...others.flatMap((reply) => (reply.type === 'finished' ? [reply.result] : []))];
  return countsOf(results).positives;
}

/** Prints or counts the records of inputs with their known answers, in one thread. */
async function answerKnown(query: QueryInParts, { known, readable }: LookedUp): Promise<TaskResult[]> {
  const { context, spec, inputs, observer, onTally } = query;
  const pool = createWorkerPool(1);
  return runPass({
    ...{ context, pool, observer: wholeInputsOnly(observer, false) },
    inputs: readable.flatMap((input) => inputs[input] ?? []),
    spec: { ...spec, known, bySource: true },
    onTally: (input, tally) => onTally?.(readable[input] ?? input, tally) ?? false,
  });
}
