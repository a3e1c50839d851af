import { describe, expect, test } from 'vitest';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { estimateFromSketch } from '../../src/sizing/cardinality.ts';
import { createRandom, randomDigests } from '../reference/random.ts';

const REGISTERS = 2 ** 16;

function place(kernel: Kernel, digests: BigUint64Array): number {
  const address = kernel.reserve(digests.byteLength);
  new BigUint64Array(kernel.memory.buffer, address, digests.length).set(digests);
  return address;
}

function sketched(...batches: readonly BigUint64Array[]): Uint8Array {
  const kernel = loadKernel();
  const registers = kernel.reserve(REGISTERS);
  for (const batch of batches) kernel.exports.hyperLogLogAdd(registers, place(kernel, batch), batch.length);
  return kernel.bytes(registers, REGISTERS).slice();
}

/**
 * Flajolet et al. 2007, "HyperLogLog", on strings of binary digits. The first 16 digits select a register. It keeps the
 * greatest position of the first 1 among the other 48 (49 if there is none).
 */
function naiveSketch(digests: BigUint64Array): Uint8Array {
  const registers = new Uint8Array(REGISTERS);
  for (const digest of digests) {
    const digits = digest.toString(2).padStart(64, '0');
    const register = Number.parseInt(digits.slice(0, 16), 2);
    const position = `${digits.slice(16)}1`.indexOf('1') + 1;
    registers[register] = Math.max(registers[register] ?? 0, position);
  }
  return registers;
}

test('the registers are as in the paper', () => {
  const digests = randomDigests(createRandom(48), 30_000);
  expect(Buffer.compare(sketched(digests.subarray(0, 11), digests.subarray(11)), naiveSketch(digests))).toBe(0);
  const extremes = BigUint64Array.of(0n, 1n, 2n ** 64n - 1n, 2n ** 48n, 2n ** 48n - 1n, 2n ** 47n, 2n ** 16n);
  expect(Buffer.compare(sketched(extremes), naiveSketch(extremes))).toBe(0);
});

describe('the estimate is within four standard errors', () => {
  /** The error of HyperLogLog for large counts, and of linear counting (Whang et al. 1990) while most registers are empty. */
  const standardError = (items: number) => {
    const load = items / REGISTERS;
    return Math.min((1.04 / Math.sqrt(REGISTERS)) * items, Math.sqrt(REGISTERS * (Math.exp(load) - load - 1)));
  };

  test.each([1, 10, 1000, 50_000, 1_000_000])('of %d distinct digests', (items) => {
    for (const seed of [1, 2, 3]) {
      const digests = randomDigests(createRandom(seed), items);
      const { count, error } = estimateFromSketch(sketched(digests, digests.subarray(0, items / 2)));
      expect(Math.abs(count - items)).toBeLessThan(4 * standardError(items) + 1e-4);
      expect(error / standardError(items)).toBeCloseTo(1, 1);
    }
  });

  test('and for none it is 0', () => {
    expect(estimateFromSketch(sketched())).toEqual({ count: 0, error: 0 });
  });
});
