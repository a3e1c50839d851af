// What a key costs in a bit array, whose probes fall anywhere, once its digest is there.

import { VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import { createBitArray } from '../../src/engine/store/bit-array.ts';
import { createBitArrayPayload } from '../../src/engine/store/bit-array-payload.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom } from '../reference/random.ts';

/** Digests that are drawn before they are added, or asked for, and the time is taken. */
const BLOCK = 2 ** 20;
const DIGEST_BYTES = 16;

/** Milliseconds that a thread takes to add so many keys to an array of m bits, to find them, and not to find non-members. */
export function timeBitArray(bits: number, k: number, keys: number) {
  const own = loadKernel();
  const array = createBitArray(createBitArrayPayload({ bits, k, rule: 'double-hashing', order: 'bytes' }, 1), own, 0);
  const hits = own.reserve(VISIT_LIMIT);
  const block = own.reserve(DIGEST_BYTES * BLOCK);
  const words = new Uint32Array(own.memory.buffer, block, (DIGEST_BYTES / 4) * BLOCK);
  /** Draws the digests of a seed, a block at a time, and hands them over, as many at a time as are visited. */
  const timed = (seed: number, work: (digests: Parameters<typeof array.add>[0]) => void) => {
    const random = createRandom(seed);
    let time = 0;
    for (let left = keys; left > 0; left -= BLOCK) {
      for (let i = 0; i < words.length; i++) words[i] = random();
      const start = performance.now();
      for (let first = 0; first < Math.min(left, BLOCK); first += VISIT_LIMIT) {
        const count = Math.min(VISIT_LIMIT, left - first);
        work({ address: block + DIGEST_BYTES * first, count, owners: 0, firstOwner: 0 });
      }
      time += performance.now() - start;
    }
    return time;
  };
  return {
    bitArrayAdd: timed(1, array.add),
    bitArrayPresent: timed(1, (digests) => array.test(digests, hits)),
    bitArrayAbsent: timed(2, (digests) => array.test(digests, hits)),
  };
}
