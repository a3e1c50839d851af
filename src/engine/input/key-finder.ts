import type { KeyRules } from '../../formats/description.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { createKeyBatch } from './key-batch.ts';
import { NO_LIMIT, type RecordBatch, STATUS } from './scanning.ts';

/** Some keys of the records of a batch, in their order. */
export interface FoundKeys {
  readonly count: number;
  /** Address of their u64 spans, which refer to the bytes that were read. */
  readonly spans: number;
  /** The index of each key's record in the batch. */
  readonly records: Uint32Array;
}

/** Receives keys that are found again. */
interface FoundConsumer {
  /** Receives digests of keys by the rules of an index. Their owners are the indices of the keys. */
  digests(digests: Digests, rule: number): void;
  /** Receives the keys, after all of their digests. */
  keys(found: FoundKeys): void;
}

/** Finds keys of records again, when the matching keys are wanted. */
export interface KeyFinder {
  /**
   * Hands over the keys of the records whose byte in `matches` equals `wanted`, some at a time. The scanner must have ended the batch.
   */
  find(batch: RecordBatch, matches: Uint8Array, wanted: number): void;
}

/** The indices of keys that are handed over together. */
const NUMBERS = Uint32Array.from({ length: VISIT_LIMIT }, (_, i) => i);

/** Finds keys with the kernel's scanner as it is configured. Afterwards the scanner continues with its own batch. */
export function createKeyFinder(kernel: Kernel, rules: readonly KeyRules[], consumer: FoundConsumer): KeyFinder {
  const { exports: entries, memory } = kernel;
  const keys = createKeyBatch(kernel, rules, { areRecords: false, keepsSpans: true, looksUp: true });

  /** Hands over the keys so far. `scanned` has the indices of their records. */
  const handOver = (scanned: Uint32Array, most: number) => {
    const count = keys.split();
    if (count === 0) return;
    const owners = new Uint32Array(memory.buffer, keys.lookedUp.owners, count);
    const records = owners.map((record) => scanned[record] ?? 0);
    owners.set(NUMBERS.subarray(0, count));
    keys.digest(most, count);
    keys.take(consumer.digests);
    consumer.keys({ count, spans: keys.lookedUp.spans, records });
    entries.clearDecoded();
  };
  /** Scans to the end of a record; `endBatch` frees memory for more keys. */
  const scanTo = (end: number, endBatch: () => void) => {
    while (entries.scan(end) !== STATUS.drained) endBatch();
    if (unsigned(entries.recordStart) === end) return;
    // The last CSV record of an input ends there even inside quotes.
    entries.leaveQuotes();
    entries.seek(entries.recordStart.value, end - 1);
    while (entries.scan(end) !== STATUS.drained) endBatch();
  };
  return {
    find({ start, ends, count }, matches, wanted) {
      entries.pause();
      entries.clearDecoded();
      const endOf = (record: number) => (record < 0 ? start : (new Uint32Array(memory.buffer, ends)[record] ?? 0));
      const most = endOf(count - 1) - start;
      const scanned = new Uint32Array(count);
      let length = 0;
      entries.configureBatch(keys.found.spans, keys.found.owners, keys.limit, 0, NO_LIMIT);
      entries.clearRecords();
      for (let next = matches.indexOf(wanted); next >= 0; ) {
        const first = next;
        for (; next < count && matches[next] === wanted; next++) scanned[length++] = next;
        entries.seek(endOf(first - 1), endOf(first - 1));
        scanTo(endOf(next - 1), () => handOver(scanned, most));
        next = matches.indexOf(wanted, next);
      }
      handOver(scanned, most);
      entries.resume();
    },
  };
}
