import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { type Optimisation, poppySizing } from '../../sizing/systems/poppy.ts';
import type { Making } from '../flat-draft.ts';
import { readHead, requireProbes } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { restOf } from '../headed-draft.ts';
import { BYTES } from '../key-types.ts';
import { COUNT_BYTES, draftOf, emptied, HEADER_BYTES, knownOf, mergingOf, newDraft } from './draft.ts';
import { bucketsThen, readBuckets, requireSize } from './stored.ts';

/**
 * Version 2 of poppy, little-endian: the version, one of four optimisations, and six NULs; u64 n, f64 p, u64 k, u64 keys that set a
 * bit, u64 bits of the cache, the cache; u64 buckets, these, of 4096 bytes each; then whatever their user put there.
 */
export const poppy: Format = {
  name: 'poppy',
  system: 'poppy',
  purpose: 'poppy',
  signatures: [0, 1, 2, 3].map((option) => [2, option, 0, 0, 0, 0, 0, 0]),
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + COUNT_BYTES + bits / 8,
  open,
  makings: [
    making('poppy', 'none', 'files for poppy from 0.2 on'),
    making('poppy-space', 'space', 'the same, with its optimisation for space'),
    making('poppy-speed', 'speed', 'for speed: a cache, and buckets that are a power of two'),
    making('poppy-best', 'best', 'a cache alone'),
  ],
};

function making(name: string, optimisation: Optimisation, purpose: string): Making {
  return {
    name,
    purpose,
    sizing: poppySizing(name, optimisation),
    draft: async ({ items, fpr }) => newDraft(poppy, items, fpr, optimisation),
  };
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const { buckets, cache } = await readBuckets(source, name, Math.ceil(Number(head.getBigUint64(40, true)) / 8));
  const known = knownOf(poppy, head, buckets);
  const { description, array, bucketBytes, cacheBytes } = known;
  for (const some of [description.shape.k, array.shape.k]) requireProbes(name, buckets, some);
  const bucketsAt = HEADER_BYTES + cacheBytes + COUNT_BYTES;
  const end = bucketsAt + bucketBytes;
  requireSize(source, name, end);
  const { file, size } = source;
  const rest = restOf(source, end);
  const parts = [
    { offset: bucketsAt, bytes: bucketBytes },
    { offset: HEADER_BYTES, bytes: cacheBytes },
  ];
  return {
    layout: 'flat',
    name,
    description: { ...description, bytes: size ?? end },
    arrays: [{ ...array, stored: file && { file, parts } }],
    inOrder: file === undefined ? bucketsThen(source, name, bucketBytes, cache) : undefined,
    verified: undefined,
    draft: draftOf(known, rest),
    like: () => emptied(poppy, known),
    merging: mergingOf(known, rest),
    close: () => source.close(),
  };
}
