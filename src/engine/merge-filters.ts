import { bytesInMemory, DRAFT_HEAD_BYTES, draftScratchBytes } from '../filters/drafts.ts';
import type { Fill, FilterKind } from '../filters/kind.ts';
import { CALL_BYTES } from '../filters/parameters.ts';
import type { Header } from '../formats/bloomery/header.ts';
import type { FilterReader } from '../formats/bloomery/reader.ts';
import { type SuppliedSegment, writeFilter } from '../formats/bloomery/writer.ts';
import type { Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../sizing/geometry.ts';
import { noRoomForUnion } from './capacity.ts';
import { createMeter, type ProgressObserver } from './input/input.ts';

/**
 * Writes the union of filters that have its shape, can be brought into it or are slices of it, one segment at a time, so that
 * memory holds two segments of it and one of an input whatever their number and size. Every input is verified to its
 * end before the result takes its name. Returns the fill of each segment.
 */
export async function mergeFilters(
  kernel: Kernel,
  kind: FilterKind,
  readers: readonly FilterReader[],
  header: Header,
  output: Output | undefined,
  observer: ProgressObserver = {},
): Promise<Fill[]> {
  const inputBytes = Math.max(...readers.map((reader) => segmentBytes(reader.header)));
  const unionBytes = bytesInMemory(header, kind.drafts);
  // One is written while the other is filled.
  const unions = [kernel.reserve(unionBytes), kernel.reserve(unionBytes)];
  const input = kernel.reserve(inputBytes);
  const scratch = {
    call: kernel.reserve(CALL_BYTES),
    drafts: kernel.reserve(draftScratchBytes(header, kind.drafts)),
  };
  const work = kind.attach(kernel, header, scratch);
  const fill: Fill[] = [];
  const throwIfRefused = (refused: number | undefined) => {
    if (refused === undefined) throw new Error(`${kind.name} filters cannot be merged`);
    if (refused > 0) throw noRoomForUnion(kind, header.inserted);
  };
  /** Of filters that grow the segments follow each other, as their slices do. */
  const followingSegment = async (index: number): Promise<SuppliedSegment> => {
    const address = unions[index % 2] ?? 0;
    let end = 0;
    const reader = readers.find(({ header: { segments } }) => {
      end += segments;
      return index < end;
    });
    await reader?.readSegment(kernel, address);
    if (index === end - 1) await reader?.finish(kernel);
    const full = work.fill(address);
    fill.push(full);
    return { kernel, address, fill: kind.packFill(full) };
  };
  const unitedSegment = async (index: number): Promise<SuppliedSegment> => {
    const union = unions[index % 2] ?? 0;
    if (kind.drafts !== undefined) kernel.exports.clear(union, DRAFT_HEAD_BYTES);
    for (const [i, reader] of readers.entries()) {
      const isBase = i === 0 && kind.drafts === undefined;
      await reader.readSegment(kernel, isBase ? union : input);
      if (!isBase) throwIfRefused(work.unite?.(union, input, reader.header));
    }
    if (kind.drafts !== undefined) throwIfRefused(work.finalize?.(union));
    const full = work.fill(union);
    fill.push(full);
    if (index === header.segments - 1) for (const reader of readers) await reader.finish(kernel);
    return { kernel, address: union, fill: kind.packFill(full) };
  };
  const onMerged = createMeter(payloadBytes(header), observer);
  const nextSegment = async (index: number): Promise<SuppliedSegment> => {
    const segment = await (kind.growing === undefined ? unitedSegment(index) : followingSegment(index));
    await onMerged(segmentBytes(header));
    return segment;
  };
  if (output === undefined) for (let i = 0; i < header.segments; i++) await nextSegment(i);
  else await writeFilter(output, kernel, header, nextSegment);
  return fill;
}
