import { bloom } from '../../filters/bloom.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { statedKeys, statedTarget } from '../description.ts';
import { flatFile, readHead } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import type { Opening } from '../opening.ts';
import { rulesOf, VARIANTS } from './hashes.ts';
import { isScalable, openScalable, SCALABLE_BYTES } from './scalable.ts';
import { bitsOf, bytesOf, HEADER_BYTES, isHeader, shapeOf, slicesOf } from './slices.ts';

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
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: undefined,
  variants: VARIANTS,
  limits: ['filters of few slices do not say by which version they were made: --format does'],
  fileBytes: ({ bits }) => HEADER_BYTES + Math.ceil(bits / 8),
  open,
};

async function open(source: ByteSource, _: Kernel | undefined, { format }: Opening): Promise<FlatFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, SCALABLE_BYTES);
  if (isScalable(begun)) return openScalable(putBack(new Uint8Array(begun.buffer), source), name, pybloom, format);
  const slices = slicesOf(await readHead(source, name, HEADER_BYTES, begun), name);
  const bits = bitsOf(slices);
  const rules = rulesOf([slices], format, name);
  return flatFile(source, {
    name,
    description: {
      format: pybloom,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k: slices.k },
      rules,
      target: statedTarget(slices.capacity, slices.fpr),
      inserted: statedKeys(slices.inserted),
    },
    array: shapeOf(slices, slices.k, 0),
    offset: HEADER_BYTES,
    bytes: bytesOf(slices),
    mayHaveMore: false,
  });
}
