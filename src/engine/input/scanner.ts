import type { KeyRules } from '../../formats/bloomery/header.ts';
import { HASH_IDS } from '../../formats/bloomery/ids.ts';
import type { ByteSource } from '../../io/source.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { isWhole, type KeySelection, LONGEST_RECORD, terminatorOf, tooLong } from './key-selection.ts';

/** A batch of records that lie one after the other in kernel memory. */
export interface RecordBatch {
  readonly count: number;
  /** Address of the first record. */
  readonly start: number;
  /** Address of the u32 addresses past each record's terminator. */
  readonly ends: number;
}

/** Records of a batch with their answers: a byte each, 1 or 0, at `matches`. */
export interface AnsweredBatch extends RecordBatch {
  readonly matches: number;
}

/** Who takes what the scanner finds. */
export interface Consumer {
  /** Takes digests; their owners are the numbers of their records in the batch. */
  keys(digests: Digests): void;
  /** Takes the last digests of a batch. */
  lastKeys(digests: Digests): void;
  /** Takes the records of a batch, after all of their keys. */
  records?(batch: RecordBatch): void;
  /** There is nothing more to read for the moment: what is due should go out. */
  idle?(): void;
}

export interface ScannerOptions {
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  /** Records of a batch. */
  readonly recordLimit: number;
  /** Records are kept until the consumer has seen them; else only their keys are. */
  readonly keepRecords: boolean;
  /** Bytes that a record may have before its terminator. */
  readonly longest?: number;
}

export interface Scanner {
  /** Scans a source to its end, and returns what was in it. */
  scan(source: ByteSource, onRead?: (bytes: number) => Promise<void> | void): Promise<Found>;
  /** Ends the batch. */
  settle(): void;
  /** What was scanned in all. */
  tally(): Found;
}

/** Records, and the keys that they had. */
export interface Found {
  readonly records: number;
  readonly keys: number;
}

/** As many records as a batch may have: well below where the kernel's 32-bit counts would turn negative. */
export const NO_LIMIT = 2 ** 30;

/** Bytes of one read: large enough to amortise the call, small enough to stay in the L2 cache until scanned. */
const PIECE = 256 * 1024;

/** How many times as large as a buffer that one record fills the next one is. */
const GROWTH = 8;

/** The kernel reads and copies up to a block past the end of the input. */
const PADDING = 64;

/** Bytes kept for each record of a batch: lines are about as long. */
const BYTES_PER_RECORD = 32;

/** Codes of the kernel's `scan` and `configureRecords`. */
const STATUS = { drained: 0, keysFull: 1 };
const SELECT = { whole: 0, field: 1, tokens: 2 };

/** Sets a kernel up to turn bytes into digests. One scanner at a time may use a kernel. */
export function createScanner(kernel: Kernel, options: ScannerOptions, consumer: Consumer): Scanner {
  const { exports: run, memory } = kernel;
  const { selection, rules, recordLimit, keepRecords, longest = LONGEST_RECORD } = options;
  const terminator = terminatorOf(selection);
  const delimiter = Buffer.from(selection.delimiter ?? '');
  const delimiterAt = kernel.reserve(delimiter.length + PADDING);
  kernel.bytes(delimiterAt, delimiter.length).set(delimiter);
  const select = selection.anyToken ? SELECT.tokens : selection.field === undefined ? SELECT.whole : SELECT.field;
  run.configureRecords(
    terminator,
    select,
    selection.field ?? 0,
    delimiterAt,
    delimiter.length,
    Number(rules.ignoreCase),
    Number(rules.trim),
    HASH_IDS[rules.hash],
    rules.seed,
  );

  const digests = kernel.reserve(8 * VISIT_LIMIT);
  const owners = isWhole(selection) ? 0 : kernel.reserve(4 * VISIT_LIMIT);
  const ends = keepRecords ? kernel.reserve(4 * recordLimit) : 0;
  run.configureBatch(digests, owners, VISIT_LIMIT, ends, recordLimit);
  run.clearKeys();
  run.clearRecords();

  // The input lies in [base, limit): records that are kept from `base` on, then the incomplete one, up to `end`.
  let size = keepRecords ? Math.max(PIECE, BYTES_PER_RECORD * recordLimit) : 2 * PIECE;
  let base = kernel.reserve(size + PADDING);
  let end = base;
  run.seek(base, base);

  let settledRecords = 0;
  let keys = 0;
  /** The digests that wait; where records are their own keys, the last ones are those of the last records. */
  const handOver = (): Digests => {
    const count = run.keyCount.value;
    keys += count;
    run.clearKeys();
    return { address: digests, count, owners, firstOwner: run.recordCount.value - count };
  };
  const settle = () => {
    consumer.lastKeys(handOver());
    const count = run.recordCount.value;
    consumer.records?.({ count, start: base, ends });
    settledRecords += count;
    run.clearRecords();
    moveTo(base);
  };
  /** Moves the incomplete record to `start` and goes on there. */
  const moveTo = (start: number) => {
    const from = unsigned(run.recordStart);
    if (start === from) return;
    const searched = unsigned(run.searchFrom) - from;
    new Uint8Array(memory.buffer).copyWithin(start, from, end);
    end = start + (end - from);
    run.seek(start, start + searched);
  };
  const drain = () => {
    for (;;) {
      const status = run.scan(end);
      if (status === STATUS.drained) return;
      if (status === STATUS.keysFull) consumer.keys(handOver());
      else settle();
    }
  };
  /** Room for one read, at `end`. */
  const makeRoom = () => {
    if (!keepRecords) moveTo(base);
    if (end + PIECE <= base + size) return;
    if (run.recordCount.value > 0) settle();
    if (end + PIECE <= base + size) return;
    // One record fills the buffer. The old one is given up; of the new one only what is read takes memory.
    size = Math.min(GROWTH * size, longest + PIECE);
    const larger = kernel.reserve(size + PADDING);
    moveTo(larger);
    base = larger;
  };

  const readAll = async (source: ByteSource, onRead?: (bytes: number) => Promise<void> | void) => {
    for (;;) {
      // No more than shows that a record is too long.
      const most = Math.min(PIECE, unsigned(run.recordStart) + longest + 1 - end);
      if (most === 0) throw tooLong(source.name, terminator);
      makeRoom();
      let bytes = source.read(kernel.bytes(end, most));
      if (bytes === undefined) {
        consumer.idle?.();
        bytes = await source.wait(kernel.bytes(end, most));
      }
      if (bytes === 0) break;
      end += bytes;
      drain();
      const pause = onRead?.(bytes);
      if (pause !== undefined) await pause;
    }
    if (unsigned(run.recordStart) < end) {
      kernel.bytes(end++, 1)[0] = terminator;
      drain();
    }
  };

  const tally = (): Found => ({ records: settledRecords + run.recordCount.value, keys: keys + run.keyCount.value });
  return {
    settle,
    tally,
    async scan(source, onRead) {
      const before = tally();
      try {
        await readAll(source, onRead);
        const now = tally();
        return { records: now.records - before.records, keys: now.keys - before.keys };
      } catch (error) {
        // The record that was cut off must not become the beginning of the next source's first one.
        end = unsigned(run.recordStart);
        run.seek(end, end);
        throw error;
      }
    },
  };
}
