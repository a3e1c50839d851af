import { LINE_BITS } from '../../sizing/geometry.ts';
import type { Place } from './paged-memory.ts';

/** With fewer probes per cache line than this, cache misses are cheaper than reading all lines first. */
const PROBES_PER_LINE = 0.5;

/** Loads bits into the cache if this many probes are worth it. */
export function warm({ kernel, address }: Place, bits: number, probes: number): void {
  if (probes > PROBES_PER_LINE * (bits / LINE_BITS)) kernel.exports.warm(address, bits / 8);
}
