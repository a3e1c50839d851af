import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from './digests.ts';
import { createHashing, digestBytesOf } from './hashing.ts';
import { createEncoding } from './key-encoding.ts';
import type { Found } from './scanning.ts';

/** The keys that the kernel's scanner finds, and their digests by each of some rules, until the digests are handed over. */
export interface KeyBatch {
  /** Address of the keys' u64 spans. */
  readonly spans: number;
  /** Address of the keys' u32 owners; 0 if keys are whole records and none is skipped. */
  readonly owners: number;
  readonly limit: number;
  /**
   * Turns the keys since the last call into digests, before their bytes change. `most` is the maximum of all their bytes. A value that is
   * not of the key type is skipped.
   */
  digest(most: number): void;
  /** Hands over the digests by each of the rules, with the index of the rules. */
  take(to: (digests: Digests, rule: number) => void): void;
  /** The counts of this batch and all before, by the first rules. */
  tally(): Omit<Found, 'records'>;
}

const WORD = 8;
const OWNER = 4;

/** Addresses of the keys' u64 spans, and of their u32 owners or 0. */
interface Keys {
  readonly spans: number;
  readonly owners: number;
}

interface KeyBatchOptions {
  /** Keys are whole records. */
  readonly areRecords: boolean;
  /** The spans remain those of the bytes that were read, also for skipped keys. */
  readonly keepsSpans?: boolean;
  /** Count the records that have keys, because a record may have several keys. */
  readonly countsOwners?: boolean;
  /** Count keys of zero bytes. */
  readonly countsEmpty?: boolean;
}

/** A batch of keys with digests by some rules. */
export function createKeyBatch(
  kernel: Kernel,
  rules: readonly KeyRules[],
  { areRecords, keepsSpans = false, countsOwners = false, countsEmpty = false }: KeyBatchOptions,
): KeyBatch {
  const { exports: entries } = kernel;
  const isOwned = !areRecords || rules.some(({ encoding }) => encoding !== undefined);
  const reserveKeys = (): Keys => ({
    spans: kernel.reserve(WORD * VISIT_LIMIT),
    owners: isOwned ? kernel.reserve(OWNER * VISIT_LIMIT) : 0,
  });
  const found = reserveKeys();
  const isOnly = rules.length === 1 && !keepsSpans;
  // Rules change the spans, so each of several rules works on a copy.
  const digesters = rules.map((rule) => createDigester(kernel, rule, isOnly ? found : reserveKeys()));
  entries.keepKeys(0);

  let digested = 0;
  let handedOver = 0;
  let keyed = 0;
  let empty = 0;
  return {
    ...found,
    limit: VISIT_LIMIT,
    digest(most) {
      const count = entries.keyCount.value - digested;
      if (count === 0) return;
      for (const [rule, digester] of digesters.entries()) {
        const { spans, owners, kept } = digester.digest(found, digested, count, most);
        if (countsEmpty && rule === 0) empty += entries.countEmpty(spans, kept) >>> 0;
        if (countsOwners && rule === 0) keyed += entries.countOwners(owners, kept) >>> 0;
      }
      if (isOnly) entries.keepKeys(digesters[0]?.count() ?? 0);
      digested = entries.keyCount.value;
    },
    take(to) {
      handedOver += digesters[0]?.count() ?? 0;
      entries.keepKeys(0);
      digested = 0;
      for (const [rule, digester] of digesters.entries()) to(digester.take(), rule);
    },
    tally: () => ({
      keys: handedOver + (digesters[0]?.count() ?? 0),
      ...(countsOwners && { keyed }),
      ...(countsEmpty && { empty }),
    }),
  };
}

/** Makes digests of keys by one set of rules. */
interface Digester {
  /**
   * Digests `count` more keys, from index `from` on. Returns the number of keys that were not skipped, and the addresses of their spans and
   * owners.
   */
  digest(found: Keys, from: number, count: number, most: number): Keys & { readonly kept: number };
  /** Digests that wait. */
  count(): number;
  take(): Digests;
}

/** `own`: the addresses of the waiting keys. */
function createDigester(kernel: Kernel, rules: KeyRules, own: Keys): Digester {
  const { exports: entries } = kernel;
  const hashKeys = createHashing(kernel, rules);
  const encode = createEncoding(kernel, rules);
  const digestBytes = digestBytesOf(rules);
  const digests = kernel.reserve(digestBytes * VISIT_LIMIT);
  let waiting = 0;
  const copy = (to: number, from: number, bytes: number) => kernel.bytes(to, bytes).set(kernel.bytes(from, bytes));
  return {
    digest(found, from, count, most) {
      const spans = own.spans + WORD * waiting;
      const owners = own.owners + OWNER * waiting;
      if (own !== found) {
        copy(spans, found.spans + WORD * from, WORD * count);
        if (own.owners !== 0) copy(owners, found.owners + OWNER * from, OWNER * count);
      }
      const kept = encode(spans, count, most) > 0 ? entries.dropKeys(spans, owners, count) : count;
      hashKeys(spans, kept, digests + digestBytes * waiting);
      waiting += kept;
      return { spans, owners, kept };
    },
    count: () => waiting,
    take() {
      const count = waiting;
      waiting = 0;
      return { address: digests, count, owners: own.owners, firstOwner: entries.recordCount.value - count };
    },
  };
}
