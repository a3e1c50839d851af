import type { Kernel } from '../../kernel/kernel.ts';
import { recycle } from './paged-memory.ts';
import { openSegmentStore } from './segment-store.ts';
import type { SharedArrays, SharedRows } from './shared-arrays.ts';
import type { SharedSegments } from './shared-segments.ts';
import type { OpenStore } from './store-access.ts';

/** The bits of a filter, in any structure. Threads pass this to each other as a message. */
export type SharedStore = SharedSegments | SharedArrays | SharedRows;

/** Gives the memory of a filter to the next one. No thread may use the filter any more. */
export function recycleStore(store: SharedStore): void {
  if (store.type === 'segments') recycle(store.payload);
  else if (store.type === 'arrays') for (const { payload } of store.arrays) recycle(payload);
}

/** Opens a store; loads the code for other systems' filters first if necessary. `own` is the thread's kernel, `threadIndex` its number. */
export async function openStore(store: SharedStore, own: Kernel, threadIndex: number): Promise<OpenStore> {
  if (store.type === 'segments') return openSegmentStore(store, own, threadIndex);
  const { openArrayStore, openRowStore } = await import('./array-store.ts');
  return store.type === 'arrays' ? openArrayStore(store, own, threadIndex) : openRowStore(store, own);
}
