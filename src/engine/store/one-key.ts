import { kindWithId } from '../../filters/registry.ts';
import type { KeyRules } from '../../formats/description.ts';
import type { Key } from '../input/given-keys.ts';
import { createKeyWriter } from '../input/key-bytes.ts';
import { isHashedAsItIs } from '../input/key-encoding.ts';
import { STATE } from './paged-memory.ts';
import { openSegmentMemories } from './segment-memories.ts';
import type { SharedStore } from './store.ts';

/** Queries one key. Undefined for a key that needs the general method: it is too long, or it is not a key. */
export type KeyTest = (key: Key) => boolean | undefined;

/**
 * The fastest method to query one key: one call of the kernel. The function returns undefined until all segments are present. The result is
 * undefined for a filter that cannot be queried in this way.
 */
export function keyTestOf(store: SharedStore, rules: KeyRules): (() => KeyTest | undefined) | undefined {
  if (store.type !== 'segments') return undefined;
  const { kind, payload } = store;
  const { shape, memories, states } = payload;
  if (memories.length > 1 || shape.share !== undefined || shape.chain !== undefined) return undefined;
  const { work, address, kernel, digests } = openSegmentMemories(payload, kindWithId(kind, 'the filter'), 0).placeOf(0);
  const { hasKey } = work;
  if (hasKey === undefined || rules.hash !== 'xxh64' || !isHashedAsItIs(rules)) return undefined;
  const seedLow = Number(rules.seed & 0xffff_ffffn);
  const seedHigh = Number(rules.seed >> 32n);
  const write = createKeyWriter(kernel, digests.address, digests.bytes.length);
  const test: KeyTest = (key) => {
    const length = write(key);
    return length < 0 ? undefined : hasKey(address, digests.address, length, seedLow, seedHigh) > 0;
  };
  let loaded = 0;
  return () => {
    while (loaded < states.length && states[loaded] === STATE.present) loaded++;
    return loaded < states.length ? undefined : test;
  };
}
