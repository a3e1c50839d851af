// The program of a thread of bit-array-threads.test.ts: it adds its share of digests while the others add theirs, and then looks up all
// digests.

import { parentPort, workerData } from 'node:worker_threads';
import { createBitArray } from '../../../src/engine/store/bit-array.ts';
import { pagesIn, type ReadPage } from '../../../src/engine/store/bit-array-pages.ts';
import type { BitArrayPayload } from '../../../src/engine/store/bit-array-payload.ts';
import type { StoredBits } from '../../../src/formats/format.ts';
import { adoptKernelCode, loadKernel } from '../../../src/kernel/kernel.ts';

export interface BitArrayJob {
  readonly kernelCode: WebAssembly.Module;
  readonly payload: BitArrayPayload;
  readonly threadIndex: number;
  /** All digests, and the range that this thread adds. */
  readonly digests: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly stored: StoredBits | undefined;
  /** The number of reads of each page. */
  readonly reads: Int32Array;
  /** Threads that are ready to add, and whether all are; the same for looking up. */
  readonly gates: Int32Array;
}

/** The number of added digests that set a bit, and the number of digests that the thread found. */
export interface BitArrayDone {
  readonly added: number;
  readonly found: number;
}

const DIGEST_BYTES = 16;
const { kernelCode, payload, threadIndex, digests, from, to, stored, reads, gates }: BitArrayJob = workerData;
adoptKernelCode(kernelCode);
const own = loadKernel();
const count = digests.length / DIGEST_BYTES;
const address = own.reserve(digests.length);
const hits = own.reserve(count);
own.bytes(address, digests.length).set(digests);

/** Waits until all threads have reached the gate. */
function waitForAll(gate: number): void {
  if (Atomics.add(gates, gate, 1) + 1 < payload.scratches.length) Atomics.wait(gates, gate + 1, 0);
  Atomics.store(gates, gate + 1, 1);
  Atomics.notify(gates, gate + 1);
}

const readStored = stored && pagesIn(stored, own);
const read: ReadPage | undefined =
  readStored &&
  ((page, into) => {
    Atomics.add(reads, page, 1);
    readStored(page, into);
  });
const array = createBitArray(payload, own, threadIndex, read);
const digestsFrom = (first: number, end: number) => ({
  address: address + DIGEST_BYTES * first,
  count: end - first,
  owners: 0,
  firstOwner: 0,
});
waitForAll(0);
const added = array.add(digestsFrom(from, to));
waitForAll(2);
const found = array.test(digestsFrom(0, count), hits);
parentPort?.postMessage({ added, found } satisfies BitArrayDone);
