/** What follows the bits: u32 k, u32 tweak, u8 flags. */
export const TRAILER_BYTES = 9;
export const K_LIMIT = 50;
export const BYTES_LIMIT = 36_000;
export const FLAGS_LIMIT = 3;

/** A number below 253 takes a byte, and others below 2^16 two behind one that says so. */
export const WIDE = 253;

/** What a node puts before a message: the network, the command, its length, and the first 4 bytes of a checksum. */
export const ENVELOPE_BYTES = 24;
export const COMMAND = 'filterload\0\0';

/** Bytes of a message of a filter of so many. */
export function messageBytes(bytes: number): number {
  return (bytes < WIDE ? 1 : 3) + bytes + TRAILER_BYTES;
}

/** The bytes of hexadecimal, as far as it is some, and what follows its digits; the bytes themselves of anything else. */
export function binaryOf(
  bytes: Uint8Array,
  size = bytes.length,
): { readonly binary: Uint8Array; readonly lineEnd: string | undefined } {
  const text = Buffer.from(bytes.subarray(0, size)).toString('latin1');
  const [, digits, lineEnd] = /^([0-9a-fA-F]+)(\s*)$/.exec(text) ?? [];
  return digits === undefined ? { binary: bytes, lineEnd: undefined } : { binary: Buffer.from(digits, 'hex'), lineEnd };
}

export const isEnveloped = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 16)).toString('latin1') === COMMAND;

/** How many bytes there are of bits, and where these begin. */
export function startOf(bytes: Uint8Array): { count: number; at: number } {
  const [first = 0, low = 0, high = 0] = bytes;
  return first < WIDE ? { count: first, at: 1 } : { count: first === WIDE ? low + 256 * high : BYTES_LIMIT + 1, at: 3 };
}
