import { type Fill, sum } from '../../filters/kind.ts';
import type { ArrayOfUnion, UnionOfArrays } from '../../formats/array-blueprint.ts';
import type { Description } from '../../formats/description.ts';
import type { BitArrayFile } from '../../formats/format.ts';
import { type Output, writeOutput } from '../../io/atomic-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createMeter, type Meter, type ProgressObserver } from '../input/progress.ts';
import { pagesIn } from './bit-array-pages.ts';
import { PAGE_BITS, PAGE_BYTES } from './bit-array-payload.ts';
import { arrayContents, inPages, writePieces } from './contents.ts';
import { requireMemory } from './payload.ts';
import { createArrays, fillsOf, openArrays } from './shared-arrays.ts';

/** The result of a merge, with its fill. */
export interface MergedFilter {
  readonly description: Description;
  readonly fill: readonly Fill[];
}

/** Throws an error if a merged filter must not be written. */
export type Judge = (merged: MergedFilter) => void;

/**
 * Writes the union of filters of arrays. If all files can be read at any position, the union is written page by page. Memory then holds two
 * pages, whatever the number and size of the files. Otherwise the whole union is in memory.
 */
export async function mergeArrays(
  kernel: Kernel,
  files: readonly BitArrayFile[],
  union: UnionOfArrays,
  output: Output | undefined,
  observer: ProgressObserver = {},
  judge: Judge = () => {},
): Promise<MergedFilter> {
  const onMerged = createMeter(sum(union.arrays.map(({ bytes }) => bytes)), observer);
  return files.every(({ inOrder }) => inOrder === undefined)
    ? mergePages(kernel, files, union, output, onMerged, judge)
    : mergeInMemory(kernel, files, union, output, onMerged, judge);
}

async function mergePages(
  kernel: Kernel,
  files: readonly BitArrayFile[],
  union: UnionOfArrays,
  output: Output | undefined,
  onMerged: Meter,
  judge: Judge,
): Promise<MergedFilter> {
  const arrays = union.arrays.map((array) => pagesOfUnion(kernel, files, array));
  const ones = () => arrays.flatMap((array) => array.ones());
  const computeAll = async () => {
    for (const [i, { bytes }] of union.arrays.entries())
      for (let page = 0; page * PAGE_BYTES < bytes; page++) {
        arrays[i]?.bytesOf(page);
        await onMerged(PAGE_BYTES);
      }
  };
  if (union.countsOnes || output === undefined) await computeAll();
  if (output !== undefined) {
    const written = union.written(ones());
    const bytesOf = (array: number) => inPages((page) => arrays[array]?.bytesOf(page) ?? new Uint8Array(0));
    await writeOutput(output, async (append) => {
      await writePieces(append, written, bytesOf, onMerged);
      judge(merged(union, ones()));
    });
  }
  return merged(union, ones());
}

function merged(union: UnionOfArrays, ones: readonly number[]): MergedFilter {
  return { description: union.written(ones).description, fill: ones.map((some) => ({ ones: some })) };
}

/** The pages of an array of a union, one at a time, and the ones of the pages that were made. */
function pagesOfUnion(kernel: Kernel, files: readonly BitArrayFile[], { shape, bytes, from }: ArrayOfUnion) {
  const [union, other] = [kernel.reserve(PAGE_BYTES), kernel.reserve(PAGE_BYTES)];
  const reads = from.flatMap(({ file, array }) => {
    const stored = files[file]?.arrays[array]?.stored;
    return stored === undefined ? [] : [pagesIn(stored, kernel)];
  });
  const partBits = shape.buckets?.bits ?? PAGE_BITS;
  const parts = new Array<number>(Math.ceil((8 * bytes) / partBits)).fill(0);
  const partsOfPage = PAGE_BITS / partBits;
  return {
    bytesOf(page: number): Uint8Array {
      kernel.exports.clear(union, PAGE_BYTES);
      for (const read of reads) {
        kernel.exports.clear(other, PAGE_BYTES);
        read(page, kernel.bytes(other, PAGE_BYTES));
        kernel.exports.orInto(union, other, PAGE_BYTES);
      }
      for (let i = 0; i < partsOfPage && page * partsOfPage + i < parts.length; i++)
        parts[page * partsOfPage + i] = Number(kernel.exports.popcount(union + (i * partBits) / 8, partBits / 8));
      return kernel.bytes(union, PAGE_BYTES);
    },
    ones: () => (shape.buckets === undefined ? [sum(parts)] : parts),
  };
}

async function mergeInMemory(
  kernel: Kernel,
  files: readonly BitArrayFile[],
  union: UnionOfArrays,
  output: Output | undefined,
  onMerged: Meter,
  judge: Judge,
): Promise<MergedFilter> {
  requireMemory(union.description.shape);
  const shared = createArrays(union.arrays, 1);
  const { arrays } = openArrays(shared, kernel, 0);
  const targetOf = (file: number, array: number) =>
    arrays[union.arrays.findIndex(({ from }) => from.some((of) => of.file === file && of.array === array))];
  for (const [i, file] of files.entries()) {
    for (const [j, { shape, bytes, stored }] of file.arrays.entries()) {
      const readStored = stored && pagesIn(stored, kernel);
      for (let page = 0; page * PAGE_BYTES < bytes; page++) {
        const piece = new Uint8Array(Math.min(PAGE_BYTES, bytes - page * PAGE_BYTES));
        if (readStored === undefined) await file.inOrder?.readBits(j, piece);
        const read = readStored ?? ((_: number, into: Uint8Array) => into.fill(0).set(piece));
        if (page * PAGE_BITS < shape.bits) targetOf(i, j)?.orFrom(read, page, page + 1);
        await onMerged(piece.length);
      }
    }
    await file.inOrder?.finish();
  }
  const ones = fillsOf(arrays, shared).map((fill) => ('ones' in fill ? Number(fill.ones) : 0));
  const written = union.written(ones);
  judge(merged(union, ones));
  if (output !== undefined) {
    const contents = arrayContents(kernel, shared, () => written);
    await contents.write(output, kernel, written.description, [], onMerged);
  }
  return merged(union, ones);
}
