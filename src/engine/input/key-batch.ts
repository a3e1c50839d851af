import type { KeyRules } from '../../formats/description.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import { type AnswerDigests, type Digests, VISIT_LIMIT } from './digests.ts';
import { createHashing, digestBytesOf } from './hashing.ts';
import { createEncoding } from './key-encoding.ts';
import {
  createMarked,
  createVariants,
  encodedLengths,
  type KeyVariants,
  MOST_SUFFIXES,
  splitsNames,
} from './key-variants.ts';
import type { Found } from './scanning.ts';

/** The keys that the kernel's scanner finds, and their digests by each of some rules, until the digests are handed over. */
export interface KeyBatch {
  /** Addresses of the u64 spans and the u32 owners of keys that the scanner finds; no owners if keys are records and none is skipped. */
  readonly found: Keys;
  readonly limit: number;
  /** The same for the keys that are looked up: domain names have parent domains. */
  readonly lookedUp: Keys;
  /** Finds the keys that are looked up for those since the last call of `digest`. Returns their number. */
  split(): number;
  /**
   * Turns these keys into digests, before their bytes change. `most` is the maximum of the bytes of all keys that were found, and `count`
   * the number of keys that are looked up. A value that is not of the key type is skipped.
   */
  digest(most: number, count?: number): void;
  /** Whether digests must be handed over before more can be made. */
  isFull(): boolean;
  /** Hands over the digests by each of the rules, with the index of the rules. */
  take(to: (digests: Digests, rule: number) => void): void;
  /** The counts of this batch and all before, by the first rules, with the number of records. */
  tally(records: number): Found;
}

const WORD = 8;
const OWNER = 4;

/** Addresses of keys' u64 spans, and of their u32 owners or 0. */
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
  /** The keys are looked up, with all that the rules look up for each. */
  readonly looksUp?: boolean;
  /** How keys are answered before their records, for each of the rules. */
  readonly answered?: readonly (AnswerDigests | undefined)[];
}

/** The least number of keys that the scanner finds at once. The names and parent domains of this many keys are at most `VISIT_LIMIT`. */
const LEAST_FOUND = Math.floor(VISIT_LIMIT / MOST_SUFFIXES);

/** The same number if few keys are looked up for each. */
const FOUND_AT_ONCE = 2 ** 12;

/** A batch of keys with digests by some rules. */
export function createKeyBatch(
  kernel: Kernel,
  rules: readonly KeyRules[],
  {
    areRecords,
    keepsSpans = false,
    countsOwners = false,
    countsEmpty = false,
    looksUp = false,
    answered = [],
  }: KeyBatchOptions,
): KeyBatch {
  const { exports: entries } = kernel;
  const isOwned = !areRecords || rules.some(({ encoding, keyHash }) => encoding !== undefined || keyHash?.areGiven);
  const reserveKeys = (count: number): Keys => ({
    spans: kernel.reserve(WORD * count),
    owners: isOwned ? kernel.reserve(OWNER * count) : 0,
  });
  const splits = looksUp && rules.some(splitsNames);
  const variants = rules.map((rule, i) => {
    if (looksUp) return createVariants(kernel, rule, answered[i]);
    return rule.marked === undefined ? undefined : createMarked(kernel, rule.marked);
  });
  const mostNames = splits ? MOST_SUFFIXES : 1;
  const mostKeys = mostNames * Math.max(...variants.map((each) => each?.most ?? 1));
  const isUsuallyOne = variants.every((each) => each?.saved !== undefined);
  const limit = isUsuallyOne ? FOUND_AT_ONCE : Math.max(LEAST_FOUND, Math.floor(VISIT_LIMIT / mostKeys));
  // Variants are written beside the keys that were found, even if a key has only one.
  const isSeveral = splits || variants.some((each) => each !== undefined);
  const capacity = isSeveral ? WORTH_TAKING + limit * mostKeys : VISIT_LIMIT;
  const found = reserveKeys(limit);
  const lookedUp = splits ? reserveKeys(limit * mostNames) : found;
  const keepsText = Number(rules.some(({ lookup }) => lookup === 'suffixesOfText'));
  const isOnly = rules.length === 1 && !keepsSpans && !isSeveral;
  // Rules change the spans, so each of several rules works on a copy.
  const digesters = rules.map((rule, i) =>
    createDigester(kernel, rule, isOnly ? found : reserveKeys(capacity), capacity, variants[i]),
  );
  entries.keepKeys(0);
  entries.clearLengths();
  const areNetworks = rules.some(({ encoding }) => encoding === 'network');

  let digested = 0;
  let handedOver = 0;
  let keyed = 0;
  let empty = 0;
  let saved = 0;
  const split = () => {
    const count = entries.keyCount.value - digested;
    if (!splits) return count;
    return entries.splitSuffixes(found.spans, found.owners, count, lookedUp.spans, lookedUp.owners, keepsText) >>> 0;
  };
  return {
    ...{ found, limit, lookedUp, split },
    digest(most, count = split()) {
      if (count === 0) return;
      const bytes = splits ? Math.max(most, unsigned(entries.suffixBytes)) : most;
      for (const [rule, digester] of digesters.entries()) {
        const { spans, owners, kept } = digester.digest(lookedUp, digested, count, bytes);
        if (rule > 0) continue;
        if (countsEmpty) empty += entries.countEmpty(spans, kept) >>> 0;
        const without = variants[0]?.saved?.();
        saved += without?.keys ?? 0;
        if (countsOwners) keyed += without?.keyed ?? entries.countOwners(owners, kept) >>> 0;
      }
      if (isOnly) entries.keepKeys(digesters[0]?.count() ?? 0);
      if (isSeveral) entries.keepKeys(0);
      digested = entries.keyCount.value;
    },
    isFull: () => isSeveral && digesters.some((digester) => digester.count() > WORTH_TAKING),
    take(to) {
      handedOver += digesters[0]?.count() ?? 0;
      entries.keepKeys(0);
      digested = 0;
      for (const [rule, digester] of digesters.entries()) digester.take((digests) => to(digests, rule));
    },
    tally(records) {
      const keys = handedOver + saved + (digesters[0]?.count() ?? 0);
      if (!countsOwners && !countsEmpty && !areNetworks) return { records, keys };
      return {
        records,
        keys,
        ...(countsOwners && { keyed }),
        ...(countsEmpty && { empty }),
        ...(areNetworks && { lengths: encodedLengths(kernel) }),
      };
    },
  };
}

/** Digests that are handed over although the scanner could find more keys. */
const WORTH_TAKING = VISIT_LIMIT / 2;

/** Makes digests of keys by one set of rules. */
interface Digester {
  /**
   * Digests `count` more keys, from index `from` on. Returns the number of keys that were not skipped, and the addresses of their spans and
   * owners.
   */
  digest(found: Keys, from: number, count: number, most: number): Keys & { readonly kept: number };
  /** Digests that wait. */
  count(): number;
  /** Hands over the waiting digests, at most `VISIT_LIMIT` at once. */
  take(to: (digests: Digests) => void): void;
}

/** `own`: the addresses of the waiting keys, of which there are at most `capacity`. */
function createDigester(
  kernel: Kernel,
  rules: KeyRules,
  own: Keys,
  capacity: number,
  variants: KeyVariants | undefined,
): Digester {
  const { exports: entries } = kernel;
  const hashKeys = createHashing(kernel, rules);
  const encode = createEncoding(kernel, rules);
  const digestBytes = digestBytesOf(rules);
  const digests = kernel.reserve(digestBytes * capacity);
  let waiting = 0;
  const copy = (to: number, from: number, bytes: number) => kernel.bytes(to, bytes).set(kernel.bytes(from, bytes));
  /** Writes the keys to hash for keys that were found. */
  const writeKeys = (found: Keys, from: number, count: number, spans: number, owners: number, most: number) => {
    if (variants !== undefined) return variants.write(found.spans, found.owners, count, spans, owners, most);
    if (own !== found) {
      copy(spans, found.spans + WORD * from, WORD * count);
      if (own.owners !== 0) copy(owners, found.owners + OWNER * from, OWNER * count);
    }
    return count;
  };
  return {
    digest(found, from, count, most) {
      const spans = own.spans + WORD * waiting;
      const owners = own.owners + OWNER * waiting;
      const written = writeKeys(found, from, count, spans, owners, most);
      const without = variants?.areEncoded ? 0 : encode(spans, written, (variants?.most ?? 1) * most);
      const kept = without > 0 ? entries.dropKeys(spans, owners, written) : written;
      hashKeys(spans, kept, digests + digestBytes * waiting);
      waiting += kept;
      return { spans, owners, kept };
    },
    count: () => waiting,
    take(to) {
      const count = waiting;
      const firstOwner = entries.recordCount.value - count;
      waiting = 0;
      for (let from = 0; from === 0 || from < count; from += VISIT_LIMIT)
        to({
          address: digests + digestBytes * from,
          count: Math.min(VISIT_LIMIT, count - from),
          owners: own.owners && own.owners + OWNER * from,
          firstOwner: firstOwner + from,
        });
    },
  };
}
