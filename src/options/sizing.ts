import type { Command, Option } from 'commander';
import { BloomError } from '../errors.ts';
import { growingNames } from '../filters/registry.ts';
import { upperBound } from '../sizing/cardinality.ts';
import { type Constraints, withHeadroom } from '../sizing/solve.ts';
import { keysOf } from '../sketches/read.ts';
import { type BudgetFlags, rateOfBudget } from './budget.ts';
import { flags } from './flags.ts';
import type { Items } from './numbers.ts';

/** The flags that set the size of a filter. */
export interface SizingFlags {
  readonly items?: number | undefined;
  readonly fpr?: number;
  readonly bits?: number;
  readonly memory?: number;
  readonly hashes?: number;
  readonly bitsPerKey?: number;
  readonly headroom?: number;
  /** In bits. */
  readonly segmentSize?: number;
  readonly growth?: number;
  readonly tightening?: number;
}

/** Flags as they are given. The keys may be those of a sketch, and the rate may be a budget. */
export type Given<F> = Omit<F, 'items'> & BudgetFlags & { readonly items?: Items; readonly fpr?: number };

/** The same with a number of keys and a rate. Throws `usage` errors, and errors for files that are not sketches. */
export async function withNumbers<F extends Given<object>>(given: F) {
  const { falsePositives, records, keysPerRecord, items, ...others } = given;
  const fpr = rateOfBudget({ ...given }, given.fpr) ?? given.fpr;
  return { ...others, items: await itemsOf(items), ...(fpr !== undefined && { fpr }) };
}

/**
 * The number of keys that a flag states. For a sketch, this is an upper bound. Throws errors for files that are not
 * sketches.
 */
export async function itemsOf(stated: Items | undefined): Promise<number | undefined> {
  if (typeof stated !== 'object') return stated;
  return Math.max(1, upperBound(await keysOf(stated.sketch)));
}

/** Adds the flags that set the size of a filter. Some commands replace some of them. */
export function addSizingFlags(
  command: Command,
  {
    items = flags.items(),
    fpr = flags.fpr(),
    hashes = flags.hashes(),
  }: Partial<Record<'items' | 'fpr' | 'hashes', Option>> = {},
): Command {
  return command
    .addOption(items)
    .addOption(fpr)
    .addOption(flags.bits())
    .addOption(flags.memory())
    .addOption(hashes)
    .addOption(flags.bitsPerKey())
    .addOption(flags.headroom())
    .addOption(flags.growth())
    .addOption(flags.tightening())
    .addOption(flags.falsePositives())
    .addOption(flags.records())
    .addOption(flags.keysPerRecord());
}

/**
 * The constraints that flags state, with memory as bits and headroom added to items. Throws a `usage` error for
 * contradictions.
 */
export function parseSizing(raw: SizingFlags): Constraints {
  if (raw.bits !== undefined && raw.memory !== undefined && raw.bits !== raw.memory) {
    throw new BloomError(
      'usage',
      `--bits and --memory contradict each other: ${raw.bits} bits are not ${raw.memory}`,
      'leave out one of them',
    );
  }
  const bits = raw.bits ?? raw.memory;
  if (raw.headroom !== undefined && raw.items === undefined && bits !== undefined) {
    throw new BloomError('usage', '--headroom adds to --items, which is not stated', 'add -n, or leave it out');
  }
  return {
    items: raw.items === undefined ? undefined : withHeadroom(raw.items, raw.headroom),
    fpr: raw.fpr,
    bits,
    bitsFlag: raw.bits === undefined && raw.memory !== undefined ? '--memory' : undefined,
    k: raw.hashes,
    bitsPerKey: raw.bitsPerKey,
    segmentBits: raw.segmentSize,
    growth: raw.growth,
    tightening: raw.tightening,
  };
}

/** Throws a `usage` error for flags of growing filters. */
export function refuseGrowth({ growth, tightening }: SizingFlags): void {
  const given = growth !== undefined ? '--growth' : tightening !== undefined ? '--tightening' : undefined;
  if (given === undefined) return;
  throw new BloomError(
    'usage',
    `${given} describes how a filter grows, and this kind does not grow`,
    `add --kind ${growingNames()}, or leave it out`,
  );
}
