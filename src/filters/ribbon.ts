import { RIBBON, ribbonBlocks } from '../sizing/ribbon.ts';
import { STATIC_K_LIMIT } from '../sizing/static.ts';
import { staticKind } from './static.ts';

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
export const ribbon = staticKind({
  id: 6,
  name: 'ribbon',
  purpose: 'the smallest; immutable',
  sizing: RIBBON,
  places: ribbonBlocks,
  sealBytes: (slots) => ROW_BYTES * (slots + STATIC_K_LIMIT),
  entries: ({ exports: { ribbonSeal, ribbonTest } }) => ({ seal: ribbonSeal, test: ribbonTest }),
});
