import type { PositionRuleName } from '../../filters/position-rules.ts';

export const HEADER_BYTES = 6;

/**
 * How a digest becomes positions: MURMUR128_MITZ_32 is the default of old releases, MURMUR128_MITZ_64 that of newer
 * releases. Bits beyond the reach of a strategy are never set and never tested.
 */
export const MITZ_32: Strategy = { name: 'MURMUR128_MITZ_32', number: 0, rule: 'guava-32', reach: 2 ** 31 };
export const MITZ_64: Strategy = { name: 'MURMUR128_MITZ_64', number: 1, rule: 'guava-64', reach: 2 ** 63 };
const STRATEGIES: readonly Strategy[] = [MITZ_32, MITZ_64];

export interface Strategy {
  /** The name in Java's serialized form. */
  readonly name: string;
  /** The number in a head, and in `STRATEGIES`. */
  readonly number: number;
  readonly rule: PositionRuleName;
  readonly reach: number;
}

/** The fields of a head. */
export function fieldsOf(head: DataView) {
  return { strategy: STRATEGIES[head.getInt8(0)], k: head.getUint8(1), words: head.getInt32(2) };
}
