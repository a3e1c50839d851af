// Where the rows of a group are, and which of its columns have ones in all rows of a key.

import type { ByteRange } from '../../io/remote/range-plan.ts';
import type { GroupPlace } from './entries.ts';

/** The bytes of the content with a row of a group. */
export function rangeOfRow({ start, columns }: GroupPlace, row: number): ByteRange {
  const first = row * columns;
  return { from: start + Math.floor(first / 8), to: start + Math.ceil((first + columns) / 8) };
}

/** The columns of a group that have ones in all of some rows, one bit each; undefined if there is none. `read` returns bytes of the content. */
export function commonColumns(
  group: GroupPlace,
  rows: Iterable<number>,
  read: (from: number, to: number) => Uint8Array,
): Uint8Array | undefined {
  const { columns } = group;
  let left: Uint8Array | undefined;
  for (const row of rows) {
    const shift = (row * columns) % 8;
    const { from, to } = rangeOfRow(group, row);
    const bytes = read(from, to);
    left ??= new Uint8Array(Math.ceil(columns / 8)).fill(0xff);
    // Bits of the next row follow the last column.
    const end = left.length - 1;
    const last = columns % 8 === 0 ? 0xff : 2 ** (columns % 8) - 1;
    let some = 0;
    for (let i = 0; i <= end; i++) {
      const bits = ((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8)) >> shift;
      const common = (left[i] as number) & bits & (i === end ? last : 0xff);
      left[i] = common;
      some |= common;
    }
    if (some === 0) return undefined;
  }
  return left;
}

/** The indices of the bits that are set. */
export function onesOf(bits: Uint8Array): number[] {
  const ones: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    const byte = bits[i] as number;
    for (let bit = 0; byte >> bit !== 0; bit++) if ((byte >> bit) & 1) ones.push(8 * i + bit);
  }
  return ones;
}
