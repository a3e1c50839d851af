import type { ByteSource } from '../../io/source.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { areDecoded, configureSelection } from './configure-selection.ts';
import { type Digests, NO_DIGESTS, VISIT_LIMIT } from './digests.ts';
import { selectionIn } from './header.ts';
import { createKeyBatch } from './key-batch.ts';
import { createScratch } from './key-encoding.ts';
import { isWhole, LONGEST_RECORD, terminatorOf, tooLong } from './key-selection.ts';
import { looksUpSeveral } from './key-variants.ts';
import { createRecordBuffer, type RecordBuffer } from './record-buffer.ts';
import { cutDigest, DIGEST_BYTES } from './record-ends.ts';
import { type FieldRange, mayBeSeveral } from './record-keys.ts';
import {
  type Consumer,
  type Found,
  NO_LIMIT,
  type OnRead,
  type Scanner,
  type ScannerOptions,
  STATUS,
} from './scanning.ts';

/** Bytes per read: large enough to amortise the call, small enough to stay in the L2 cache until hashed. */
const PIECE = 256 * 1024;

/** Bytes that are reserved per record of a batch, about the length of a line. */
const BYTES_PER_RECORD = 32;

/** Configures a kernel to turn bytes into digests. Only one scanner at a time may use a kernel. */
export function createScanner(kernel: Kernel, options: ScannerOptions, consumer: Consumer): Scanner {
  const { exports: entries } = kernel;
  const { selection, recordLimit = NO_LIMIT, keepRecords = false, longest = LONGEST_RECORD } = options;
  if (selection.areDigests) return createDigestReader(kernel, consumer);
  if (!selection.hasHeader) configureSelection(kernel, selection, options.rules);
  const size = keepRecords ? Math.max(PIECE, BYTES_PER_RECORD * recordLimit) : 2 * PIECE;
  const buffer = createRecordBuffer(kernel, size, longest + PIECE);
  const { drain, endBatch, tally, commentsBefore } = createBatches(kernel, options, buffer, consumer);

  const columns = createColumns(kernel, options, endBatch);
  const makeSpace = () => {
    if (!keepRecords) buffer.rewind();
    if (buffer.hasSpaceFor(PIECE)) return;
    if (entries.recordCount.value > 0) endBatch();
    if (!buffer.hasSpaceFor(PIECE)) buffer.enlarge();
  };
  /** Space for the next bytes: at most as many as show that a record is too long. */
  const nextSpace = (name: string): Uint8Array => {
    const most = Math.min(PIECE, unsigned(entries.recordStart) + longest + 1 - buffer.end());
    if (most === 0) throw tooLong(name, terminatorOf(selection));
    makeSpace();
    return buffer.space(most);
  };
  const scanAdded = (bytes: number) => {
    buffer.added(bytes);
    drain();
  };
  /** Reads and scans the next bytes; returns false at the end of the source. */
  const readOn = async (source: ByteSource, onRead: OnRead | undefined): Promise<boolean> => {
    const space = nextSpace(source.name);
    let bytes = source.read(space);
    if (bytes === undefined) {
      consumer.idle?.();
      bytes = await source.wait(buffer.space(space.length));
    }
    if (bytes === 0) return false;
    scanAdded(bytes);
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
      buffer.space(1)[0] = terminator;
      buffer.added(1);
    }
    drain();
  };
  return {
    endBatch,
    tally,
    commentsBefore,
    async scan(source, onRead) {
      const before = tally();
      if (selection.hasHeader) columns.select(source.fields);
      try {
        while (await readOn(source, onRead));
        endLastRecord();
      } catch (error) {
        // The record that was cut off must not become the beginning of the next source's first record.
        buffer.cutOff();
        entries.leaveQuotes();
        throw error;
      }
      return foundSince(before, tally());
    },
    scanText(name, text) {
      const before = tally();
      for (let at = 0; at < text.length; ) {
        const space = nextSpace(name);
        const piece = at === 0 && text.length <= space.length ? text : text.subarray(at, at + space.length);
        space.set(piece);
        scanAdded(piece.length);
        at += piece.length;
      }
      endLastRecord();
      return foundSince(before, tally());
    },
  };
}

/** The records and keys of a scan, from the counts of all scans before and after it. */
function foundSince(before: Found, now: Found): Found {
  const [records, keys] = [now.records - before.records, now.keys - before.keys];
  return now.keyed === undefined ? { records, keys } : { records, keys, keyed: now.keyed - (before.keyed ?? 0) };
}

/** Configures the kernel for the columns of one input after the other. Records of other columns are in another batch. */
function createColumns(kernel: Kernel, { selection, rules }: ScannerOptions, endBatch: () => void) {
  let present: string | undefined;
  return {
    select(fields: readonly FieldRange[] | undefined) {
      const wanted = JSON.stringify(fields ?? []);
      if (wanted === present) return;
      if (present !== undefined) endBatch();
      present = wanted;
      configureSelection(kernel, selectionIn(selection, fields), rules);
    },
  };
}

/** Passes the records of a buffer to a consumer. */
interface Batches extends Pick<Scanner, 'endBatch' | 'tally' | 'commentsBefore'> {
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
    looksUp = false,
    answered = [],
  } = options;
  const isSeveral = looksUp ? looksUpSeveral(rules) : rules.some(({ marked }) => marked !== undefined);
  const keys = createKeyBatch(kernel, rules, {
    areRecords: isWhole(selection) && !isSeveral,
    countsOwners: countsKeyed && (isSeveral || mayBeSeveral(selection.keys)),
    countsEmpty,
    looksUp,
    answered,
  });
  const scratchFor = areDecoded(selection) ? createScratch(kernel) : undefined;
  const ends = keepRecords ? kernel.reserve(4 * recordLimit) : 0;
  const begin = () => {
    entries.configureBatch(keys.found.spans, keys.found.owners, keys.limit, ends, recordLimit);
    entries.clearRecords();
  };
  begin();

  const commentsBefore = (record: number) => entries.countSkipped(buffer.start(), record);
  const recordsInBatch = () => entries.recordCount.value - commentsBefore(entries.recordCount.value);
  let endedRecords = 0;
  /** Records of the batches before, including skipped records. */
  let recordsBefore = 0;
  const handTo =
    (to: Consumer['keys']) =>
    ({ address, count, owners, firstOwner }: Digests, rule: number) =>
      to({ address, count, owners, firstOwner, recordsBefore }, rule);
  const [handOn, handLast] = [handTo(consumer.keys), handTo(consumer.lastKeys)];
  const endBatch = () => {
    keys.take(handLast);
    const count = entries.recordCount.value;
    consumer.records?.({ count, start: buffer.start(), ends });
    endedRecords += recordsInBatch();
    recordsBefore += count;
    begin();
    buffer.rewind();
  };
  return {
    endBatch,
    drain() {
      for (;;) {
        if (scratchFor !== undefined) entries.configureDecoded(scratchFor(buffer.size()));
        const status = entries.scan(buffer.end());
        keys.digest(buffer.size());
        if (keys.isFull()) keys.take(handOn);
        if (status === STATUS.drained) return;
        if (status === STATUS.recordsFull) endBatch();
        else if (!isSeveral) keys.take(handOn);
      }
    },
    tally: () => keys.tally(endedRecords + recordsInBatch()),
    commentsBefore,
  };
}

/** Reads digests that were made before. Each digest is a record and its key, and is handed over at once. */
function createDigestReader(kernel: Kernel, consumer: Consumer): Scanner {
  const size = DIGEST_BYTES * VISIT_LIMIT;
  const address = kernel.reserve(size);
  let total = 0;
  /** Bytes of an incomplete digest. */
  let rest = 0;
  const take = (bytes: number) => {
    const end = rest + bytes;
    const count = Math.floor(end / DIGEST_BYTES);
    consumer.keys({ address, count, owners: 0, firstOwner: 0, recordsBefore: total }, 0);
    total += count;
    rest = end - DIGEST_BYTES * count;
    kernel.bytes(address, size).copyWithin(0, DIGEST_BYTES * count, end);
  };
  const space = () => kernel.bytes(address + rest, size - rest);
  return {
    async scan(source: ByteSource, onRead) {
      const before = total;
      rest = 0;
      for (;;) {
        let bytes = source.read(space());
        if (bytes === undefined) {
          consumer.idle?.();
          bytes = await source.wait(space());
        }
        if (bytes === 0) break;
        take(bytes);
        const pause = onRead?.(bytes);
        if (pause !== undefined) await pause;
      }
      if (rest > 0) throw cutDigest(source.name);
      return { records: total - before, keys: total - before };
    },
    endBatch: () => consumer.lastKeys({ ...NO_DIGESTS, recordsBefore: total }, 0),
    tally: () => ({ records: total, keys: total }),
    commentsBefore: () => 0,
  };
}
