// The sizes that other systems allocate, with their own rounding, and the resulting rates. Symbols are those of
// bloom.ts.

import { BloomError } from '../../errors.ts';
import { falsePositiveRate } from '../bloom.ts';
import { equalDigestRate } from '../equal-digests.ts';
import type { Constraints, Plan } from '../solve.ts';
import { steppedRate } from '../stepped.ts';
import type { Steps } from '../steps.ts';

/** A filter as a system makes it. `bits` is the number of allocated bits. */
export interface SystemPlan extends Plan {
  /** Bytes of its file, or of its section of a larger file. */
  readonly fileBytes: number;
  /** The name of bloomery's kind that is most like the filter. */
  readonly kind: string;
  /** The number of its equal parts: buckets, blocks or lines. */
  readonly parts: number;
  /** The ratio of the capacity of the next array to that of the last, if the filter grows. */
  readonly growth?: number | undefined;
  /** The expected rate with `items` distinct keys. */
  rateWith(items: number): number;
}

/** A flag that states the size of a filter. */
export type Stated = 'items' | 'fpr' | 'bits' | 'k' | 'bitsPerKey' | 'growth';

/** The arithmetic of a system. */
export interface SystemSizing {
  /** The name of the `--format`. */
  readonly name: string;
  /** The name of the system in messages. */
  readonly system: string;
  /** The flags that the system accepts. */
  readonly accepts: readonly Stated[];
  /**
   * The filter for the stated values; undefined if they are too few. Throws a `usage` error if the system makes no such
   * filter.
   */
  plan(constraints: Constraints): SystemPlan | undefined;
}

/** A plan without its rates. */
interface Allocated {
  readonly items: number;
  readonly bits: number;
  readonly k: number;
  readonly fileBytes: number;
  /** The stated rate, if any. */
  readonly fpr?: number | undefined;
  readonly parts?: number;
  readonly kind?: string;
  readonly growth?: number;
  /** How the positions of a key follow from each other; undefined if they are independent. */
  readonly steps?: Steps;
  rateWith?(items: number): number;
}

/**
 * A plan with its rates. By default the rates are those of a standard filter, or of a filter with these steps. Throws a
 * `usage` error if every key would be maybe present.
 */
export function allocated(
  system: string,
  { items, bits, k, fileBytes, fpr, parts = 1, kind = 'bloom', growth, steps, ...other }: Allocated,
): SystemPlan {
  if (bits < 1 || k < 1)
    throw new BloomError(
      'usage',
      `${system} makes no filter with such a rate: it would accept every key`,
      'state a lower -p',
    );
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
    // The rates are computed on demand: rates of many sizes take seconds, and pictures of sizes do not show them.
    get fpr() {
      return fpr ?? predictedRate();
    },
    get predictedFpr() {
      return predictedRate();
    },
  };
}

/** The expected rate of m bits with n keys that have k positions, which are independent or steps. */
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

/** Throws a `usage` error if a stated flag does not apply to the system. */
export function requireAccepted({ system, accepts }: SystemSizing, constraints: Constraints): void {
  const stated = (Object.keys(FLAGS) as Stated[]).find(
    (flag) => constraints[flag] !== undefined && !accepts.includes(flag),
  );
  if (stated === undefined) return;
  throw new BloomError(
    'usage',
    `${system} sizes its filters by ${accepts.map((flag) => FLAGS[flag]).join(' and ')}, not by ${FLAGS[stated]}`,
    'leave it out',
  );
}
