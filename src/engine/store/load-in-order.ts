import type { BitArrayFile, BitsInOrder } from '../../formats/format.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import { PAGE_BYTES, pagesOf } from './bit-array-payload.ts';
import { openArraysInMemory } from './open-arrays.ts';
import type { SharedArrays } from './shared-arrays.ts';

/** Reads the arrays of a file in order, to the end of the file. Throws `input` and `format` errors. */
export async function loadInOrder(
  kernel: Kernel,
  opened: BitArrayFile,
  { readBits, finish }: BitsInOrder,
  shared: SharedArrays,
  observer: ProgressObserver = {},
): Promise<void> {
  const onLoaded = createMeter(
    opened.arrays.reduce((sum, { bytes }) => sum + bytes, 0),
    observer,
  );
  let page = new Uint8Array(0);
  const together = shared.arrays.map(({ payload }) => ({
    payload,
    read: (_: number, into: Uint8Array) => into.set(page),
  }));
  const { arrays } = openArraysInMemory(together, kernel, 0);
  for (const [i, { shape, bytes }] of opened.arrays.entries()) {
    for (let start = 0; start < bytes; start += PAGE_BYTES) {
      page = new Uint8Array(Math.min(PAGE_BYTES, bytes - start));
      await readBits(i, page);
      // Padding may follow the bits.
      if (start < PAGE_BYTES * pagesOf(shape)) arrays[i]?.find(start / PAGE_BYTES);
      await onLoaded(page.length);
    }
  }
  await finish();
}
