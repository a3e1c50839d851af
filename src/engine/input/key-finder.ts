import type { KeyRules } from '../../formats/description.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { createKeyBatch } from './key-batch.ts';
import { NO_LIMIT, type RecordBatch, STATUS } from './scanning.ts';

/** Some keys of the records of a batch, in their order. */
export interface FoundKeys {
  readonly count: number;
  /** Address of their u64 spans, which are those of bytes as they were read. */
  readonly spans: number;
  /** The record of each, by its number in the batch. */
  readonly records: Uint32Array;
}

/** Who takes keys that are found once more. */
interface FoundConsumer {
  /** Takes digests of keys by rules of a number; their owners are the numbers of the keys. */
  digests(digests: Digests, rule: number): void;
  /** Takes the keys, after all of their digests. */
  keys(found: FoundKeys): void;
}

/** Finds keys once more, where it is wanted which ones a record has. */
export interface KeyFinder {
  /** Hands over the keys of those records of a batch whose byte of `matches` is this, some at a time. The scanner must have settled it. */
  find(batch: RecordBatch, matches: Uint8Array, wanted: number): void;
}

/** The numbers of keys that are handed over together. */
const NUMBERS = Uint32Array.from({ length: VISIT_LIMIT }, (_, i) => i);

/** What finds keys as the scanner of the kernel is set up to, which must be set up for its own batches again. */
export function createKeyFinder(kernel: Kernel, rules: readonly KeyRules[], consumer: FoundConsumer): KeyFinder {
  const { exports: entries, memory } = kernel;
  const keys = createKeyBatch(kernel, rules, { areRecords: false, keepsSpans: true });

  /** Hands over what was found; `scanned` are the numbers of the records that it may be of. */
  const handOver = (scanned: Uint32Array, most: number) => {
    const count = entries.keyCount.value;
    if (count === 0) return;
    const owners = new Uint32Array(memory.buffer, keys.owners, count);
    const records = owners.map((record) => scanned[record] ?? 0);
    owners.set(NUMBERS.subarray(0, count));
    keys.digest(most);
    keys.take(consumer.digests);
    consumer.keys({ count, spans: keys.spans, records });
    entries.clearDecoded();
  };
  /** Scans to the end of a record; `settle` makes room for more keys. */
  const scanTo = (end: number, settle: () => void) => {
    while (entries.scan(end) !== STATUS.drained) settle();
    if (unsigned(entries.recordStart) === end) return;
    // The last record of an input of CSV ends there though it is in quotes.
    entries.leaveQuotes();
    entries.seek(entries.recordStart.value, end - 1);
    while (entries.scan(end) !== STATUS.drained) settle();
  };
  return {
    find({ start, ends, count }, matches, wanted) {
      entries.pause();
      entries.clearDecoded();
      const endOf = (record: number) => (record < 0 ? start : (new Uint32Array(memory.buffer, ends)[record] ?? 0));
      const most = endOf(count - 1) - start;
      const scanned = new Uint32Array(count);
      let length = 0;
      entries.configureBatch(keys.spans, keys.owners, keys.limit, 0, NO_LIMIT);
      entries.clearRecords();
      for (let next = matches.indexOf(wanted); next >= 0; ) {
        const first = next;
        for (; next < count && matches[next] === wanted; next++) scanned[length++] = next;
        entries.seek(endOf(first - 1), endOf(first - 1));
        scanTo(endOf(next - 1), () => handOver(scanned, most));
        next = matches.indexOf(wanted, next);
      }
      handOver(scanned, most);
      entries.goOn();
    },
  };
}
