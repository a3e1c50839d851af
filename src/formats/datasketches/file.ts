import { damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { DATASKETCHES_SIZING } from '../../sizing/systems/datasketches.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint, ArrayMerging, WrittenArrays } from '../array-blueprint.ts';
import { fileOfArray, readHead, requireProbes } from '../bit-array-file.ts';
import type { Description } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { requireWords, sameArrays } from '../headed-blueprint.ts';

/** Bytes before the bits. */
const HEADER_BYTES = 32;

/** The image of an empty filter has a shorter preamble and no bits. */
const EMPTY_BYTES = 24;
const IS_EMPTY = 4;

/** The fields of an image without its bits. */
interface Sketch {
  /** The format or variant of its queries. */
  readonly format: Format;
  readonly k: number;
  readonly seed: bigint;
  readonly words: number;
}

function describe({ format, k, seed, words }: Sketch): Description {
  const bits = 64 * words;
  return {
    format,
    kind: bloomBy('datasketches'),
    shape: { bits, segments: 1, segmentBits: bits, k },
    rules: { hash: 'xxh64-128', seed, ignoreCase: false, trim: false },
    target: undefined,
    inserted: undefined,
  };
}

/** The bit after the last word stands for empty keys, which are ignored. */
function arrayOf(k: number, words: number): BitArrayShape {
  return { bits: 64 * words + 1, k, rule: 'datasketches', order: 'bytes' };
}

/** An image with this many ones. Without ones it has no bits. */
function written(sketch: Sketch, ones: number): WrittenArrays {
  const { k, seed, words } = sketch;
  const head = new DataView(new ArrayBuffer(ones === 0 ? EMPTY_BYTES : HEADER_BYTES));
  for (const [i, byte] of [head.byteLength / 8, 1, 21, ones === 0 ? IS_EMPTY : 0].entries()) head.setUint8(i, byte);
  head.setUint16(4, k, true);
  head.setBigUint64(8, seed, true);
  head.setUint32(16, words, true);
  if (ones > 0) head.setBigUint64(EMPTY_BYTES, BigInt(ones), true);
  const bits = { array: 0, from: 0, bytes: ones === 0 ? 0 : 8 * words };
  return {
    description: { ...describe(sketch), bytes: head.byteLength + bits.bytes },
    pieces: [new Uint8Array(head.buffer), bits],
  };
}

/** An empty filter. Throws a `usage` error for a size that an image cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, seed: bigint, format: Format): ArrayBlueprint {
  requireWords(DATASKETCHES_SIZING, bits, 2 ** 31 - 1);
  return blueprintOf({ format, k, seed, words: bits / 64 });
}

/** An empty filter of this many words. */
function blueprintOf(sketch: Sketch): ArrayBlueprint {
  const { k, words } = sketch;
  return {
    description: describe(sketch),
    arrays: [{ shape: arrayOf(k, words), bytes: 8 * words }],
    countsKeys: false,
    written: (_, onesIn) => written(sketch, onesIn(0)),
  };
}

function mergingOf(sketch: Sketch): ArrayMerging {
  return {
    fields: {},
    unionWith(others) {
      const { description, arrays } = blueprintOf(sketch);
      return {
        description,
        arrays: arrays.map((array) => ({ ...array, from: sameArrays(0, 1 + others.length) })),
        countsOnes: true,
        written: ([ones = 0]) => written(sketch, ones),
      };
    },
  };
}

/** Opens an image, also of another library: see `Format.open`. */
export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, EMPTY_BYTES);
  const isEmpty = (head.getUint8(3) & IS_EMPTY) !== 0;
  if (isEmpty !== (head.getUint8(0) === EMPTY_BYTES / 8)) throw damaged(name, 'its flags contradict its preamble');
  const [k, seed, words] = [head.getUint16(4, true), head.getBigUint64(8, true), head.getUint32(16, true)];
  requireProbes(name, words, k);
  const sketch: Sketch = { format, k, seed, words };
  const offset = isEmpty ? EMPTY_BYTES : HEADER_BYTES;
  if (!isEmpty) await readHead(source, name, HEADER_BYTES, head);
  return fileOfArray(source, {
    name,
    description: { ...describe(sketch), inserted: isEmpty ? 0 : undefined },
    // The array of an empty image takes no memory, whatever its stated size.
    array: arrayOf(k, isEmpty ? 1 : words),
    offset,
    bytes: isEmpty ? 0 : 8 * words,
    mayHaveMore: false,
    blueprint: blueprintOf(sketch),
    like: () => blueprintOf(sketch),
    merging: mergingOf(sketch),
  });
}
