import type { ByteSource } from '../../io/source.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { areDecoded, configureSelection } from './configure-selection.ts';
import { createDigestReader } from './digest-reader.ts';
import type { Digests } from './digests.ts';
import { createKeyBatch } from './key-batch.ts';
import { createRoom } from './key-encoding.ts';
import { isWhole, LONGEST_RECORD, terminatorOf, tooLong } from './key-selection.ts';
import { createRecordBuffer, type RecordBuffer } from './record-buffer.ts';
import { mayBeSeveral } from './record-keys.ts';
import { type Consumer, NO_LIMIT, type OnRead, type Scanner, type ScannerOptions, STATUS } from './scanning.ts';

/** Bytes per read: large enough to amortise the call, small enough to stay in the L2 cache until hashed. */
const PIECE = 256 * 1024;

/** Bytes that are reserved per record of a batch, about the length of a line. */
const BYTES_PER_RECORD = 32;

/** Configures a kernel to turn bytes into digests. Only one scanner at a time may use a kernel. */
export function createScanner(kernel: Kernel, options: ScannerOptions, consumer: Consumer): Scanner {
  const { exports: entries } = kernel;
  const { selection, recordLimit = NO_LIMIT, keepRecords = false, longest = LONGEST_RECORD } = options;
  if (selection.areDigests) return createDigestReader(kernel, consumer);
  configureSelection(kernel, selection);
  const size = keepRecords ? Math.max(PIECE, BYTES_PER_RECORD * recordLimit) : 2 * PIECE;
  const buffer = createRecordBuffer(kernel, size, longest + PIECE);
  const { drain, settle, tally, commentsBefore } = createBatches(kernel, options, buffer, consumer);

  const makeRoom = () => {
    if (!keepRecords) buffer.rewind();
    if (buffer.hasRoomFor(PIECE)) return;
    if (entries.recordCount.value > 0) settle();
    if (!buffer.hasRoomFor(PIECE)) buffer.enlarge();
  };
  /** Reads and scans the next bytes; returns false at the end of the source. */
  const readOn = async (source: ByteSource, onRead: OnRead | undefined): Promise<boolean> => {
    // At most as many bytes as show that a record is too long.
    const most = Math.min(PIECE, unsigned(entries.recordStart) + longest + 1 - buffer.end());
    if (most === 0) throw tooLong(source.name, terminatorOf(selection));
    makeRoom();
    let bytes = source.read(buffer.room(most));
    if (bytes === undefined) {
      consumer.idle?.();
      bytes = await source.wait(buffer.room(most));
    }
    if (bytes === 0) return false;
    buffer.added(bytes);
    drain();
    const pause = onRead?.(bytes);
    if (pause !== undefined) await pause;
    return true;
  };
  const endLastRecord = () => {
    if (unsigned(entries.recordStart) === buffer.end()) return;
    const terminator = terminatorOf(selection);
    entries.leaveQuotes();
    // A last CSV record whose quote is not closed may end with a terminator.
    const last = buffer.end() - 1;
    if (kernel.bytes(last, 1)[0] === terminator) entries.seek(entries.recordStart.value, last);
    else {
      buffer.room(1)[0] = terminator;
      buffer.added(1);
    }
    drain();
  };
  return {
    settle,
    tally,
    commentsBefore,
    async scan(source, onRead) {
      const before = tally();
      try {
        while (await readOn(source, onRead));
        endLastRecord();
      } catch (error) {
        // The record that was cut off must not become the beginning of the next source's first record.
        buffer.cutOff();
        entries.leaveQuotes();
        throw error;
      }
      const now = tally();
      return {
        records: now.records - before.records,
        keys: now.keys - before.keys,
        ...(now.keyed !== undefined && { keyed: now.keyed - (before.keyed ?? 0) }),
        ...(now.empty !== undefined && { empty: now.empty - (before.empty ?? 0) }),
      };
    },
  };
}

/** Passes the records of a buffer to a consumer. */
interface Batches extends Pick<Scanner, 'settle' | 'tally' | 'commentsBefore'> {
  /** Scans to the end of the buffer, and hands over full batches. */
  drain(): void;
}

function createBatches(kernel: Kernel, options: ScannerOptions, buffer: RecordBuffer, consumer: Consumer): Batches {
  const { exports: entries } = kernel;
  const {
    selection,
    rules,
    recordLimit = NO_LIMIT,
    keepRecords = false,
    countsKeyed = true,
    countsEmpty = false,
  } = options;
  const keys = createKeyBatch(kernel, rules, {
    areRecords: isWhole(selection),
    countsOwners: countsKeyed && mayBeSeveral(selection.keys),
    countsEmpty,
  });
  const roomFor = areDecoded(selection) ? createRoom(kernel) : undefined;
  const ends = keepRecords ? kernel.reserve(4 * recordLimit) : 0;
  const begin = () => {
    entries.configureBatch(keys.spans, keys.owners, keys.limit, ends, recordLimit);
    entries.clearRecords();
  };
  begin();

  const commentsBefore = (record: number) => entries.countLeftOut(buffer.start(), record);
  const unsettled = () => entries.recordCount.value - commentsBefore(entries.recordCount.value);
  let settledRecords = 0;
  /** Records of the batches before, including skipped records. */
  let recordsBefore = 0;
  const handTo = (to: Consumer['keys']) => (digests: Digests, rule: number) => to({ ...digests, recordsBefore }, rule);
  const [handOn, handLast] = [handTo(consumer.keys), handTo(consumer.lastKeys)];
  const settle = () => {
    keys.take(handLast);
    const count = entries.recordCount.value;
    consumer.records?.({ count, start: buffer.start(), ends });
    settledRecords += unsettled();
    recordsBefore += count;
    begin();
    buffer.rewind();
  };
  return {
    settle,
    drain() {
      for (;;) {
        if (roomFor !== undefined) entries.configureDecoded(roomFor(buffer.size()));
        const status = entries.scan(buffer.end());
        keys.digest(buffer.size());
        if (status === STATUS.drained) return;
        if (status === STATUS.keysFull) keys.take(handOn);
        else settle();
      }
    },
    tally: () => ({ records: settledRecords + unsettled(), ...keys.tally() }),
    commentsBefore,
  };
}
