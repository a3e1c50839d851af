/** The bytes after the bits: u32 k, u32 tweak, u8 flags. */
export const TRAILER_BYTES = 9;
export const K_LIMIT = 50;
export const BYTES_LIMIT = 36_000;
export const FLAGS_LIMIT = 3;

/** A number below 253 is one byte. Larger numbers below 2^16 are two bytes after a byte 253. */
export const WIDE = 253;

/** The envelope of a node: the network, the command, the length, and the first 4 bytes of a checksum. */
export const ENVELOPE_BYTES = 24;
export const COMMAND = 'filterload\0\0';

/** Bytes of the message of a filter of this many bytes. */
export function messageBytes(bytes: number): number {
  return (bytes < WIDE ? 1 : 3) + bytes + TRAILER_BYTES;
}

/** The decoded bytes of hexadecimal digits and what follows the digits. Other bytes are returned as they are. */
export function binaryOf(
  bytes: Uint8Array,
  size = bytes.length,
): { readonly binary: Uint8Array; readonly lineEnd: string | undefined } {
  const text = Buffer.from(bytes.subarray(0, size)).toString('latin1');
  const [, digits, lineEnd] = /^([0-9a-fA-F]+)(\s*)$/.exec(text) ?? [];
  return digits === undefined ? { binary: bytes, lineEnd: undefined } : { binary: Buffer.from(digits, 'hex'), lineEnd };
}

export const isEnveloped = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 16)).toString('latin1') === COMMAND;

/** The number of bytes with bits, and their offset. */
export function startOf(bytes: Uint8Array): { count: number; at: number } {
  const [first = 0, low = 0, high = 0] = bytes;
  return first < WIDE ? { count: first, at: 1 } : { count: first === WIDE ? low + 256 * high : BYTES_LIMIT + 1, at: 3 };
}
