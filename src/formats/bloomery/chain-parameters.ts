import { K_LIMIT } from '../../sizing/bloom.ts';
import { type Chain, GROWTHS, SLICES_LIMIT } from '../../sizing/chain.ts';

// The chain in 40 bytes of the header:
//
//   offset bytes field
//        0     1 number of slices, 1 to 18
//        1     1 growth: 2, 4, 8 or 16
//        2     2 tightening, in ten thousandths
//        4    36 for each slice a byte with the logarithm of the number of its segments, to the base 2, and one with its k

const FIRST_SLICE = 4;
const TIGHTENING_UNIT = 10_000;

/** Writes a chain, but for its rate, which the header has elsewhere. */
export function encodeChain({ growth, tightening, slices }: Chain, bytes: Uint8Array): void {
  bytes[0] = slices.length;
  bytes[1] = growth;
  new DataView(bytes.buffer, bytes.byteOffset).setUint16(2, Math.round(tightening * TIGHTENING_UNIT), true);
  for (const [i, { segments, k }] of slices.entries()) bytes.set([Math.log2(segments), k], FIRST_SLICE + 2 * i);
}

/** The chain of a filter with a target rate; undefined if the bytes are none. */
export function decodeChain(bytes: Uint8Array, fpr: number): Chain | undefined {
  const [count = 0, growth = 0] = bytes;
  const tightening = new DataView(bytes.buffer, bytes.byteOffset).getUint16(2, true) / TIGHTENING_UNIT;
  const slices = Array.from({ length: Math.min(count, SLICES_LIMIT) }, (_, i) => ({
    segments: 2 ** (bytes[FIRST_SLICE + 2 * i] ?? 0),
    k: bytes[FIRST_SLICE + 2 * i + 1] ?? 0,
  }));
  const isPossible =
    count >= 1 &&
    count <= SLICES_LIMIT &&
    GROWTHS.some((known) => known === growth) &&
    tightening > 0 &&
    tightening < 1 &&
    slices.every(({ k }) => k >= 1 && k <= K_LIMIT) &&
    bytes.subarray(FIRST_SLICE + 2 * count).every((byte) => byte === 0);
  return isPossible ? { fpr, growth, tightening, slices } : undefined;
}
