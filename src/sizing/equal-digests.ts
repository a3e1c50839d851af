import { heldShare, type SharedGeometry } from './share.ts';

/** Bits of the digests of bloomery's own filters. */
const DIGEST_BITS = 64;

/**
 * The chance that a non-member has the digest of one of n members: n / 2^64. It is the least rate of n keys, because more bits in the filter
 * do not lower it.
 */
export function equalDigestRate(items: number, digestBits: number = DIGEST_BITS): number {
  return items / 2 ** digestBits;
}

/** The same chance in a filter or a part of it that has this many members. The non-member belongs to the same part. */
export function equalDigestRateIn(shape: SharedGeometry, items: number): number {
  return equalDigestRate(items / heldShare(shape));
}

/** The share of a rate below which equal digests are neglected, as the usual formulas do. */
const NEGLECTED = 0.01;

/** Whether equal digests are a relevant share of a rate. */
export function hasEqualDigests(items: number, fpr: number): boolean {
  return equalDigestRate(items) > NEGLECTED * fpr;
}
