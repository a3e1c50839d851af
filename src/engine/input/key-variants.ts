import { BloomError } from '../../errors.ts';
import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type AnswerDigests, VISIT_LIMIT } from './digests.ts';
import { createHashing, digestBytesOf } from './hashing.ts';
import { createScratch } from './key-encoding.ts';
import type { KeySelection } from './key-selection.ts';

/** The keys that a query looks up for a key of a record. */
export interface KeyVariants {
  /** Variants of a key, at most. */
  readonly most: number;
  /** They are the bytes to hash, not text to encode. */
  readonly areEncoded: boolean;
  /**
   * Writes the variants of `count` keys, and their owners, which are those of the keys. `most` is the maximum of all keys' bytes. Returns
   * the number of variants.
   */
  write(spans: number, owners: number, count: number, intoSpans: number, intoOwners: number, most: number): number;
  /** What the last call of `write` did not write because the answers were known. Undefined if it wrote all variants. */
  saved?(): SavedLookups | undefined;
}

/** Variants of keys whose answers were known already. */
export interface SavedLookups {
  readonly keys: number;
  /** Records that the keys belong to, with those of variants that were written. */
  readonly keyed: number;
}

/** Names of one key, at most: the kernel's `splitSuffixes`. */
export const MOST_SUFFIXES = 129;

/** Whether keys are split into domain names and their parent domains. */
export function splitsNames({ lookup }: KeyRules): boolean {
  return lookup === 'suffixes' || lookup === 'suffixesOfText';
}

/** Throws a `usage` error for a query that needs all keys of a record, if any of the several keys that are looked up for one is enough. */
export function requireAnyKey({ needsAll }: KeySelection, rules: KeyRules, name: string): void {
  if (!needsAll || rules.lookup === undefined) return;
  throw new BloomError(
    'usage',
    `--all-fields needs all keys of a record, and ${name} looks up several for each, of which one is enough`,
    'leave it out, and query one field after the other',
  );
}

/** Whether a query looks up a key in several forms, of which none is a key of its own. */
export function looksUpVariants({ lookup }: KeyRules): boolean {
  return lookup !== undefined && lookup !== 'suffixes';
}

/** Whether a query may look up several keys for one. */
export function looksUpSeveral(rules: readonly KeyRules[]): boolean {
  return rules.some(({ lookup }) => lookup !== undefined);
}

/** The variants of keys by some rules; undefined if keys have none. With `answered`, variants with known answers are not written. */
export function createVariants(kernel: Kernel, rules: KeyRules, answered?: AnswerDigests): KeyVariants | undefined {
  const { lookup, lengths } = rules;
  if (lookup === undefined || lookup === 'suffixes') return undefined;
  if (lookup === 'blocks')
    return answered === undefined ? createBlocks(kernel, lengths) : createKnownBlocks(kernel, rules, answered);
  const isEither = lookup === 'cases';
  const copies = isEither ? 2 : 1;
  const scratchFor = createScratch(kernel);
  return {
    most: 1 + copies,
    areEncoded: false,
    write(spans, owners, count, intoSpans, intoOwners, most) {
      const to = scratchFor(copies * most);
      return kernel.exports.addCases(spans, owners, count, intoSpans, intoOwners, to, Number(isEither)) >>> 0;
    },
  };
}

/** The blocks of records that are added, each with its marker if its length has markers. */
export function createMarked(kernel: Kernel, marked: number): KeyVariants {
  const scratchFor = createScratch(kernel);
  const most = 2;
  return {
    most,
    areEncoded: true,
    write(spans, owners, count, intoSpans, intoOwners) {
      const to = scratchFor(BLOCK_BYTES * most * VISIT_LIMIT);
      return kernel.exports.addMarked(spans, owners, count, intoSpans, intoOwners, to, marked) >>> 0;
    },
  };
}

/** Bytes of a block of addresses, at most. */
const BLOCK_BYTES = 17;

const SPAN_BYTES = 8;

/** Bytes of what the kernel notes about a key, and about a prefix. */
const READ_BYTES = 8;
const PREFIX_BYTES = 4;

/** The lengths of blocks of a filter that does not state them. */
const ALL_LENGTHS = 2n ** 128n - 1n;

/** The blocks of some lengths around addresses. */
function createBlocks(kernel: Kernel, lengths = ALL_LENGTHS): KeyVariants {
  const { v4, v6, v6Long } = lengthsOfVersions(lengths);
  const scratchFor = createScratch(kernel);
  const most = Math.max(1, lengthsOf(lengths).v4.length, lengthsOf(lengths).v6.length);
  return {
    most,
    areEncoded: true,
    write(spans, owners, count, intoSpans, intoOwners) {
      const to = scratchFor(BLOCK_BYTES * most * count);
      return kernel.exports.addBlocks(spans, owners, count, intoSpans, intoOwners, to, v4, v6, v6Long) >>> 0;
    },
  };
}

/** Bits of an address that select its entry in the kernel's table. */
const PREFIX_BITS = 16;

/** Prefixes whose answers are fetched together. Their keys are fewer than `VISIT_LIMIT`. */
const PREFIXES_TOGETHER = 2 ** 8;

/** Keys of a prefix, at most: its blocks of 0 to 16 bits, and the markers of 17 to 32 bits. */
const KEYS_OF_PREFIX = 33;

/** The same blocks, without those that are known to be absent: blocks of up to 16 bits, and of lengths without a marker. */
function createKnownBlocks(kernel: Kernel, rules: KeyRules, { hits, version }: AnswerDigests): KeyVariants {
  const { exports: entries } = kernel;
  const { lengths = ALL_LENGTHS, marked = 0 } = rules;
  const { v4, v6, v6Long } = lengthsOfVersions(lengths);
  const all = createBlocks(kernel, lengths);
  const { most } = all;
  const scratchFor = createScratch(kernel);
  const blocksFor = createScratch(kernel);
  const readFor = createScratch(kernel);
  const prefixesFor = createScratch(kernel);
  const hashKeys = createHashing(kernel, rules);
  const table = kernel.reserve(entries.prefixTableBytes());
  const keysTogether = PREFIXES_TOGETHER * KEYS_OF_PREFIX;
  const keySpans = kernel.reserve(SPAN_BYTES * keysTogether);
  const digests = kernel.reserve(digestBytesOf(rules) * keysTogether);
  let tableVersion: number | undefined;
  const answer = (prefixes: number, count: number) => {
    const to = scratchFor(BLOCK_BYTES * keysTogether);
    const keys = entries.addPrefixKeys(prefixes, count, keySpans, to, v4, marked) >>> 0;
    hashKeys(keySpans, keys, digests);
    hits({ address: digests, count: keys, owners: 0, firstOwner: 0 }, (at) =>
      entries.enterPrefixes(prefixes, count, at, table, v4, marked),
    );
  };
  return {
    most,
    areEncoded: true,
    write(spans, owners, count, intoSpans, intoOwners, given) {
      const newest = version();
      if (newest !== tableVersion) entries.beginPrefixes(table);
      tableVersion = newest;
      if (newest === undefined) return all.write(spans, owners, count, intoSpans, intoOwners, given);
      // Memory is never released, so it does not grow with each larger count.
      const space = 2 ** Math.ceil(Math.log2(count));
      const read = readFor(READ_BYTES * space);
      const prefixes = prefixesFor(PREFIX_BYTES * space);
      const unknown = entries.readAddresses(spans, count, read, table, prefixes) >>> 0;
      for (let from = 0; from < unknown; from += PREFIXES_TOGETHER)
        answer(prefixes + PREFIX_BYTES * from, Math.min(PREFIXES_TOGETHER, unknown - from));
      const to = blocksFor(BLOCK_BYTES * most * space);
      const { addKnownBlocks } = entries;
      return addKnownBlocks(spans, owners, count, read, table, intoSpans, intoOwners, to, v4, v6, v6Long) >>> 0;
    },
    saved: () =>
      tableVersion === undefined ? undefined : { keys: entries.keysSaved.value, keyed: entries.recordsKeyed.value },
  };
}

/** The bits of the lengths of blocks, as the kernel has them. */
function lengthsOfVersions(lengths: bigint) {
  return {
    v4: Number(BigInt.asUintN(32, lengths)),
    v6: lengths >> 64n,
    v6Long: Number(BigInt.asUintN(32, lengths >> 32n)),
  };
}

/** The lengths of the blocks that a query looks up. */
export function lengthsOf(lengths: bigint): { readonly v4: readonly number[]; readonly v6: readonly number[] } {
  const isSet = (bit: number) => ((lengths >> BigInt(bit)) & 1n) === 1n;
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  return {
    v4: numbers(33).filter((length) => isSet(Math.max(0, length - 1))),
    v6: numbers(129).filter((length) => isSet(length <= 64 ? 64 + Math.max(0, length - 1) : 32 + ((length - 65) >> 1))),
  };
}

/** The lengths that have markers. */
export function markedAmong(lengths: readonly number[], marked = 0): number[] {
  return lengths.filter((length) => length > PREFIX_BITS && ((marked >> (length - PREFIX_BITS - 1)) & 1) === 1);
}

/** The lengths of the blocks that the kernel has encoded since they were cleared. */
export function encodedLengths({ exports: { v4Lengths, v6Lengths, v6LongLengths } }: Kernel): bigint {
  return (
    BigInt(v4Lengths.value >>> 0) |
    (BigInt(v6LongLengths.value >>> 0) << 32n) |
    (BigInt.asUintN(64, BigInt(v6Lengths.value)) << 64n)
  );
}
