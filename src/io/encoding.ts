import { type Signature, signatureOf } from './signature.ts';

/** What editors put before UTF-8. */
export const UTF8_MARK = signatureOf('\xef\xbb\xbf');
export const UTF16_MARKS: readonly Signature[] = [signatureOf('\xff\xfe'), signatureOf('\xfe\xff')];

/** Characters that are enough to know UTF-16 by. */
const CHARACTERS = 4;

/** Whether every second byte is NUL and no other, as in UTF-16 without a mark, for Latin letters. */
export function alternatesWithNul(head: Uint8Array): boolean {
  return head.length >= 2 * CHARACTERS && alternates(head);
}

/** Whether they may turn out to be. */
export function mayAlternateWithNul(head: Uint8Array): boolean {
  return head.length > 1 && head.length < 2 * CHARACTERS && alternates(head);
}

function alternates(head: Uint8Array): boolean {
  const nul = head[0] === 0 ? 0 : 1;
  return head.every((byte, i) => (byte === 0) === (i % 2 === nul));
}
