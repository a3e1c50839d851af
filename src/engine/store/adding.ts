import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { createGrowth } from './growth.ts';
import { createSegmentVisits } from './segment-visits.ts';
import { openSegments, type SharedSegments } from './shared-segments.ts';
import type { SharedStore } from './store.ts';
import type { Adding, GrowthOptions } from './store-access.ts';

/** Opens a filter so that one thread can add keys. `own` is the thread's kernel, `threadIndex` its number. */
export async function openAdding(
  store: SharedStore,
  own: Kernel,
  threadIndex: number,
  { trims = false, growth }: GrowthOptions,
): Promise<Adding<SharedStore>> {
  if (store.type === 'segments') return openSegmentAdding(store, own, threadIndex, trims);
  if (store.type === 'rows') throw new Error('nothing is added to signatures of rows');
  const { openArrayAdding } = await import('./array-adding.ts');
  return openArrayAdding(store, own, threadIndex, growth);
}

function openSegmentAdding(
  filter: SharedSegments,
  own: Kernel,
  threadIndex: number,
  trims: boolean,
): Adding<SharedStore> {
  if (filter.payload.shape.chain !== undefined) {
    const { take, takeLast, filter: grown } = createGrowth(own, filter, { trims });
    return { take, takeLast, refused: () => 0, changes: () => [], grown };
  }
  const segments = openSegments(filter, own, threadIndex);
  let refused = 0;
  const add = (segment: number, digests: Digests) => {
    refused += segments.add(segment, digests);
  };
  const visits = createSegmentVisits(own, filter.range, false, add);
  return { ...visits, refused: () => refused, changes: () => [], grown: () => undefined };
}

/** Turns the drafts of a filter into segments once all keys are in; threads share the drafts. */
export function sealDrafts(filter: SharedSegments, own: Kernel, threadIndex: number): void {
  openSegments(filter, own, threadIndex).sealDrafts();
}
