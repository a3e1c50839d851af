import type { Kernel } from '../../kernel/kernel.ts';
import { openSegmentStore } from './segment-store.ts';
import type { SharedArrays, SharedRows } from './shared-arrays.ts';
import type { SharedSegments } from './shared-segments.ts';
import type { OpenStore } from './store-access.ts';

/** What holds the bits of a filter, whatever it is made of; threads hand it to each other as a message. */
export type SharedStore = SharedSegments | SharedArrays | SharedRows;

/** Opens it, the code for which is loaded first if it is of another system; `own` is the thread's kernel, `threadIndex` its number. */
export async function openStore(store: SharedStore, own: Kernel, threadIndex: number): Promise<OpenStore> {
  if (store.type === 'segments') return openSegmentStore(store, own, threadIndex);
  const { openArrayStore, openRowStore } = await import('./array-store.ts');
  return store.type === 'arrays' ? openArrayStore(store, own, threadIndex) : openRowStore(store, own);
}
