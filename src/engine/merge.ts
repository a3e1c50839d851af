import type { FilterKind, Shape } from '../filters/kind.ts';
import type { Header } from '../format/header.ts';
import type { FilterReader } from '../format/reader.ts';
import { type SuppliedSegment, writeFilter } from '../format/writer.ts';
import type { Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { noRoom } from './payload.ts';

/**
 * Writes the union of compatible filters, one segment at a time, so that memory holds two segments of the result and
 * one of an input whatever their number and size. Every input is verified to its end before the result takes its name.
 * Returns the fill of each segment.
 */
export async function mergeFilters(
  kernel: Kernel,
  kind: FilterKind,
  readers: readonly FilterReader[],
  header: Header,
  output: Output | undefined,
): Promise<number[]> {
  const bytes = segmentBytes(header);
  // One is written while the other is filled.
  const unions = [kernel.reserve(bytes), kernel.reserve(bytes)];
  const input = kernel.reserve(bytes);
  const segment: Shape = { ...header, segments: 1, bits: header.segmentBits };
  const work = kind.attach(kernel, segment);
  const fill: number[] = [];
  const nextSegment = async (index: number): Promise<SuppliedSegment> => {
    const union = unions[index % 2] ?? 0;
    for (const [i, reader] of readers.entries()) {
      await reader.readSegment(kernel, i === 0 ? union : input);
      if (i === 0) continue;
      const refused = work.unite(union, input);
      if (refused > 0) throw noRoom(kind, header, refused, work.fill(union));
    }
    const full = work.fill(union);
    fill.push(full);
    if (index === header.segments - 1) for (const reader of readers) await reader.finish(kernel);
    return { kernel, address: union, fill: full };
  };
  if (output === undefined) for (let i = 0; i < header.segments; i++) await nextSegment(i);
  else await writeFilter(output, kernel, header, nextSegment);
  return fill;
}
