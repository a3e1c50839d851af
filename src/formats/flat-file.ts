// What files of one array of bits have in common, whoever writes them: a head, and then the bits.

import { BloomError, damaged } from '../errors.ts';
import { type FlatShape, PROBES_LIMIT } from '../filters/position-rules.ts';
import { type ByteSource, readFully } from '../io/source.ts';
import type { Description } from './description.ts';
import type { FlatFile } from './format.ts';

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
  if (BigInt(bits) === 0n || BigInt(k) === 0n)
    throw new BloomError('format', `${name} has no bits, and so would have every key`, 'build it for a rate below 1');
  if (k > PROBES_LIMIT) throw damaged(name, `its header gives an impossible number of hashes, ${k}`);
}

/** A filter, and where a file has its bits. */
interface Placed {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly description: Description;
  readonly array: FlatShape;
  /** First byte of the bits, up to which the source was read, and their number. */
  readonly offset: number;
  readonly bytes: number;
  /** Something else may follow the bits. */
  readonly mayHaveMore: boolean;
}

/** A file of which the head was read. Throws a `format` error for one that has not the length that it should. */
export function flatFile(source: ByteSource, placed: Placed): FlatFile {
  const { name, description, array, offset, bytes, mayHaveMore } = placed;
  if (source.size !== undefined) checkSize(source.size, placed);
  return {
    layout: 'flat',
    name,
    description: { ...description, bytes: source.size ?? offset + bytes },
    arrays: [{ shape: array, bytes, stored: source.file && { file: source.file, parts: [{ offset, bytes }] } }],
    async readBits(into) {
      if ((await readFully(source, into)) < into.length) throw damaged(name, 'it ends within its bits');
    },
    async finish() {
      if (!mayHaveMore && (await readFully(source, new Uint8Array(1))) > 0)
        throw damaged(name, 'more bytes follow its end');
    },
    close: () => source.close(),
  };
}

/** Throws a `format` error for a file that is shorter than its head says, or longer where nothing may follow. */
function checkSize(size: number, { name, offset, bytes, mayHaveMore }: Placed): void {
  const expected = offset + bytes;
  if (size === expected || (mayHaveMore && size > expected)) return;
  throw damaged(name, `it has ${size} bytes where its header promises ${expected}`);
}
