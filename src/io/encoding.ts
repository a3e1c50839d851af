import { type Signature, signatureOf } from './signature.ts';

/** The byte order mark of UTF-8, which some editors write. */
export const UTF8_MARK = signatureOf('\xef\xbb\xbf');
export const UTF16_MARKS: readonly Signature[] = [signatureOf('\xff\xfe'), signatureOf('\xfe\xff')];

/** The number of characters that show UTF-16, and the share of Latin letters among them. */
const CHARACTERS = 4;
const LATIN = 3 / 4;

/**
 * Whether most bytes at the even positions are NUL and none at the odd ones, or the reverse. UTF-16 text in Latin
 * letters looks so without a byte order mark.
 */
export function alternatesWithNul(head: Uint8Array): boolean {
  const characters = Math.floor(head.length / 2);
  return characters >= CHARACTERS && nulsInTurn(head.subarray(0, 2 * characters)) >= LATIN * characters;
}

/** Whether more bytes are needed for an answer. */
export function mayAlternateWithNul(head: Uint8Array): boolean {
  return head.length < 2 * CHARACTERS && nulsInTurn(head) > 0;
}

/** The number of NUL bytes, if they are all at even positions or all at odd ones; else 0. */
function nulsInTurn(head: Uint8Array): number {
  if (!head.includes(0)) return 0;
  const nuls = [0, 1].map((parity) => head.filter((byte, i) => byte === 0 && i % 2 === parity).length);
  return Math.min(...nuls) === 0 ? Math.max(...nuls) : 0;
}
