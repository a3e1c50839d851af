// The output of `tofile` of pybloom's ScalableBloomFilter, little-endian: i32 growth of the next filter, f64 ratio of
// the rates, u64 n of the first filter, f64 p; i32 filters, the u64 length of each filter, and the filters as
// `tofile` writes them.

import { damaged } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import { linkedBy, linkedShape } from '../../filters/linked.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { ofRemainders } from '../../filters/remainders.ts';
import type { ByteSource } from '../../io/source.ts';
import { statedKeys, statedTarget } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type PlacedArray, type WholeFile, wholeFile } from '../whole-file.ts';
import { rulesOf } from './hashes.ts';
import { fieldsOf, SCALABLE_BYTES } from './scalable-head.ts';
import { bytesOf, HEADER_BYTES, isHeader, type PybloomSlices, shapeOf, slicesOf } from './slices.ts';

/** A filter in its file. */
interface Placed {
  readonly slices: PybloomSlices;
  /** Offset of its bits. */
  readonly offset: number;
}

/** Opens a scalable filter. The user may have stated the variant. */
export async function openScalable(
  source: ByteSource,
  name: string,
  format: Format,
  variant: string | undefined,
): Promise<BitArrayFile> {
  const whole = await wholeFile(source, name);
  const [, , fpr] = fieldsOf(whole.read(0, SCALABLE_BYTES));
  const placed = placedFilters(whole, name);
  const filters = placed.map(({ slices }) => slices);
  const rules = await rulesOf(filters, variant, name);
  const arrays = arraysOf(placed, rules.words ?? 1);
  return {
    layout: 'arrays',
    name,
    description: {
      format,
      kind: linkedBy(ofRemainders),
      shape: linkedShape(arrays.map(({ shape }) => shape)),
      rules,
      target: statedTarget(
        filters.reduce((all, { capacity }) => all + capacity, 0n),
        fpr,
      ),
      inserted: statedKeys(filters.reduce((all, { inserted }) => all + inserted, 0n)),
      bytes: whole.size,
    },
    ...whole.arrays(arrays),
    fixedAs: 'it is scalable',
    verified: undefined,
    close: () => source.close(),
  };
}

/** The filters. Their lengths come first. Throws a `format` error if the lengths do not fit the file. */
function placedFilters({ read, size }: WholeFile, name: string): Placed[] {
  const [, , , count] = fieldsOf(read(0, SCALABLE_BYTES));
  const lengths = read(SCALABLE_BYTES, 8 * count);
  let offset = SCALABLE_BYTES + 8 * count;
  const placed = Array.from({ length: count }, (_, i): Placed => {
    const head = read(offset, HEADER_BYTES);
    if (!isHeader(head)) throw damaged(name, `filter ${i + 1} of ${count} has an impossible header`);
    const slices = slicesOf(head, name);
    const bytes = HEADER_BYTES + bytesOf(slices);
    if (lengths.getBigUint64(8 * i, true) !== BigInt(bytes))
      throw damaged(name, `filter ${i + 1} of ${count} has a wrong length`);
    offset += bytes;
    return { slices, offset: offset - bytesOf(slices) };
  });
  if (offset !== size) throw damaged(name, `it has ${size} bytes instead of the ${offset} of its filters`);
  return placed;
}

/**
 * The arrays of the filters. Their positions follow each other in a digest. A file without filters gets an array
 * without bits.
 */
function arraysOf(placed: readonly Placed[], words: number): PlacedArray[] {
  if (placed.length === 0) return [{ shape: NOTHING, offset: 0, bytes: 0 }];
  const firsts = placed.map((_, i) => sum(placed.slice(0, i).map(({ slices }) => slices.k)));
  return placed.map(({ slices, offset }, i) => ({
    shape: shapeOf(slices, words, firsts[i] ?? 0),
    offset,
    bytes: bytesOf(slices),
  }));
}

const NOTHING: BitArrayShape = { bits: 64, k: 1, rule: 'hashed', order: 'bytes' };
