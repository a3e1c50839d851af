// What other systems allocate for so many keys, by their own rounding, and what comes of it. Symbols are those of bloom.ts.

import { BloomError } from '../../errors.ts';
import { equalDigestRate, falsePositiveRate } from '../bloom.ts';
import type { Constraints, Plan } from '../solve.ts';
import { steppedRate } from '../stepped.ts';
import type { Steps } from '../steps.ts';

/** A filter as a system makes it. Its bits are those that are allocated. */
export interface SystemPlan extends Plan {
  /** Bytes of its file, or of its part of one. */
  readonly fileBytes: number;
  /** What its filter is, by the name of our own that is most like it. */
  readonly kind: string;
  /** Equal parts that it is made of: buckets, blocks, lines. */
  readonly parts: number;
  /** How many times as many keys the next array is for, where it gets some. */
  readonly growth?: number | undefined;
  /** The expected rate with so many distinct keys. */
  rateWith(items: number): number;
}

/** A flag that says how large a filter is to be. */
export type Stated = 'items' | 'fpr' | 'bits' | 'k' | 'bitsPerKey' | 'growth';

/** The arithmetic of a system. */
export interface SystemSizing {
  /** By which `--format` knows it. */
  readonly name: string;
  /** What its filters are of, for messages. */
  readonly system: string;
  /** What can be stated of its filters. */
  readonly takes: readonly Stated[];
  /** The filter for what is stated; undefined where that is too little. Throws a `usage` error for what it does not make. */
  plan(constraints: Constraints): SystemPlan | undefined;
}

/** What is known of a plan before its rates are. */
interface Allocated {
  readonly items: number;
  readonly bits: number;
  readonly k: number;
  readonly fileBytes: number;
  /** What was asked for, if that was a rate. */
  readonly fpr?: number | undefined;
  readonly parts?: number;
  readonly kind?: string;
  readonly growth?: number;
  /** How the positions of a key follow, where they are not independent. */
  readonly steps?: Steps;
  rateWith?(items: number): number;
}

/** A plan with its rates: by default those of a standard filter, or of one with such steps. Throws a `usage` error for a filter that says yes to all keys. */
export function allocated(
  system: string,
  { items, bits, k, fileBytes, fpr, parts = 1, kind = 'bloom', growth, steps, ...other }: Allocated,
): SystemPlan {
  if (bits < 1 || k < 1)
    throw new BloomError('usage', `${system} makes no filter of such a rate: every key would be in it`, 'lower -p');
  const rateWith = other.rateWith ?? ((keys: number) => bloomRate(keys, bits, k, steps));
  let predicted: number | undefined;
  const predictedRate = () => {
    predicted ??= rateWith(items);
    return predicted;
  };
  return {
    items,
    bits,
    k,
    fileBytes,
    kind,
    parts,
    growth,
    rateWith,
    // Rates of many sizes take seconds, and pictures of sizes show none.
    get fpr() {
      return fpr ?? predictedRate();
    },
    get predictedFpr() {
      return predictedRate();
    },
  };
}

/** The expected rate of m bits with n keys that have k positions: independent ones, or steps. */
export function bloomRate(items: number, bits: number, k: number, steps: Steps | undefined): number {
  if (steps === undefined) return falsePositiveRate(items, bits, k);
  return Math.min(1, steppedRate(items, bits, k, steps) + equalDigestRate(items, steps.hashBits));
}

const FLAGS: Readonly<Record<Stated, string>> = {
  items: '-n',
  fpr: '-p',
  bits: '-m',
  k: '-k',
  bitsPerKey: '--bits-per-key',
  growth: '--growth',
};

/** Throws a `usage` error for what is stated and a system does not ask for. */
export function requireTaken({ system, takes }: SystemSizing, constraints: Constraints): void {
  const stated = (Object.keys(FLAGS) as Stated[]).find(
    (flag) => constraints[flag] !== undefined && !takes.includes(flag),
  );
  if (stated === undefined) return;
  throw new BloomError(
    'usage',
    `${system} sizes its filters by ${takes.map((flag) => FLAGS[flag]).join(' and ')}, not by ${FLAGS[stated]}`,
    'leave it out',
  );
}
