import { bloomBy } from '../../filters/stepped.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { fileOfArray, readHead, requireProbes } from '../bit-array-file.ts';
import { statedKeys, statedTarget } from '../description.ts';
import { following } from '../following.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging } from '../headed-blueprint.ts';

/** Bytes before the bits, and the offset of the number of keys. */
const HEADER_BYTES = 48;
const COUNT_AT = 40;

/** An empty filter. */
export function newBlueprint({ items, fpr, k, bits }: SystemPlan, format: Format): ArrayBlueprint {
  return headedBlueprint(headed(headOf([1, items, 0, k, bits, 0].map(BigInt), fpr), format));
}

/** A head of these words. The third is the rate. */
function headOf(words: readonly bigint[], fpr: number): DataView {
  const head = new DataView(BigUint64Array.from(words).buffer);
  head.setFloat64(16, fpr, true);
  return head;
}

/** The description of a head. The filter must be possible. */
function headed(head: DataView, format: Format): Headed {
  const [, capacity = 0n, , k = 0n, bits = 0n, inserted = 0n] = new BigUint64Array(head.buffer, 0, HEADER_BYTES / 8);
  const shape = { bits: Number(bits), segments: 1, segmentBits: Number(bits), k: Number(k) };
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format,
      kind: bloomBy('dcso'),
      shape,
      rules: { hash: 'fnv1', seed: 0n, ignoreCase: false, trim: false },
      target: statedTarget(capacity, head.getFloat64(16, true)),
      inserted: statedKeys(inserted),
    },
    array: { bits: shape.bits, k: shape.k, rule: 'dcso', order: 'bytes' },
    bytes: 8 * Math.ceil(shape.bits / 64),
    countAt: COUNT_AT,
  };
}

/** The same head for a filter without keys. */
function emptied(head: DataView): DataView {
  const copy = new DataView(head.buffer.slice(0));
  copy.setBigUint64(COUNT_AT, 0n, true);
  return copy;
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  requireProbes(name, head.getBigUint64(32, true), head.getBigUint64(24, true));
  const known = headed(head, format);
  const { description, array, bytes } = known;
  const end = HEADER_BYTES + bytes;
  const next = following(source, end, format);
  if (source.size !== undefined && source.size > end) await next.check();
  return fileOfArray(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES,
    bytes,
    mayHaveMore: true,
    following: next,
    blueprint: headedBlueprint(known, next.rest),
    like: () => headedBlueprint(headed(emptied(head), format)),
    merging: headedMerging(known, { n: Number(head.getBigUint64(8, true)), p: head.getFloat64(16, true) }, next.rest),
  });
}
