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
  /** The words of a window in the verdict. Only kinds with protected keys have verdicts. */
  readonly verdictWords?: number;
}

const FUSE = { name: 'fuse', units: fuseSlots, has: inFuse(1n) };

/** A ribbon whose windows have `words` words. */
const ribbon = (words: number): Kind => ({
  name: 'ribbon',
  units: (bits, k) => ribbonBlocks(bits, k, words + 1),
  has: inRibbon(words),
});

/** A kind with protected keys. */
const judged = (kind: Kind, words: number): Kind => ({
  ...kind,
  has: inProtected(kind.has, words),
  verdictWords: words,
});

export const KINDS: Readonly<Record<number, Kind>> = {
  1: { name: 'bloom', has: inBloom },
  2: { name: 'blocked', has: inBlocked },
  3: { name: 'counting', has: inCounting },
  4: { name: 'cuckoo', has: inCuckoo },
  5: { name: 'quotient', has: inQuotient, units: blocksOf },
  6: ribbon(2),
  7: { name: 'scalable', has: inBloom, isChained: true },
  9: { ...FUSE, has: inFuse(0n) },
  10: FUSE,
  11: judged(ribbon(2), 2),
  12: judged(FUSE, 2),
  13: judged(ribbon(4), 4),
  14: judged(FUSE, 4),
};

/** Whether a segment has blocks or slots, where its kind divides it. */
export function hasUnits({ units, verdictWords }: Kind, { segmentBits, screenBits }: WebShape, k: number): boolean {
  if (units === undefined) return true;
  if (verdictWords === undefined) return units(segmentBits, k) > 0;
  const isVerdict = ribbonBlocks(segmentBits - screenBits, 1, verdictWords + 1) > 0;
  return isVerdict && (k === 1 ? screenBits === 64 : screenBits % 64 === 0 && units(screenBits, k - 1) > 0);
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
