// What files have around a message of BIP37: what a node puts before it, and hexadecimal.

import { damaged } from '../../errors.ts';
import { COMMAND, ENVELOPE_BYTES } from './head.ts';

/** What a file has around a message. */
export interface Wrapping {
  /** The network that a node sent it in, if one did. */
  readonly network?: Uint8Array | undefined;
  /** What follows its digits in hexadecimal, if it is some. */
  readonly lineEnd?: string | undefined;
}

/** Bytes that a message of so many has in its file. */
export function wrappedBytes(message: number, { network, lineEnd }: Wrapping): number {
  const sent = message + (network === undefined ? 0 : ENVELOPE_BYTES);
  return lineEnd === undefined ? sent : 2 * sent + lineEnd.length;
}

/** A message as its file has it. */
export async function wrapped(message: Uint8Array, { network, lineEnd }: Wrapping): Promise<Uint8Array> {
  const sent = network === undefined ? message : Buffer.concat([await envelopeOf(message, network), message]);
  return lineEnd === undefined ? sent : Buffer.from(Buffer.from(sent).toString('hex') + lineEnd);
}

async function envelopeOf(message: Uint8Array, network: Uint8Array): Promise<Uint8Array> {
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, message.length, true);
  const command = Buffer.from(COMMAND, 'latin1');
  return Buffer.concat([network, command, new Uint8Array(length.buffer), await checksumOf(message)]);
}

/** The message that a node has sent, and the network. Throws a `format` error for one that is not as it was sent. */
export async function unwrapped(
  sent: Uint8Array,
  name: string,
): Promise<{ readonly message: Uint8Array; readonly network: Uint8Array }> {
  const message = sent.subarray(ENVELOPE_BYTES);
  if (Buffer.compare(await checksumOf(message), sent.subarray(ENVELOPE_BYTES - 4, ENVELOPE_BYTES)) !== 0)
    throw damaged(name, 'it does not match its checksum');
  return { message, network: sent.slice(0, 4) };
}

/** The first 4 bytes of SHA-256 of SHA-256. */
async function checksumOf(message: Uint8Array): Promise<Uint8Array> {
  // Here, as few need it and it takes time to load.
  const { createHash } = await import('node:crypto');
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  return sha(sha(message)).subarray(0, 4);
}
