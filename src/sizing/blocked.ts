// The arithmetic of split-block Bloom filters. A block of 256 bits is 8 words of 32 bits, and a key sets one bit in
// each word of one block. Sources: Putze, Sanders & Singler 2007, "Cache-, hash- and space-efficient Bloom filters";
// the Apache Parquet format, BloomFilter.md.

import { type Estimate, FLOOR_ERROR } from './cardinality.ts';
import { greatestThat, leastThat } from './search.ts';
import type { Arithmetic } from './solve.ts';

export const BLOCK_BITS = 256;
export const WORDS = 8;
export const WORD_BITS = 32;

/** The high half of a digest selects the block. It has only this many values, so further blocks get no keys. */
const BLOCKS_LIMIT = 2 ** 32;

/**
 * Twins make up most of the rate with more blocks per key. Half of their rate would take twice the bits, so lower rates
 * are out of reach.
 */
const BLOCKS_PER_KEY_LIMIT = 4;

/** Above this number of keys per block, almost surely all bits of the block are set. */
const FULL_LOAD = 500;

/** The sum ends at a term below this share of it. */
const NEGLIGIBLE = 1e-17;

/** The chance that a non-member hits a one in each of the 8 words of a block with `keys` keys. */
function rateInBlock(keys: number): number {
  return (-Math.expm1(keys * Math.log1p(-1 / WORD_BITS))) ** WORDS;
}

/**
 * The chance that a non-member has the bits of one of n members, because both share a block and the low half of the
 * digest. The chance that eight independent bits agree is subtracted. Twins make up most of the rate if blocks are
 * nearly empty.
 */
export function twinRate(items: number, blocks: number): number {
  return (items / blocks) * (2 ** -32 - WORD_BITS ** -WORDS);
}

/**
 * The expected false-positive rate of n keys in B blocks: the sum over i of P(a block has i keys) (1 - (31/32)^i)^8,
 * plus `twinRate`. The number of keys in a block is binomial with n and 1/B. The rate is above that of a filter without
 * blocks, because some blocks are fuller than others.
 */
export function blockedRate(items: number, bits: number): number {
  const blocks = Math.min(Math.max(1, bits / BLOCK_BITS), BLOCKS_LIMIT);
  const load = items / blocks;
  const twins = twinRate(items, blocks);
  if (blocks === 1 || load > FULL_LOAD) return Math.min(1, rateInBlock(load) + twins);
  let chance = Math.exp(items * Math.log1p(-1 / blocks));
  let sum = 0;
  for (let keys = 0; keys <= items; keys++) {
    const term = chance * rateInBlock(keys);
    sum += term;
    if (keys > load && term < NEGLIGIBLE * sum) break;
    chance *= (items - keys) / (keys + 1) / (blocks - 1);
  }
  return Math.min(1, sum + twins);
}

/** Bits of the mantissa of a code. The first of them is always 1. */
const MANTISSA_BITS = 13;

/**
 * The chance that a non-member meets eight ones in a segment of `blocks` blocks. Its code stands for a sum over the
 * blocks: the product of the numbers of ones in their words. The code keeps only the 13 highest bits of the sum. Below
 * 2^13 the code c is the sum itself. Above, the sum is (2^12 + c mod 2^12) 2^(floor(c / 2^12) - 1), and half of the
 * largest possible loss is added.
 */
export function chanceFromCode(code: number, blocks: number): number {
  const half = 2 ** (MANTISSA_BITS - 1);
  const sum = code < 2 * half ? code : (half + (code % half) + 0.5) * 2 ** (Math.floor(code / half) - 1);
  return Math.min(1, sum / (blocks * WORD_BITS ** WORDS));
}

/**
 * The fewest bits, in whole blocks, that hold n keys at rate p. If no number does, the largest useful number of bits.
 */
function bitsFor(items: number, fpr: number): number {
  const most = Math.min(BLOCKS_PER_KEY_LIMIT * items, BLOCKS_LIMIT);
  return BLOCK_BITS * leastThat((blocks) => blocks >= most || blockedRate(items, blocks * BLOCK_BITS) <= fpr);
}

/** The most keys that m bits hold at rate p; 0 if they hold none. */
function itemsFor(bits: number, fpr: number): number {
  return greatestThat((items) => blockedRate(items, bits) <= fpr);
}

export const BLOCKED: Arithmetic = {
  onlyK: WORDS,
  bits: bitsFor,
  items: itemsFor,
  kForRate: () => WORDS,
  kForLoad: () => WORDS,
  rate: blockedRate,
};

/**
 * The number of distinct keys in m bits of which X are set. With Poisson loads the expected share of zeros is
 * e^(-8n/m), so n = -(m/8) ln(1 - X/m). The standard error follows from the variance of X, which has two parts: the
 * variance of the loads of the blocks, and that of the ones in a word of given load.
 */
export function blockedItems(ones: number, bits: number): Estimate {
  const count = (bits / WORDS) * -Math.log1p(-Math.min(ones, bits - 0.5) / bits);
  const blocks = bits / BLOCK_BITS;
  const load = count / blocks;
  // q^i is the share of zeros in a word with i keys, where q = 31/32. These are the means of q^i, of q^2i and of
  // (30/32)^i.
  const zero = Math.exp(-load / WORD_BITS);
  const pairs = Math.exp((-load * (2 * WORD_BITS - 1)) / WORD_BITS ** 2);
  const apart = Math.exp((-2 * load) / WORD_BITS);
  const spread = load / WORD_BITS ** 2;
  const ofLoads = BLOCK_BITS ** 2 * apart * (Math.expm1(spread) - spread);
  const ofWords = WORDS * (WORD_BITS * (zero - pairs) + WORD_BITS * (WORD_BITS - 1) * (apart - pairs));
  const error = Math.sqrt(blocks * Math.max(0, ofLoads + ofWords)) / (WORDS * zero);
  return ones < bits ? { count, error } : { count, error: (bits / WORDS) * FLOOR_ERROR, isFloor: true };
}
