import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { createRandom } from '../reference/random.ts';
import { xxph3 } from '../reference/xxph3.ts';

const random = createRandom(5);
const material = Uint8Array.from({ length: 5000 }, random);
const LENGTHS = [
  ...Array.from({ length: 300 }, (_, length) => length),
  511,
  512,
  513,
  1023,
  1024,
  1025,
  1088,
  2048,
  4999,
];

test('XXPH3 is that of the oracle at all lengths', () => {
  const kernel = loadKernel();
  const [spans, digests, key] = [kernel.reserve(8), kernel.reserve(24), kernel.reserve(5100)];
  for (const length of LENGTHS) {
    // Bytes around the key make no difference.
    for (const around of [0, 0xff]) {
      kernel.bytes(key, 5100).fill(around);
      kernel.bytes(key + (length % 7), length).set(material.subarray(0, length));
      new Uint32Array(kernel.memory.buffer, spans, 2).set([key + (length % 7), length]);
      kernel.exports.xxph3Hash(spans, 1, digests, 0);
      const [hash] = new BigUint64Array(kernel.memory.buffer, digests, 1);
      expect(hash, `${length} bytes`).toBe(xxph3(material.subarray(0, length)));
    }
  }
});
