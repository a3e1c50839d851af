import { FUSE, fuseSlots } from '../sizing/fuse.ts';
import { type StaticKind, staticKind } from './static.ts';

/** Bytes for a slot while values are found: its keys, their number, and its place in the order of the slots. */
const SLOT_BYTES = 8 + 4 + 1;

/**
 * The binary fuse filter (Graf & Lemire 2022).
 *
 * Idea: a key has a fingerprint and picks three slots, whose values are chosen so that their XOR is the fingerprint. As
 * the three are in neighbouring windows, hardly more slots are needed than there are keys.
 * Invariant: the slots of each key of a segment make its fingerprint.
 * Limits: all keys are needed at once, so that none can be added or removed, and no two filters merged.
 */
const FUSE_KIND: Omit<StaticKind, 'id'> = {
  name: 'fuse',
  purpose: 'small and fast to query; immutable',
  sizing: FUSE,
  places: fuseSlots,
  sealBytes: (slots) => SLOT_BYTES * (slots + 1),
  entries: ({ exports: { fuseSeal, fuseTest } }) => ({ seal: fuseSeal, test: fuseTest }),
};

export const fuse = staticKind({ ...FUSE_KIND, id: 10, lower: (k) => 2 ** k - 1 });

/** The same of earlier versions, whose fingerprints shared bits with the picks: small filters of few keys err more often than 2^-k. */
export const formerFuse = staticKind({ ...FUSE_KIND, id: 9 });
