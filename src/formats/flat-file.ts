// What files of one array of bits have in common, whoever writes them: a head, and then the bits.

import { BloomError, damaged } from '../errors.ts';
import { type FlatShape, PROBES_LIMIT } from '../filters/position-rules.ts';
import { type ByteSource, readFully } from '../io/source.ts';
import type { ArrayBlueprint, BlueprintArray, FlatMerging } from './array-blueprint.ts';
import type { Description } from './description.ts';
import type { Following } from './following.ts';
import type { BitsInOrder, FlatFile, StoredArray } from './format.ts';

/** Reads the first bytes of a file, or more where it was begun. Throws a `format` error for one that has fewer. */
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
 * Throws a `format` error for a filter without bits or probes, as is made for a rate of 1, and for one of more probes than a key
 * can have.
 */
export function requireProbes(name: string, bits: number | bigint, k: number | bigint): void {
  const [none] = [...(BigInt(bits) === 0n ? ['bits'] : []), ...(BigInt(k) === 0n ? ['hashes'] : [])];
  if (none !== undefined)
    throw new BloomError(
      'format',
      `${name} has no ${none}, and so would have every key`,
      'build it for a rate below 1',
    );
  if (k < 0 || k > PROBES_LIMIT) throw damaged(name, `its header gives an impossible number of hashes, ${k}`);
}

/** A filter, and where a file has its arrays of bits, one behind the other. */
interface PlacedArrays {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly description: Description;
  readonly arrays: readonly BlueprintArray[];
  /** First byte of the bits, up to which the source was read. */
  readonly offset: number;
  /** Something else may follow the bits. */
  readonly mayHaveMore: boolean;
  /** What that is, where it is not to be another filter. */
  readonly behind?: Following;
  readonly fixedAs?: FlatFile['fixedAs'];
  readonly blueprint?: ArrayBlueprint | undefined;
  readonly like?: (() => ArrayBlueprint) | undefined;
  readonly merging?: FlatMerging | undefined;
}

/** A filter that is one array, and the bytes of that. */
interface Placed extends Omit<PlacedArrays, 'arrays'> {
  readonly array: FlatShape;
  readonly bytes: number;
}

/** A file of one array of which the head was read. Throws a `format` error for one that has not the length that it should. */
export function flatFile(source: ByteSource, { array, bytes, ...placed }: Placed): FlatFile {
  return flatArrays(source, { ...placed, arrays: [{ shape: array, bytes }] });
}

/** The same for several arrays. */
export function flatArrays(source: ByteSource, placed: PlacedArrays): FlatFile {
  const { name, description, mayHaveMore, behind } = placed;
  const { file, size } = source;
  let end = placed.offset;
  const arrays = placed.arrays.map(({ shape, bytes }): StoredArray => {
    const parts = [{ offset: end, bytes }];
    end += bytes;
    return { shape, bytes, stored: file && { file, parts } };
  });
  if (size !== undefined && size !== end && !(mayHaveMore && size > end))
    throw damaged(name, `it has ${size} bytes where its header, as of ${description.format.system}, promises ${end}`);
  const inOrder: BitsInOrder = {
    async readBits(_, into) {
      if ((await readFully(source, into)) < into.length) throw damaged(name, 'it ends within its bits');
    },
    async finish() {
      await behind?.check();
      if (!mayHaveMore && (await readFully(source, new Uint8Array(1))) > 0)
        throw damaged(name, 'more bytes follow its end');
    },
  };
  return {
    layout: 'flat',
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
