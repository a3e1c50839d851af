import { bloom } from '../../filters/bloom.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { pybloomSizing } from '../../sizing/systems/pybloom.ts';
import { statedKeys, statedTarget } from '../description.ts';
import type { FlatDraft } from '../flat-draft.ts';
import { flatFile, readHead } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { type Headed, headedDraft, headedMerging } from '../headed-draft.ts';
import { BYTES } from '../key-types.ts';
import type { Opening } from '../opening.ts';
import { rulesOf, VARIANTS } from './hashes.ts';
import { isScalable, openScalable, SCALABLE_BYTES } from './scalable.ts';
import { bitsOf, bytesOf, HEADER_BYTES, isHeader, shapeOf, slicesOf } from './slices.ts';

const COUNT_AT = 32;

/** What `tofile` of pybloom and pybloom_live writes. Keys are strings, as UTF-8. */
export const pybloom: Format = {
  name: 'pybloom',
  system: 'pybloom',
  purpose: 'programs in Python with pybloom or pybloom_live',
  fits(head, size) {
    if (isScalable(head)) return size === undefined || size >= SCALABLE_BYTES;
    if (!isHeader(head)) return false;
    return size === undefined || size === HEADER_BYTES + bytesOf(slicesOf(head, ''));
  },
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  variants: VARIANTS,
  limits: ['filters of few slices do not say by which version they were made: --format does'],
  fileBytes: ({ bits }) => HEADER_BYTES + Math.ceil(bits / 8),
  open,
  makings: VARIANTS.map(({ name, purpose }) => ({
    name,
    purpose,
    sizing: pybloomSizing(name),
    draft: ({ items, fpr, k, bits }) => draftOf(headed(headOf(items, fpr, k, bits / k), name, '')),
  })),
};

/** A head of a filter without keys. */
function headOf(items: number, fpr: number, k: number, sliceBits: number): DataView {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setFloat64(0, fpr, true);
  for (const [i, value] of [k, sliceBits, items].entries()) head.setBigUint64(8 + 8 * i, BigInt(value), true);
  return head;
}

/** What a head says, by a variant where that is needed. Throws a `format` error for what no filter has. */
function headed(head: DataView, variant: string | undefined, name: string): Headed {
  const slices = slicesOf(head, name);
  const bits = bitsOf(slices);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format: pybloom,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k: slices.k },
      rules: rulesOf([slices], variant, name),
      target: statedTarget(slices.capacity, slices.fpr),
      inserted: statedKeys(slices.inserted),
    },
    array: shapeOf(slices, slices.k, 0),
    bytes: bytesOf(slices),
    countAt: COUNT_AT,
  };
}

/** It takes one more key than it is for. */
function draftOf(known: Headed): FlatDraft {
  const { target, inserted = 0 } = known.description;
  const room = target === undefined ? undefined : Math.max(0, target.capacity + 1 - inserted);
  return { ...headedDraft(known), room };
}

async function open(source: ByteSource, _: Kernel | undefined, { format }: Opening): Promise<FlatFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, SCALABLE_BYTES);
  if (isScalable(begun)) return openScalable(putBack(new Uint8Array(begun.buffer), source), name, pybloom, format);
  const head = await readHead(source, name, HEADER_BYTES, begun);
  const known = headed(head, format, name);
  const { description, array, bytes } = known;
  const { fpr, capacity, k, sliceBits } = slicesOf(head, name);
  return flatFile(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES,
    bytes,
    mayHaveMore: false,
    draft: draftOf(known),
    like: () => draftOf(headed(headOf(Number(capacity), fpr, k, sliceBits), format, name)),
    // `union` says that it has no keys.
    merging: headedMerging(
      known,
      { capacity: Number(capacity), p: fpr },
      undefined,
      () => -(description.inserted ?? 0),
    ),
  });
}
