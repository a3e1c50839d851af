import { RIBBON, ribbonBlocks, WIDE_RIBBON, wideBlocks } from '../sizing/ribbon.ts';
import { STATIC_K_LIMIT } from '../sizing/static.ts';
import { formerProtectedKind, protectedKind, wideSealBytes } from './protected.ts';
import { type StaticKind, staticKind } from './static.ts';

/** Bytes per equation while the equations are solved, and per column of the solution. */
const ROW_BYTES = 16;

/**
 * The homogeneous ribbon filter (Dillinger & Walzer 2021).
 *
 * Idea: the filter is the solution of a system of equations, k per key. Its size is close to the theoretical minimum. A non-member fails
 * each of its equations with probability 1/2.
 * Invariant: the segment solves the equations of all its keys.
 * Limits: all keys are needed at once. Keys cannot be added or removed, and filters cannot be merged.
 */
const RIBBON_KIND: Omit<StaticKind, 'id'> = {
  name: 'ribbon',
  purpose: 'the smallest; immutable',
  sizing: RIBBON,
  unitsOf: ribbonBlocks,
  mixesKeys: true,
  sealBytes: (slots) => ROW_BYTES * (slots + STATIC_K_LIMIT),
  entries: ({ exports: { ribbonSeal, ribbonTest } }) => ({ seal: ribbonSeal, test: ribbonTest }),
};

/** The same with protected keys. Windows are twice as wide, so that fewer unknowns suffice. */
export const protectedRibbon = protectedKind({
  ...RIBBON_KIND,
  id: 13,
  sizing: WIDE_RIBBON,
  unitsOf: wideBlocks,
  sealBytes: wideSealBytes,
  entries: ({ exports: { wideRibbonSeal, wideRibbonTest } }) => ({ seal: wideRibbonSeal, test: wideRibbonTest }),
});

export const ribbon = staticKind({ ...RIBBON_KIND, id: 6 }, protectedRibbon);

/** The format of earlier versions with protected keys, whose windows were those of a ribbon without them. */
export const formerProtectedRibbon = formerProtectedKind({ ...RIBBON_KIND, id: 11 });
