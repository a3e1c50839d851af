// The kinds of filters, by their numbers in files, and how a segment answers.

import { SLICES_LIMIT } from '../sizing/chain.ts';
import { fuseSlots } from '../sizing/fuse.ts';
import { blocksOf } from '../sizing/quotient.ts';
import { ribbonBlocks } from '../sizing/ribbon.ts';
import { inFuse, inProtected, inQuotient, inRibbon } from './fractions.ts';
import { inBlocked, inBloom, inCounting, inCuckoo } from './probes.ts';
import type { Test, WebShape, WebSlice } from './shape.ts';

export interface Kind {
  readonly name: string;
  readonly has: Test;
  /** The blocks or slots in so many bits; 0 if there cannot be so many. */
  readonly units?: (bits: number, k: number) => number;
  readonly isChained?: true;
  /** The header has protected keys. */
  readonly isProtected?: true;
}

const RIBBON = { name: 'ribbon', units: ribbonBlocks };
const FUSE = { name: 'fuse', units: fuseSlots };

export const KINDS: Readonly<Record<number, Kind>> = {
  1: { name: 'bloom', has: inBloom },
  2: { name: 'blocked', has: inBlocked },
  3: { name: 'counting', has: inCounting },
  4: { name: 'cuckoo', has: inCuckoo },
  5: { name: 'quotient', has: inQuotient, units: blocksOf },
  6: { ...RIBBON, has: inRibbon },
  7: { name: 'scalable', has: inBloom, isChained: true },
  9: { ...FUSE, has: inFuse(true) },
  10: { ...FUSE, has: inFuse(false) },
  11: { ...RIBBON, has: inProtected(inRibbon), isProtected: true },
  12: { ...FUSE, has: inProtected(inFuse(false)), isProtected: true },
};

/** Whether a segment has blocks or slots, where its kind divides it. */
export function hasUnits({ units, isProtected }: Kind, { segmentBits, screenBits }: WebShape, k: number): boolean {
  if (units === undefined) return true;
  if (isProtected !== true) return units(segmentBits, k) > 0;
  const isScreen = k === 1 ? screenBits === 64 : screenBits % 64 === 0 && units(screenBits, k - 1) > 0;
  return isScreen && ribbonBlocks(segmentBits - screenBits, 1) > 0;
}

/** The slices of a filter that grows, whose growth and tightening change no answer. None if the bytes are not a chain. */
export function slicesIn(chain: Uint8Array): WebSlice[] {
  const [count = 0] = chain;
  if (count > SLICES_LIMIT || chain.subarray(4 + 2 * count).some((byte) => byte !== 0)) return [];
  return Array.from({ length: count }, (_, i) => ({
    segments: 2 ** (chain[4 + 2 * i] ?? 0),
    k: chain[5 + 2 * i] ?? 0,
  }));
}
