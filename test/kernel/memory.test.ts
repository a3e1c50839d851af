import { expect, test } from 'vitest';
import { growTo } from '../../src/kernel/instance.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';

test('memory that was released is reserved again, zeroed', () => {
  const kernel = loadKernel();
  const kept = kernel.reserve(100);
  kernel.bytes(kept, 100).fill(1);
  const first = kernel.reserve(1000);
  kernel.bytes(first, 1000).fill(2);
  kernel.release(first);

  const [again, beyond] = [kernel.reserve(500), kernel.reserve(3000)];
  expect(again).toBe(first);
  expect(beyond).toBeGreaterThanOrEqual(first + 500);
  expect(kernel.bytes(again, 500)).toEqual(new Uint8Array(500));
  expect(kernel.bytes(beyond, 3000)).toEqual(new Uint8Array(3000));
  expect(kernel.bytes(kept, 100)).toEqual(new Uint8Array(100).fill(1));
});

test('an error states the MiB that are needed', () => {
  const message = (mebibytes: number) => `${mebibytes} MiB of memory are needed, but the system does not provide them`;
  for (const [bytes, mebibytes] of [
    [2 ** 34, 2 ** 14],
    [2 ** 34 + 1, 2 ** 14 + 1],
  ] as const)
    expect(() => growTo(loadKernel().memory, bytes)).toThrow(message(mebibytes));
});
