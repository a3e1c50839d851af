import type { ByteSource } from '../../io/source.ts';
import { DIGEST_BYTES } from './record-ends.ts';

/** Digests per block of random bytes, which `getRandomValues` limits to 64 KiB. */
const BLOCK = 2 ** 13;

/** The high halves of digests, from `from` to before `to`. */
export interface HighHalves {
  readonly from: number;
  readonly to: number;
}

/**
 * Digests that are evenly distributed among those with these high halves, as the digests of random keys are. So the segments of a part get as
 * many as are requested, however small the part is.
 */
export function randomDigests(count: number, { from, to }: HighHalves): ByteSource {
  const block = new Uint8Array(BLOCK * DIGEST_BYTES);
  const view = new DataView(block.buffer);
  let left = count;
  let made = block.subarray(0, 0);
  const fill = () => {
    const digests = Math.min(left, BLOCK);
    left -= digests;
    made = crypto.getRandomValues(block.subarray(0, digests * DIGEST_BYTES));
    for (let at = 4; at < made.length; at += DIGEST_BYTES)
      view.setUint32(at, from + Math.floor((view.getUint32(at, true) / 2 ** 32) * (to - from)), true);
  };
  const read = (into: Uint8Array): number => {
    if (made.length === 0) fill();
    const part = made.subarray(0, into.length);
    into.set(part);
    made = made.subarray(part.length);
    return part.length;
  };
  return {
    name: 'random digests',
    size: count * DIGEST_BYTES,
    read,
    wait: async (into) => read(into),
    close: () => {},
  };
}
