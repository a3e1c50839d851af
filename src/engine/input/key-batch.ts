import type { KeyRules } from '../../formats/description.ts';
import { hashNamed } from '../../hashes/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { PADDING } from './record-buffer.ts';

/** The keys that the kernel's scanner finds, and their digests, until these are handed over. */
export interface KeyBatch {
  /** Address of their u64 spans. */
  readonly spans: number;
  /** Address of their u32 owners; 0 if keys are whole records. */
  readonly owners: number;
  readonly limit: number;
  /**
   * Turns the keys that were found since the last call into digests, before anybody touches their bytes: `most` is what
   * these can be in all.
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
  const hash = hashNamed(rules.hash);
  const hashKeys = entries[hash.entry];
  const encode = createEncoding(kernel, rules);
  const parameters = kernel.reserve(WORD);
  new BigUint64Array(kernel.memory.buffer, parameters, 1)[0] = rules.seed;
  const spans = kernel.reserve(WORD * VISIT_LIMIT);
  const digests = kernel.reserve(WORD * hash.words * VISIT_LIMIT);
  const owners = areRecords ? 0 : kernel.reserve(4 * VISIT_LIMIT);
  entries.clearKeys();

  let digested = 0;
  let handedOver = 0;
  return {
    spans,
    owners,
    limit: VISIT_LIMIT,
    digest(most) {
      const count = entries.keyCount.value - digested;
      if (count === 0) return;
      const from = spans + WORD * digested;
      encode(from, count, most);
      hashKeys(from, count, digests + WORD * hash.words * digested, parameters);
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

/** What makes of keys, by their spans, the bytes that are hashed. */
function createEncoding(
  kernel: Kernel,
  { ignoreCase, trim }: KeyRules,
): (spans: number, count: number, most: number) => void {
  const { exports: entries } = kernel;
  let folded = 0;
  let size = 0;
  return (spans, count, most) => {
    if (trim) entries.trimKeys(spans, count);
    if (!ignoreCase) return;
    if (most > size) {
      folded = kernel.reserve(most + PADDING);
      size = most;
    }
    entries.foldKeys(spans, count, folded);
  };
}
