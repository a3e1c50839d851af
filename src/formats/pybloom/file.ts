import { ofRemainders } from '../../filters/remainders.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { fileOfArray, readHead } from '../bit-array-file.ts';
import { type KeyRules, statedKeys, statedTarget } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging } from '../headed-blueprint.ts';
import type { Opening } from '../opening.ts';
import { rulesOf } from './hashes.ts';
import { openScalable } from './scalable.ts';
import { isScalable, SCALABLE_BYTES } from './scalable-head.ts';
import { bitsOf, bytesOf, HEADER_BYTES, shapeOf, slicesOf } from './slices.ts';
import type { Variant } from './versions.ts';

const COUNT_AT = 32;

/** A filter of a plan and a variant, without keys. */
export async function newBlueprint(
  { items, fpr, k, bits }: SystemPlan,
  format: Format,
  variant: Variant,
): Promise<ArrayBlueprint> {
  const head = headOf(items, fpr, k, bits / k);
  return blueprintOf(headed(head, format, await rulesOf([slicesOf(head, '')], variant, '')));
}

/** A head of a filter without keys. */
function headOf(items: number, fpr: number, k: number, sliceBits: number): DataView {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setFloat64(0, fpr, true);
  for (const [i, value] of [k, sliceBits, items].entries()) head.setBigUint64(8 + 8 * i, BigInt(value), true);
  return head;
}

/** The description of a head, with the rules of its keys. The filter must be possible. */
function headed(head: DataView, format: Format, rules: KeyRules): Headed {
  const slices = slicesOf(head, '');
  const bits = bitsOf(slices);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format,
      kind: ofRemainders,
      shape: { bits, segments: 1, segmentBits: bits, k: slices.k },
      rules,
      target: statedTarget(slices.capacity, slices.fpr),
      inserted: statedKeys(slices.inserted),
    },
    array: shapeOf(slices, slices.k, 0),
    bytes: bytesOf(slices),
    countAt: COUNT_AT,
  };
}

/** pybloom accepts one key more than the capacity. */
function blueprintOf(known: Headed): ArrayBlueprint {
  const { target, inserted = 0 } = known.description;
  const remaining = target === undefined ? undefined : Math.max(0, target.capacity + 1 - inserted);
  return { ...headedBlueprint(known), remaining };
}

/** Opens a filter or a scalable filter: see `Format.open`. */
export async function open(source: ByteSource, format: Format, { format: stated }: Opening): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, SCALABLE_BYTES);
  if (isScalable(begun)) return openScalable(putBack(new Uint8Array(begun.buffer), source), name, format, stated);
  const head = await readHead(source, name, HEADER_BYTES, begun);
  const slices = slicesOf(head, name);
  const rules = await rulesOf([slices], stated, name);
  const known = headed(head, format, rules);
  const { description, array, bytes } = known;
  const { fpr, capacity, k, sliceBits } = slices;
  return fileOfArray(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES,
    bytes,
    mayHaveMore: false,
    blueprint: blueprintOf(known),
    like: () => blueprintOf(headed(headOf(Number(capacity), fpr, k, sliceBits), format, rules)),
    // pybloom's `union` states 0 keys.
    merging: headedMerging(
      known,
      { capacity: Number(capacity), p: fpr },
      undefined,
      () => -(description.inserted ?? 0),
    ),
  });
}
