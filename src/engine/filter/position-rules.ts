import type { Kernel } from '../../kernel/kernel.ts';

/**
 * Writes positions in kernel memory: u64s, number `from` to `to` of each of `count` keys, which are the u32 indices of
 * their digests. The parameters are u64s.
 */
export type WritePositions = (
  digests: number,
  keys: number,
  count: number,
  from: number,
  to: number,
  positions: number,
  parameters: number,
) => void;

/** How the digest of a key becomes positions in an array of bits. */
export interface PositionRule {
  /** 64-bit words of the digests that it takes. */
  readonly words: number;
  /** What its loop is told of an array of so many bits. */
  parameters(bits: number): readonly bigint[];
  /** The loop of a kernel. */
  entry(kernel: Kernel): WritePositions;
}

/** Every rule, by the name that formats call it. */
export const POSITION_RULES = {
  /** (h1 + i h2 mod 2^64) mod m, i from 0: RedisBloom. */
  'double-hashing': {
    words: 2,
    parameters: (bits) => [BigInt(bits)],
    entry: ({ exports }) => exports.doubleHashing,
  },
} as const satisfies Readonly<Record<string, PositionRule>>;

export type PositionRuleName = keyof typeof POSITION_RULES;
