import type { Kernel, SliceAddress } from '../kernel/kernel.ts';
import { SLICES_LIMIT, slicesOf } from '../sizing/chain.ts';
import type { Shape, SliceWork } from './kind.ts';
import { CALL_BYTES, foundScratch, writeParameters } from './parameters.ts';

/** Parameters of a slice for the kernel, in the order of src/kernel/assembly/kinds/slices.ts. */
const SLICE_WORDS = 4;
const SLICE_BYTES = 4 * SLICE_WORDS;

/** Digests that are tested in one chunk, and the bytes of scratch for a chunk. */
const CHUNK = 512;
const TEST_BYTES = 32 * CHUNK;

/** Bytes for work on the slices of a filter, up to the largest number of slices. */
export function sliceBytes({ chain }: Shape): number {
  return chain === undefined ? 0 : CALL_BYTES + TEST_BYTES + SLICE_BYTES * SLICES_LIMIT;
}

/** The work on slices that are Bloom filters (see `Growing`). */
export function attachSlices(kernel: Kernel, shape: Shape, addresses: readonly number[], call: number): SliceWork {
  const { sliceAddNew, slicesTest } = kernel.exports;
  const scratch = { call, drafts: call + CALL_BYTES + SLICE_BYTES * SLICES_LIMIT };
  const parameters = writeParameters(kernel, scratch, { units: shape.segmentBits });
  const found = foundScratch(kernel, scratch);
  const list = call + CALL_BYTES;
  const addressOf = (slice: number) => (list + SLICE_BYTES * slice) as SliceAddress;
  const words = new Uint32Array(kernel.memory.buffer, list, SLICE_WORDS * addresses.length);
  for (const [i, { segments, k }] of slicesOf(shape).entries()) {
    words.set([addresses[i] ?? 0, 32 - Math.log2(segments), k], SLICE_WORDS * i);
  }
  return {
    test: (from, to, digests, count, hits) =>
      slicesTest(addressOf(from), to - from, digests, count, hits, parameters) >>> 0,
    addNew(slice, digests, count, known, limit) {
      sliceAddNew(addressOf(slice), digests, count, known, limit, parameters, found.address);
      const [handled = 0, added = 0] = found.values;
      return { handled, added };
    },
  };
}
