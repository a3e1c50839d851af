import { UnreadableInput } from '../../errors.ts';
import { displayName } from '../../io/look.ts';

/** How the records of an input end: each with the same byte, or after so many of its bytes. */
export type RecordEnds = { readonly terminator: number } | { readonly length: number };

/** Bytes of a digest that stands for its record. */
export const DIGEST_BYTES = 8;

/** How many of some bytes are before the end of the last record that ends in them; `before` of its input come before them. */
export function lastEnd(ends: RecordEnds, bytes: Uint8Array, before: number): number {
  if ('terminator' in ends) return bytes.lastIndexOf(ends.terminator) + 1;
  return Math.max(0, bytes.length - ((before + bytes.length) % ends.length));
}

/** The error for digests of which the last one is cut off. */
export function cutDigest(name: string): UnreadableInput {
  return new UnreadableInput(
    `cannot read ${displayName(name)}: digests have ${DIGEST_BYTES} bytes each, and its size is no multiple of that`,
    'give what bloom digest wrote, whole or cut between digests',
  );
}
