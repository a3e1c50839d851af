/** Bytes that a file begins with; undefined where any byte may stand. */
export type Signature = readonly (number | undefined)[];

/** The signature of a text, in which '?' stands for any byte. */
export function signatureOf(text: string): Signature {
  return [...Buffer.from(text, 'latin1')].map((byte) => (byte === ANY ? undefined : byte));
}

const ANY = 0x3f;

/** Whether the first bytes of a file are those of a signature. */
export function bears(head: Uint8Array, signature: Signature): boolean {
  return head.length >= signature.length && agrees(head, signature);
}

/** Whether they are the beginning of it, so that it takes more of them to tell. */
export function mayBear(head: Uint8Array, signature: Signature): boolean {
  return head.length < signature.length && agrees(head, signature);
}

function agrees(head: Uint8Array, signature: Signature): boolean {
  return signature.every((byte, i) => byte === undefined || i >= head.length || head[i] === byte);
}
