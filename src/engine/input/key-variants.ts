import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createScratch } from './key-encoding.ts';

/** The keys that a query looks up for a key of a record. */
export interface KeyVariants {
  /** Variants of a key, at most. */
  readonly most: number;
  /**
   * Writes the variants of `count` keys, and their owners, which are those of the keys. `most` is the maximum of all keys' bytes. Returns
   * the number of variants.
   */
  write(spans: number, owners: number, count: number, intoSpans: number, intoOwners: number, most: number): number;
}

/** Names of one key, at most: the kernel's `splitSuffixes`. */
export const MOST_SUFFIXES = 129;

/** Whether keys are split into domain names and their parent domains. */
export function splitsNames({ lookup }: KeyRules): boolean {
  return lookup === 'suffixes' || lookup === 'suffixesOfText';
}

/** Whether a query may look up several keys for one. */
export function looksUpSeveral(rules: readonly KeyRules[]): boolean {
  return rules.some(({ lookup }) => lookup !== undefined);
}

/** The variants of keys by some rules; undefined if keys have none. */
export function createVariants(kernel: Kernel, { lookup }: KeyRules): KeyVariants | undefined {
  if (lookup === undefined || lookup === 'suffixes') return undefined;
  const isEither = lookup === 'cases';
  const copies = isEither ? 2 : 1;
  const scratchFor = createScratch(kernel);
  return {
    most: 1 + copies,
    write(spans, owners, count, intoSpans, intoOwners, most) {
      const to = scratchFor(copies * most);
      return kernel.exports.addCases(spans, owners, count, intoSpans, intoOwners, to, Number(isEither)) >>> 0;
    },
  };
}
