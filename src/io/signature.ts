/** The bytes at the beginning of a file; undefined stands for any byte. */
export type Signature = readonly (number | undefined)[];

/** The signature of a text, in which '?' stands for any byte. */
export function signatureOf(text: string): Signature {
  return [...Buffer.from(text, 'latin1')].map((byte) => (byte === ANY ? undefined : byte));
}

const ANY = 0x3f;

/** Whether a file begins with the signature. */
export function bears(head: Uint8Array, signature: Signature): boolean {
  return head.length >= signature.length && agrees(head, signature);
}

/** Whether the bytes are the beginning of the signature, so that more bytes are needed. */
export function mayBear(head: Uint8Array, signature: Signature): boolean {
  return head.length < signature.length && agrees(head, signature);
}

function agrees(head: Uint8Array, signature: Signature): boolean {
  return signature.every((byte, i) => byte === undefined || i >= head.length || head[i] === byte);
}
