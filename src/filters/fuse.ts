import { FUSE, fuseSlots } from '../sizing/fuse.ts';
import { formerProtectedKind, protectedKind } from './protected.ts';
import { type StaticKind, staticKind } from './static.ts';

/** Bytes per slot while values are computed: its keys, their number, and its place in the order of the slots. */
const SLOT_BYTES = 8 + 4 + 1;

/**
 * The binary fuse filter (Graf & Lemire 2022).
 *
 * Idea: a key has a fingerprint and selects three slots, whose values are chosen so that their XOR is the fingerprint. The three slots are
 * in adjacent windows, so there are hardly more slots than keys.
 * Invariant: the slots of each key of a segment XOR to its fingerprint.
 * Limits: all keys are needed at once. Keys cannot be added or removed, and filters cannot be merged.
 */
const FUSE_KIND: Omit<StaticKind, 'id'> = {
  name: 'fuse',
  purpose: 'small and fast to query; immutable',
  sizing: FUSE,
  unitsOf: fuseSlots,
  mixesKeys: false,
  sealBytes: (slots) => SLOT_BYTES * (slots + 1),
  entries: ({ exports: { fuseSeal, fuseTest } }) => ({ seal: fuseSeal, test: fuseTest }),
};

const CURRENT: Omit<StaticKind, 'id'> = { ...FUSE_KIND, lower: (k) => 2 ** k - 1 };

/** The same with protected keys. */
export const protectedFuse = protectedKind({ ...CURRENT, id: 14 });

/** The format of earlier versions with protected keys, whose verdicts had narrower windows. */
export const formerProtectedFuse = formerProtectedKind({ ...CURRENT, id: 12 });

export const fuse = staticKind({ ...CURRENT, id: 10 }, protectedFuse);

/** The format of earlier versions, whose fingerprints shared bits with the choice of slots. In small filters its rate is above 2^-k. */
export const formerFuse = staticKind({ ...FUSE_KIND, id: 9 });
