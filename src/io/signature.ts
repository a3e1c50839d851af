/** The bytes at the beginning of a file; undefined stands for any byte. */
export type Signature = readonly (number | undefined)[];

/** The signature of a text, in which '?' stands for any byte. */
export function signatureOf(text: string): Signature {
  return [...Buffer.from(text, 'latin1')].map((byte) => (byte === ANY ? undefined : byte));
}

const ANY = 0x3f;

/** Whether a file has the signature at its beginning, or at another position. */
export function bears(head: Uint8Array, signature: Signature, at = 0): boolean {
  return head.length >= at + signature.length && agrees(head, signature, at);
}

/** Whether the bytes are the beginning of the signature, so that more bytes are needed. */
export function mayBear(head: Uint8Array, signature: Signature): boolean {
  return head.length < signature.length && agrees(head, signature, 0);
}

/** A loop without a closure: the head of each of thousands of small files is compared with all signatures. */
function agrees(head: Uint8Array, signature: Signature, at: number): boolean {
  const end = Math.min(signature.length, head.length - at);
  for (let i = 0; i < end; i++) {
    const byte = signature[i];
    if (byte !== undefined && head[at + i] !== byte) return false;
  }
  return true;
}
