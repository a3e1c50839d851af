import { LINE_BITS } from '../../sizing/geometry.ts';
import type { Place } from './paged-memory.ts';

/** With fewer probes a cache line than this, missing the cache is cheaper than reading all lines first. */
const PROBES_PER_LINE = 0.5;

/** Brings so many bits into the cache, for so many probes, if that is worth it. */
export function warm({ kernel, address }: Place, bits: number, probes: number): void {
  if (probes > PROBES_PER_LINE * (bits / LINE_BITS)) kernel.exports.warm(address, bits / 8);
}
