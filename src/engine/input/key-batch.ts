import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { createHashing, digestBytesOf } from './hashing.ts';
import { createEncoding } from './key-encoding.ts';

/** The keys that the kernel's scanner finds, and their digests, until these are handed over. */
export interface KeyBatch {
  /** Address of their u64 spans. */
  readonly spans: number;
  /** Address of their u32 owners; 0 if keys are whole records, and none is left out. */
  readonly owners: number;
  readonly limit: number;
  /**
   * Turns the keys that were found since the last call into digests, before anybody touches their bytes: `most` is what
   * these can be in all. What is no value of the type that is asked for is no key.
   */
  digest(most: number): void;
  /** Hands the digests over. */
  take(): Digests;
  /** Keys of this batch and of all before. */
  tally(): number;
}

const WORD = 8;

/** A batch of keys under some rules. `areRecords` says that keys are whole records. */
export function createKeyBatch(kernel: Kernel, rules: KeyRules, areRecords: boolean): KeyBatch {
  const { exports: entries } = kernel;
  const hashKeys = createHashing(kernel, rules);
  const encode = createEncoding(kernel, rules);
  const digestBytes = digestBytesOf(rules);
  const spans = kernel.reserve(WORD * VISIT_LIMIT);
  const digests = kernel.reserve(digestBytes * VISIT_LIMIT);
  const owners = areRecords && rules.encoding === undefined ? 0 : kernel.reserve(4 * VISIT_LIMIT);
  entries.clearKeys();

  let digested = 0;
  let handedOver = 0;
  return {
    spans,
    owners,
    limit: VISIT_LIMIT,
    digest(most) {
      const found = entries.keyCount.value - digested;
      if (found === 0) return;
      const from = spans + WORD * digested;
      if (encode(from, found, most) > 0) entries.dropKeys(digested);
      const count = entries.keyCount.value - digested;
      hashKeys(from, count, digests + digestBytes * digested);
      digested += count;
    },
    take() {
      const count = digested;
      entries.clearKeys();
      digested = 0;
      handedOver += count;
      return { address: digests, count, owners, firstOwner: entries.recordCount.value - count };
    },
    tally: () => handedOver + digested,
  };
}
