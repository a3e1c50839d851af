import { bears, signatureOf } from '../../io/signature.ts';

export const HEADER_BYTES = 13;

/** The hashes by their numbers. */
export const HASHES = ['lookup3-chain', 'murmur2-chain'] as const;

/** The largest plausible number of positions per key. Each costs one hash. */
const K_LIMIT = 1024;

/** The version -1, and the same in base64. */
const BINARY = signatureOf('\xff\xff\xff\xff');
const TEXT = signatureOf('/////w');

export const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
/** Whether a file begins like the base64 of a filter. */
export const isText = (head: Uint8Array) => bears(head, TEXT);

export function isHeader(head: DataView): boolean {
  const { k, m } = fieldsOf(head);
  return bears(bytesOf(head), BINARY) && k > 0 && k <= K_LIMIT && head.getUint8(8) < HASHES.length && m > 0;
}

/** The fields of a header. */
export function fieldsOf(head: DataView) {
  return { k: head.getInt32(4), hash: HASHES[head.getUint8(8)], m: head.getInt32(9) };
}
