// Filters with protected keys, after FORMAT.md. They have a screen, which is a segment of another kind, and a verdict.

import type { BitRules } from './bloom-bits.ts';
import { fuse } from './fuse.ts';
import { areFew, bitAt, partsOf, within } from './places.ts';
import { ribbon } from './ribbon.ts';
import { locate, mix, trialOf } from './static.ts';

/** The fields of a header. */
export interface ProtectedRules extends BitRules {
  readonly kind: 11 | 12;
  readonly screenBits: number;
}

const HEAD = 64;
const BLOCK = 64;
const WINDOW = 128;

/** The rules of a file without flags, from its header. */
export function protectedRules(file: Uint8Array): ProtectedRules {
  const view = new DataView(file.buffer, file.byteOffset);
  const kind = view.getUint16(12, true);
  if (kind !== 11 && kind !== 12) throw new Error(`kind ${kind} has no protected keys`);
  return {
    kind,
    hash: 'xxh64',
    seed: view.getBigUint64(24, true),
    ignoreCase: false,
    trim: false,
    k: view.getUint32(20, true),
    segments: view.getUint32(40, true),
    segmentBits: view.getUint32(44, true),
    screenBits: view.getUint32(92, true),
  };
}

/** Returns whether a header may have these segments. */
export function isLegalProtected({
  k,
  segments,
  segmentBits,
  screenBits,
}: Omit<ProtectedRules, keyof BitRules> & BitRules) {
  const verdictBlocks = Math.floor((segmentBits - screenBits - HEAD) / BLOCK);
  return within(k, 1, 32) && verdictBlocks >= 3 && areFew({ k, segments, segmentBits });
}

export function selects(payload: Uint8Array, key: Uint8Array, rules: ProtectedRules): boolean {
  const { k, segmentBits, screenBits } = rules;
  const segments = partsOf(payload, rules);
  const screens = Buffer.concat(segments.map((segment) => segment.subarray(0, screenBits / 8)));
  const screen = rules.kind === 11 ? ribbon : fuse;
  if (k > 1 && !screen.mayContain(screens, key, { ...rules, segmentBits: screenBits, k: k - 1 })) return false;
  const { segment, fraction } = locate(key, rules);
  const bytes = segments[segment] ?? new Uint8Array();
  const verdict = bytes.subarray(screenBits / 8);
  let f = fraction;
  for (let i = 0; i <= trialOf(bytes).trials + trialOf(verdict).trials; i++) f = mix(f);
  const blocks = Math.floor((segmentBits - screenBits - HEAD) / BLOCK);
  const start = Number((f * BigInt(BLOCK * blocks - WINDOW)) >> 64n);
  const coefficients = mix(f) | 1n | (mix(f ^ 0xffffffffffffffffn) << 64n);
  const ones = Array.from({ length: WINDOW }, (_, i) => i).filter(
    (i) => (coefficients >> BigInt(i)) % 2n === 1n && bitAt(verdict, HEAD + start + i),
  );
  return ones.length % 2 === 0;
}
