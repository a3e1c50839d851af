// The cost of a key in a bit array, whose probes can be anywhere, without the computation of its digest.

import { VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import { createBitArray } from '../../src/engine/store/bit-array.ts';
import { createBitArrayPayload } from '../../src/engine/store/bit-array-payload.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom } from '../reference/random.ts';

/** Digests that are drawn before the timed additions or queries. */
const BLOCK = 2 ** 20;
const DIGEST_BYTES = 16;

/** Milliseconds in which a thread adds this many keys to an array of m bits, finds them, and looks up as many non-members. */
export function timeBitArray(bits: number, k: number, keys: number) {
  const own = loadKernel();
  const array = createBitArray(createBitArrayPayload({ bits, k, rule: 'double-hashing', order: 'bytes' }, 1), own, 0);
  const hits = own.reserve(VISIT_LIMIT);
  const block = own.reserve(DIGEST_BYTES * BLOCK);
  const words = new Uint32Array(own.memory.buffer, block, (DIGEST_BYTES / 4) * BLOCK);
  /** Draws the digests of a seed in blocks, and passes on as many at a time as one visit takes. */
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
