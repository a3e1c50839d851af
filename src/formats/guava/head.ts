import type { PositionRuleName } from '../../filters/position-rules.ts';

export const HEADER_BYTES = 6;

/**
 * How a digest becomes positions: MURMUR128_MITZ_32, the default of old releases, and MURMUR128_MITZ_64. What follows the bits
 * that these reach is never set, and never asked.
 */
export const MITZ_32: Strategy = { name: 'MURMUR128_MITZ_32', number: 0, rule: 'guava-32', reach: 2 ** 31 };
export const MITZ_64: Strategy = { name: 'MURMUR128_MITZ_64', number: 1, rule: 'guava-64', reach: 2 ** 63 };
const STRATEGIES: readonly Strategy[] = [MITZ_32, MITZ_64];

export interface Strategy {
  /** Where Java serializes it. */
  readonly name: string;
  /** In a head, and in `STRATEGIES`. */
  readonly number: number;
  readonly rule: PositionRuleName;
  readonly reach: number;
}

/** What a head says. */
export function fieldsOf(head: DataView) {
  return { strategy: STRATEGIES[head.getInt8(0)], k: head.getUint8(1), words: head.getInt32(2) };
}
