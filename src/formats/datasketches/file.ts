import { damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { DATASKETCHES_SIZING } from '../../sizing/systems/datasketches.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint, FlatMerging, WrittenFlat } from '../array-blueprint.ts';
import type { Description } from '../description.ts';
import { flatFile, readHead, requireProbes } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { requireWords, sameArrays } from '../headed-blueprint.ts';
import { HEADER_BYTES } from './head.ts';

/** An image of an empty filter has fewer bytes before the bits, and no bits. */
const EMPTY_BYTES = 24;
const IS_EMPTY = 4;

/** What an image says of its filter besides its bits. */
interface Sketch {
  /** As which it is asked. */
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

/** The bit behind those of words is that of empty keys, which are passed over. */
function arrayOf(k: number, words: number): FlatShape {
  return { bits: 64 * words + 1, k, rule: 'datasketches', order: 'bytes' };
}

/** An image with so many ones: without any it has no bits. */
function written(sketch: Sketch, ones: number): WrittenFlat {
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

/** An empty filter. Throws a `usage` error for one of which no image can say how it is. */
export function newBlueprint({ k, bits }: SystemPlan, seed: bigint, format: Format): ArrayBlueprint {
  requireWords(DATASKETCHES_SIZING, bits, 2 ** 31 - 1);
  return blueprintOf({ format, k, seed, words: bits / 64 });
}

/** A filter of so many words, in the making. */
function blueprintOf(sketch: Sketch): ArrayBlueprint {
  const { k, words } = sketch;
  return {
    description: describe(sketch),
    arrays: [{ shape: arrayOf(k, words), bytes: 8 * words }],
    countsKeys: false,
    written: (_, onesIn) => written(sketch, onesIn(0)),
  };
}

function mergingOf(sketch: Sketch): FlatMerging {
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

/** Opens an image, which may be of another library: see `Format.open`. */
export async function open(source: ByteSource, format: Format): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, EMPTY_BYTES);
  const isEmpty = (head.getUint8(3) & IS_EMPTY) !== 0;
  if (isEmpty !== (head.getUint8(0) === EMPTY_BYTES / 8)) throw damaged(name, 'its flags and its preamble disagree');
  const [k, seed, words] = [head.getUint16(4, true), head.getBigUint64(8, true), head.getUint32(16, true)];
  requireProbes(name, words, k);
  const sketch: Sketch = { format, k, seed, words };
  const offset = isEmpty ? EMPTY_BYTES : HEADER_BYTES;
  if (!isEmpty) await readHead(source, name, HEADER_BYTES, head);
  return flatFile(source, {
    name,
    description: { ...describe(sketch), inserted: isEmpty ? 0 : undefined },
    // Of no bits none are held, however many there could be.
    array: arrayOf(k, isEmpty ? 1 : words),
    offset,
    bytes: isEmpty ? 0 : 8 * words,
    mayHaveMore: false,
    blueprint: blueprintOf(sketch),
    like: () => blueprintOf(sketch),
    merging: mergingOf(sketch),
  });
}
