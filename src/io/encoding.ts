import { type Signature, signatureOf } from './signature.ts';

/** What editors put before UTF-8. */
export const UTF8_MARK = signatureOf('\xef\xbb\xbf');
export const UTF16_MARKS: readonly Signature[] = [signatureOf('\xff\xfe'), signatureOf('\xfe\xff')];

/** Characters that are enough to know UTF-16 by, and the share of them that are Latin letters in text that has these. */
const CHARACTERS = 4;
const LATIN = 3 / 4;

/** Whether most of every second byte is NUL and no other, as in UTF-16 without a mark, for text in Latin letters. */
export function alternatesWithNul(head: Uint8Array): boolean {
  const characters = Math.floor(head.length / 2);
  return characters >= CHARACTERS && nulsInTurn(head.subarray(0, 2 * characters)) >= LATIN * characters;
}

/** Whether it takes more bytes to tell. */
export function mayAlternateWithNul(head: Uint8Array): boolean {
  return head.length < 2 * CHARACTERS && nulsInTurn(head) > 0;
}

/** The bytes that are NUL, if they are all in even places or all in odd ones; else 0. */
function nulsInTurn(head: Uint8Array): number {
  const nuls = [0, 1].map((parity) => head.filter((byte, i) => byte === 0 && i % 2 === parity).length);
  return Math.min(...nuls) === 0 ? Math.max(...nuls) : 0;
}
