import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Optimisation } from '../../sizing/systems/poppy.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { readHead, requireProbes } from '../bit-array-file.ts';
import { following } from '../following.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { blueprintOf, emptied, emptyBlueprint, knownOf, mergingOf } from './blueprint.ts';
import { COUNT_BYTES, HEADER_BYTES } from './head.ts';
import { bucketsThen, readBuckets, requireSize } from './stored.ts';

/** An empty filter. */
export function newBlueprint({ items, fpr }: SystemPlan, format: Format, optimisation: Optimisation): ArrayBlueprint {
  return emptyBlueprint(format, items, fpr, optimisation);
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const { buckets, cache } = await readBuckets(source, name, Math.ceil(Number(head.getBigUint64(40, true)) / 8));
  const known = knownOf(format, head, buckets);
  const { description, array, bucketBytes, cacheBytes } = known;
  for (const some of [description.shape.k, array.shape.k]) requireProbes(name, buckets, some);
  const bucketsAt = HEADER_BYTES + cacheBytes + COUNT_BYTES;
  const end = bucketsAt + bucketBytes;
  requireSize(source, name, end);
  const { file, size } = source;
  const next = following(source, end, format);
  if (size !== undefined && size > end) await next.check();
  const parts = [
    { offset: bucketsAt, bytes: bucketBytes },
    { offset: HEADER_BYTES, bytes: cacheBytes },
  ];
  return {
    layout: 'arrays',
    name,
    description: { ...description, bytes: size ?? end },
    arrays: [{ ...array, stored: file && { file, parts } }],
    inOrder: file === undefined ? bucketsThen(source, next, bucketBytes, cache) : undefined,
    verified: undefined,
    blueprint: blueprintOf(known, next.rest),
    like: () => emptied(format, known),
    merging: mergingOf(known, next.rest),
    close: () => source.close(),
  };
}
