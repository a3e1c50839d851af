// Filters with protected keys, after FORMAT.md. They have a screen, which is a segment of another kind, and a verdict.

import type { BitRules } from './bloom-bits.ts';
import { fuse } from './fuse.ts';
import { bitAt, partsOf } from './places.ts';
import { accepts, equationOfNumber, isEven } from './ribbon.ts';
import { locate, mix, trialOf } from './static.ts';

/** The words of a window, by the number of the kind. */
const WORDS: Readonly<Record<number, number>> = { 11: 2, 12: 2, 13: 4, 14: 4 };

/** The fields of a header. */
export interface ProtectedRules extends BitRules {
  readonly kind: number;
  readonly words: number;
  readonly screenBits: number;
}

const HEAD = 64;
const BLOCK = 64;

/** The rules of a file without flags, from its header. */
export function protectedRules(file: Uint8Array): ProtectedRules {
  const view = new DataView(file.buffer, file.byteOffset);
  const kind = view.getUint16(12, true);
  const words = WORDS[kind];
  if (words === undefined) throw new Error(`kind ${kind} has no protected keys`);
  return {
    ...{ kind, words },
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

export function selects(payload: Uint8Array, key: Uint8Array, rules: ProtectedRules): boolean {
  const { kind, words, k, segmentBits, screenBits } = rules;
  const segments = partsOf(payload, rules);
  const { segment, fraction } = locate(key, rules);
  const bytes = segments[segment] ?? new Uint8Array();
  const screen = bytes.subarray(0, screenBits / 8);
  const ofScreen = { ...rules, segmentBits: screenBits, k: k - 1 };
  const passes =
    kind % 2 === 1
      ? accepts(screen, fraction, ofScreen, words)
      : fuse.mayContain(Buffer.concat(segments.map((each) => each.subarray(0, screenBits / 8))), key, ofScreen);
  if (k > 1 && !passes) return false;
  const verdict = bytes.subarray(screenBits / 8);
  let f = fraction;
  for (let i = 0; i <= trialOf(bytes).trials + trialOf(verdict).trials; i++) f = mix(f);
  const blocks = Math.floor((segmentBits - screenBits - HEAD) / BLOCK);
  const { start, coefficients } = equationOfNumber(f, blocks, words);
  return isEven(coefficients, (i) => bitAt(verdict, HEAD + start + i));
}
