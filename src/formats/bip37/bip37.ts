import { BIP37_SIZING } from '../../sizing/systems/bip37.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import {
  BYTES_LIMIT,
  binaryOf,
  ENVELOPE_BYTES,
  FLAGS_LIMIT,
  isEnveloped,
  K_LIMIT,
  startOf,
  TRAILER_BYTES,
} from './head.ts';

/** The last bytes of a message in hexadecimal, and a line end. */
const TEXT_END = /([0-9a-fA-F]{18})(\s*)$/;

/**
 * The message `filterload` of BIP37, little-endian: the number of bytes, the bytes, u32 k, u32 tweak, u8 flags. A
 * file has the message alone or with the envelope of a node, in binary or in hexadecimal.
 */
export const bip37: Format = {
  name: 'bip37',
  system: 'BIP37',
  purpose: 'Bitcoin wallets and nodes',
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
    // Any hexadecimal text begins with a possible length. Only the envelope of a node tells a message that was cut
    // off.
    return isEnveloped(binary) ? 2 * lengthOf(binary) : Number.NaN;
  },
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: 'the checksum matches',
  open: async (source, _, { format }) => (await import('./file.ts')).open(source, bip37, format !== undefined),
  makings: [
    {
      name: 'bip37',
      purpose: 'filterload messages of BIP37; the seed is the tweak',
      sizing: BIP37_SIZING,
      seeds: [0n, 2n ** 32n - 1n],
      blueprint: async ({ k, bits }, seed) =>
        (await import('./file.ts')).newBlueprint(bip37, { k, tweak: seed, bytes: bits / 8 }),
    },
  ],
};

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, 64));

/** Bytes of a message that begins with these bytes, with its envelope if there is one. NaN if it is not a message. */
function lengthOf(bytes: Uint8Array): number {
  const { count, at } = startOf(isEnveloped(bytes) ? bytes.subarray(ENVELOPE_BYTES) : bytes);
  if (count === 0 || count > BYTES_LIMIT) return Number.NaN;
  return (isEnveloped(bytes) ? ENVELOPE_BYTES : 0) + at + count + TRAILER_BYTES;
}

/** Whether a message may end with these bytes. */
function isEnd(bytes: Uint8Array): boolean {
  const trailer = bytes.subarray(-TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) return false;
  const k = new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true);
  return k <= K_LIMIT && (trailer.at(-1) ?? 0) <= FLAGS_LIMIT;
}
