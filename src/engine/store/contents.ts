import type { Fill } from '../../filters/kind.ts';
import { sum } from '../../filters/kind.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { WrittenArrays } from '../../formats/array-blueprint.ts';
import type { Description } from '../../formats/description.ts';
import type { OnWritten } from '../../formats/format.ts';
import { writeFilter } from '../../formats/write.ts';
import { type Append, type Output, writeOutput } from '../../io/atomic-file.ts';
import { inLargePieces } from '../../io/large-pieces.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes } from '../../sizing/geometry.ts';
import type { BitArray } from './bit-array.ts';
import { PAGE_BYTES, pagesOf } from './bit-array-payload.ts';
import type { Segments } from './segments.ts';
import { fillsOf, openArrays, type SharedArrays } from './shared-arrays.ts';
import type { SharedSegments } from './shared-segments.ts';

/** What a filter in memory contains: segments or arrays. */
export interface Contents {
  /** The segments; undefined for arrays. */
  readonly filter: SharedSegments | undefined;
  /** The fill of each segment or array. */
  fills(): readonly Fill[];
  /** The description for the file. `counted` is the description that the program computed with all keys in the filter. */
  described(counted: Description): Description;
  /** Bytes that the file will have, approximately. */
  bytes(described: Description): number;
  /** Writes the contents to a file atomically. Throws `output` errors. */
  write(
    output: Output,
    kernel: Kernel,
    described: Description,
    fills: readonly Fill[],
    onWritten: OnWritten,
  ): Promise<void>;
}

/** Contents that are segments. */
export interface SegmentContents extends Contents {
  readonly filter: SharedSegments;
  readonly segments: Segments;
}

export function segmentContents(filter: SharedSegments, segments: Segments): SegmentContents {
  return {
    filter,
    segments,
    fills: () => segments.fills(),
    described: (counted) => counted,
    bytes: ({ shape }) => payloadBytes(shape),
    write(output, kernel, described, fills, onWritten) {
      const supply = (index: number) => {
        const fill = fills[index];
        if (fill === undefined) throw new Error('nobody knows how full a segment is');
        return { ...segments.find(index), fill };
      };
      const kind = kindWithId(filter.kind, 'the filter');
      return writeFilter(output, kernel, { ...described, kind }, supply, onWritten);
    },
  };
}

/** Contents that are arrays; the file has arrays too. */
export function arrayContents(
  own: Kernel,
  shared: SharedArrays,
  write: (onesIn: (array: number, bytes: number) => number) => WrittenArrays,
): Contents {
  const { arrays } = openArrays(shared, own, 0);
  const written = write((array, bytes) => onesIn(own, bytesOf(arrays[array], shared, array), bytes));
  return {
    filter: undefined,
    fills: () => fillsOf(arrays, shared),
    described: ({ keyType }) => (keyType === undefined ? written.description : { ...written.description, keyType }),
    bytes: () => sum(written.pieces.map((piece) => ('bytes' in piece ? piece.bytes : 0))),
    write: (output, _, __, ___, onWritten) =>
      writeOutput(output, (append) =>
        writePieces(append, written, (array) => bytesOf(arrays[array], shared, array), onWritten),
      ),
  };
}

/** The number of ones in the first bytes of an array. */
function onesIn(own: Kernel, bytesOfArray: ArrayBytes, bytes: number): number {
  const address = own.reserve(PAGE_BYTES);
  let ones = 0;
  for (const page of bytesOfArray(0, bytes)) {
    own.exports.clear(address, PAGE_BYTES);
    own.bytes(address, page.length).set(page);
    ones += Number(own.exports.popcount(address, PAGE_BYTES));
  }
  return ones;
}

/** The bytes of an array in the range [from, to), in pieces. A piece is valid until the next piece is requested. */
export type ArrayBytes = (from: number, to: number) => Iterable<Uint8Array>;

/** Appends the pieces of a file. */
export async function writePieces(
  appendPiece: Append,
  { pieces, convert }: Pick<WrittenArrays, 'pieces' | 'convert'>,
  arrayBytes: (array: number) => ArrayBytes,
  onWritten: OnWritten,
): Promise<void> {
  const large = inLargePieces(appendPiece);
  const converted = convert?.(large.append);
  const { append } = converted ?? large;
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) await append(piece);
    else if (typeof piece === 'function') await piece(append);
    else {
      for (const bytes of arrayBytes(piece.array)(piece.from, piece.from + piece.bytes)) {
        await append(bytes);
        await onWritten(bytes.length);
      }
    }
  }
  await converted?.end();
  await large.end();
}

/** The bytes of an array in memory. After the bits of the array, a file may have padding, which is zeros. */
function bytesOf(array: BitArray | undefined, { arrays }: SharedArrays, index: number): ArrayBytes {
  const payload = arrays[index]?.payload;
  if (array === undefined || payload === undefined) throw new Error(`there is no array ${index}`);
  const pages = pagesOf(payload.shape);
  const none = new Uint8Array(PAGE_BYTES);
  return inPages((page) => {
    if (page >= pages) return none;
    const { kernel, address } = array.find(page);
    return kernel.bytes(address, PAGE_BYTES);
  });
}

/** The bytes of an array with these pages. */
export function inPages(bytesOfPage: (page: number) => Uint8Array): ArrayBytes {
  return function* (from, to) {
    for (let at = from; at < to; ) {
      const start = at % PAGE_BYTES;
      const length = Math.min(PAGE_BYTES - start, to - at);
      yield bytesOfPage(Math.floor(at / PAGE_BYTES)).subarray(start, start + length);
      at += length;
    }
  };
}
