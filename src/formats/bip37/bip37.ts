import { BIP37_SIZING } from '../../sizing/systems/bip37.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

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

/** What the last bytes of one are in hexadecimal, and a line end. */
const TEXT_END = /([0-9a-fA-F]{18})(\s*)$/;

/**
 * The message `filterload` of BIP37: the number of bytes, these, u32 k, u32 tweak, u8 flags, little-endian; or as nodes send it,
 * or in hexadecimal.
 */
export const bip37: Format = {
  name: 'bip37',
  system: 'BIP37',
  purpose: 'wallets and nodes of Bitcoin',
  fits(head, size) {
    const { binary, lineEnd } = binaryOf(bytesOf(head), size);
    return lineEnd === undefined ? isEnveloped(binary) : size === undefined && binary.length >= ENVELOPE_BYTES;
  },
  ends(tail, size, head) {
    const { binary, lineEnd } = binaryOf(bytesOf(head), size);
    if (lineEnd === undefined) return lengthOf(binary) === size && isEnd(bytesOf(tail));
    const [, digits = '', end = ''] = TEXT_END.exec(Buffer.from(bytesOf(tail)).toString('latin1')) ?? [];
    return 2 * lengthOf(binary) + end.length === size && isEnd(Buffer.from(digits, 'hex'));
  },
  promises(head) {
    const { binary, lineEnd } = binaryOf(bytesOf(head));
    if (lineEnd === undefined) return lengthOf(binary);
    // Any text in hexadecimal begins with a length: only what a node puts before a message tells one that was cut off.
    return isEnveloped(binary) ? 2 * lengthOf(binary) : Number.NaN;
  },
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: 'it matches its checksum',
  fileBytes: ({ bits }) => messageBytes(bits / 8),
  open: async (source, _, { format }) => (await import('./file.ts')).open(source, format !== undefined),
  makings: [
    {
      name: 'bip37',
      purpose: 'messages filterload of BIP37; the seed is the tweak',
      sizing: BIP37_SIZING,
      seeds: [0n, 2n ** 32n - 1n],
      draft: async ({ k, bits }, seed) => (await import('./file.ts')).newDraft(k, seed, bits / 8),
    },
  ],
};

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, 64));

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

/** Bytes of a message, perhaps as a node sends it, that begins so; not a number for what is none. */
function lengthOf(bytes: Uint8Array): number {
  const { count, at } = startOf(isEnveloped(bytes) ? bytes.subarray(ENVELOPE_BYTES) : bytes);
  if (count === 0 || count > BYTES_LIMIT) return Number.NaN;
  return (isEnveloped(bytes) ? ENVELOPE_BYTES : 0) + at + count + TRAILER_BYTES;
}

/** Whether a message may end so. */
function isEnd(bytes: Uint8Array): boolean {
  const trailer = bytes.subarray(-TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) return false;
  const k = new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true);
  return k <= K_LIMIT && (trailer.at(-1) ?? 0) <= FLAGS_LIMIT;
}
