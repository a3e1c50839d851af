// Queries of filters of any format, by the engine.

import { createHashing, digestBytesOf } from '../../src/engine/input/hashing.ts';
import { loadFilter } from '../../src/engine/store/load.ts';
import type { LoadedFilter } from '../../src/engine/store/loaded.ts';
import { openStore } from '../../src/engine/store/store.ts';
import { oneFilter, type TestSpec } from '../../src/engine/tasks/task.ts';
import { runPass } from '../../src/engine/threads/pass.ts';
import type { WorkerPool } from '../../src/engine/threads/worker-pool.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { strict } from '../engine/alone.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { WHOLE } from '../kernel/scanning.ts';

/** Loads the filter in a file for `threadCount` threads, runs some work with it and closes it. */
export async function withLoaded<T>(
  file: string,
  threadCount: number,
  work: (loaded: LoadedFilter, kernel: Kernel) => Promise<T> | T,
  opening: Opening = {},
): Promise<T> {
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, file, { threadCount, use: 'query', opening });
  try {
    return await work(loaded, kernel);
  } finally {
    loaded.close();
  }
}

/** Returns how many records of each input are maybe present. `onLoaded` is called with the loaded filter. */
export function positivesIn(
  file: string,
  inputs: readonly string[],
  pool: WorkerPool,
  opening: Opening = {},
  onLoaded: (loaded: LoadedFilter) => void = () => {},
): Promise<number[]> {
  const work = (loaded: LoadedFilter, kernel: Kernel) => {
    onLoaded(loaded);
    return positivesOf(loaded, kernel, inputs, pool);
  };
  return withLoaded(file, pool.threadCount, work, opening);
}

/** The same for a loaded filter, whose kernel reads the inputs. */
export async function positivesOf(
  { description, store }: LoadedFilter,
  kernel: Kernel,
  inputs: readonly string[],
  pool: WorkerPool,
): Promise<number[]> {
  const spec: TestSpec = {
    type: 'test',
    selection: WHOLE,
    ...oneFilter(store, description.rules),
    print: undefined,
    lineBuffered: false,
    bySource: true,
    stopAt: undefined,
  };
  const positives = inputs.map(() => 0);
  const onTally = (input: number, tally: { readonly positives: number }) => {
    positives[input] = (positives[input] ?? 0) + tally.positives;
    return false;
  };
  await runPass({ context: { kernel, threadIndex: 0 }, pool, spec, inputs, observer: strict, onTally });
  return positives;
}

/** The answers of a filter to keys of any bytes. */
export async function answersTo({ description, store }: LoadedFilter, keys: readonly Uint8Array[]): Promise<boolean[]> {
  const kernel = usedKernel();
  const hash = createHashing(kernel, description.rules);
  const spans = kernel.reserve(8 * keys.length);
  const digests = kernel.reserve(digestBytesOf(description.rules) * keys.length);
  const hits = kernel.reserve(keys.length);
  let at = kernel.reserve(keys.reduce((sum, { length }) => sum + length, 0));
  const spanWords = keys.flatMap((key) => {
    kernel.bytes(at, key.length).set(key);
    at += key.length;
    return [at - key.length, key.length];
  });
  new Uint32Array(kernel.memory.buffer, spans, spanWords.length).set(spanWords);
  hash(spans, keys.length, digests);
  const { test } = await openStore(store, kernel, 0);
  test(0, { address: digests, count: keys.length, owners: 0, firstOwner: 0 }, hits);
  return [...kernel.bytes(hits, keys.length)].map((hit) => hit === 1);
}
