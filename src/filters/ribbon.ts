import { RIBBON, ribbonBlocks } from '../sizing/ribbon.ts';
import { STATIC_K_LIMIT } from '../sizing/static.ts';
import { staticKind } from './static.ts';

/** Bytes of an equation while they are solved, and of what is solved of a column. */
const ROW_BYTES = 16;

/**
 * The homogeneous ribbon filter (Dillinger & Walzer 2021).
 *
 * Idea: the filter is the solution of a system of equations, k for each key. It takes hardly more than the least that
 * is possible, and whoever has the wrong key fails each of its equations with a chance of one half.
 * Invariant: the segment solves the equations of all its keys.
 * Limits: all keys are needed at once, so that none can be added or removed, and no two filters merged.
 */
export const ribbon = staticKind({
  id: 6,
  name: 'ribbon',
  purpose: 'the smallest; immutable',
  sizing: RIBBON,
  places: ribbonBlocks,
  sealBytes: (slots) => ROW_BYTES * (slots + STATIC_K_LIMIT),
  entries: ({ exports: { ribbonSeal, ribbonTest } }) => ({ seal: ribbonSeal, test: ribbonTest }),
});
