// Files of one array of bits have a head and then the bits, in every system.

import { BloomError, damaged } from '../errors.ts';
import { type BitArrayShape, PROBES_LIMIT } from '../filters/position-rules.ts';
import { type ByteSource, readFully } from '../io/source.ts';
import type { ArrayBlueprint, ArrayMerging, BlueprintArray } from './array-blueprint.ts';
import type { Description } from './description.ts';
import type { Following } from './following.ts';
import type { BitArrayFile, BitsInOrder, StoredArray } from './format.ts';

/**
 * Reads the first bytes of a file, and continues after those already read. Throws a `format` error if the file is
 * shorter.
 */
export async function readHead(
  source: ByteSource,
  name: string,
  length: number,
  begun: ArrayBufferView = new Uint8Array(0),
): Promise<DataView> {
  const bytes = new Uint8Array(length);
  bytes.set(new Uint8Array(begun.buffer, begun.byteOffset, begun.byteLength));
  const read = begun.byteLength + (await readFully(source, bytes.subarray(begun.byteLength)));
  if (read < length) throw damaged(name, `it ends within its header, after ${read} of ${length} bytes`);
  return new DataView(bytes.buffer);
}

/**
 * Throws a `format` error for a filter without bits or hash functions, as a rate of 1 makes, and for one with more
 * hash functions than a key can have.
 */
export function requireProbes(name: string, bits: number | bigint, k: number | bigint): void {
  const [none] = [...(BigInt(bits) === 0n ? ['bits'] : []), ...(BigInt(k) === 0n ? ['hash functions'] : [])];
  if (none !== undefined)
    throw new BloomError(
      'format',
      `${name} has no ${none}, so it would accept every key`,
      'build it for a rate below 1',
    );
  if (k < 0 || k > PROBES_LIMIT) throw damaged(name, `its header states an impossible number of hash functions, ${k}`);
}

/** A filter whose arrays of bits follow each other in a file. */
interface PlacedArrays {
  /** The name of the file in messages. */
  readonly name: string;
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  /** Offset of the bits. The source was read up to this byte. */
  readonly offset: number;
  /** Other bytes may follow the bits. */
  readonly mayHaveMore: boolean;
  /** What follows the bits, if it must not be another filter. */
  readonly following?: Following;
  readonly fixedAs?: BitArrayFile['fixedAs'];
  readonly blueprint?: ArrayBlueprint | undefined;
  readonly like?: (() => ArrayBlueprint) | undefined;
  readonly merging?: ArrayMerging | undefined;
}

/** A filter of one array, and the bytes of that array. */
interface Placed extends Omit<PlacedArrays, 'arrays'> {
  readonly array: BitArrayShape;
  readonly bytes: number;
}

/** A file of one array whose head was read. Throws a `format` error if its length is wrong. */
export function fileOfArray(source: ByteSource, { array, bytes, ...placed }: Placed): BitArrayFile {
  return fileOfArrays(source, { ...placed, arrays: [{ shape: array, bytes }] });
}

/** The same for several arrays. */
export function fileOfArrays(source: ByteSource, placed: PlacedArrays): BitArrayFile {
  const { name, description, mayHaveMore, following } = placed;
  const { file, size } = source;
  let end = placed.offset;
  const arrays = placed.arrays.map(({ shape, bytes }): StoredArray => {
    const parts = [{ offset: end, bytes }];
    end += bytes;
    return { shape, bytes, stored: file && { file, parts } };
  });
  if (size !== undefined && size !== end && !(mayHaveMore && size > end))
    throw damaged(
      name,
      `it has ${size} bytes instead of the ${end} of its header, which is of ${description.format.system}`,
    );
  const inOrder: BitsInOrder = {
    async readBits(_, into) {
      if ((await readFully(source, into)) < into.length) throw damaged(name, 'it ends before the end of its bits');
    },
    async finish() {
      await following?.check();
      if (!mayHaveMore && (await readFully(source, new Uint8Array(1))) > 0)
        throw damaged(name, 'it has more bytes after its end');
    },
  };
  return {
    layout: 'arrays',
    name,
    description: { ...description, bytes: size ?? end },
    arrays,
    inOrder: file === undefined ? inOrder : undefined,
    verified: undefined,
    fixedAs: placed.fixedAs,
    blueprint: placed.blueprint,
    like: placed.like,
    merging: placed.merging,
    close: () => source.close(),
  };
}
