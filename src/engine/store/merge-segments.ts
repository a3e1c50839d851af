import { bytesInMemory, DRAFT_HEAD_BYTES, draftScratchBytes } from '../../filters/drafts.ts';
import type { Fill } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import type { OwnDescription } from '../../formats/description.ts';
import type { SegmentedFile, SuppliedSegment } from '../../formats/format.ts';
import { writeFilter } from '../../formats/write.ts';
import type { Output } from '../../io/atomic-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import { tooManyKeysForUnion } from './capacity.ts';
import { full } from './segments.ts';

/**
 * Writes the union of filters, or the concatenation of slices or of all parts, one segment at a time. Inputs have the shape of the union,
 * or can be enlarged to it. Memory holds two segments of the union and one of an input, whatever their number and size. Every input is
 * verified to its end before the output gets its name. Returns the fill of each segment. If `judge` throws, nothing is written.
 */
export async function mergeSegments(
  kernel: Kernel,
  files: readonly SegmentedFile[],
  union: OwnDescription,
  output: Output | undefined,
  observer: ProgressObserver = {},
  judge: (fill: readonly Fill[]) => void = () => {},
): Promise<Fill[]> {
  const { kind, shape } = union;
  const isJoined = files.some(({ description }) => description.shape.segments !== shape.segments);
  const isFollowed = kind.growing !== undefined || isJoined;
  const segmentOf = (isFollowed ? followingSegments : segmentsOfUnion)(kernel, files, union);
  const fill: Fill[] = [];
  const onMerged = createMeter(payloadBytes(shape), observer);
  const nextSegment = async (index: number): Promise<SuppliedSegment> => {
    const segment = await segmentOf(index);
    fill.push(segment.fill);
    if (fill.length === shape.segments) judge(fill);
    await onMerged(segmentBytes(shape));
    return segment;
  };
  if (output === undefined) for (let i = 0; i < shape.segments; i++) await nextSegment(i);
  else await writeFilter(output, kernel, union, nextSegment);
  return fill;
}

/** Two buffers of `segments` segments each, because one is written while the other is filled, and the work on their segments. */
function segmentBuffers(
  kernel: Kernel,
  { kind, shape }: OwnDescription,
  bytes = bytesInMemory(shape, kind),
  segments = 1,
) {
  const buffers = [kernel.reserve(segments * bytes), kernel.reserve(segments * bytes)];
  const scratch = {
    call: kernel.reserve(CALL_BYTES),
    drafts: kernel.reserve(draftScratchBytes(shape, kind.drafts)),
  };
  const work = kind.attach(kernel, shape, scratch);
  const placeOf = (index: number) => (buffers[Math.floor(index / segments) % 2] ?? 0) + (index % segments) * bytes;
  return { work, placeOf };
}

/** Bytes per write, unless a segment is larger. Waiting for a write takes as long as writing some segments. */
const WRITTEN_BYTES = 2 ** 21;

/** The segments of a concatenation: those of parts follow one another, and so do the slices of filters that grow. */
function followingSegments(kernel: Kernel, files: readonly SegmentedFile[], union: OwnDescription) {
  const { shape } = union;
  const bytes = segmentBytes(shape);
  const together = Math.max(1, Math.floor(WRITTEN_BYTES / bytes));
  const { work, placeOf } = segmentBuffers(kernel, union, bytes, together);
  const segments = segmentsOf(files);
  return async (index: number): Promise<SuppliedSegment> => {
    const address = placeOf(index);
    const { value } = segments.next();
    const checksum = await value?.file.readSegment(kernel, address);
    if (value?.isLast) await value.file.finish(kernel);
    const isContinued = (index + 1) % together !== 0 && index + 1 < shape.segments;
    return { kernel, address, fill: work.fill(address), checksum, isContinued };
  };
}

/** The segments of files, in their order. */
function* segmentsOf(files: readonly SegmentedFile[]): Generator<{ file: SegmentedFile; isLast: boolean }, undefined> {
  for (const file of files)
    for (let left = file.description.shape.segments; left > 0; left--) yield { file, isLast: left === 1 };
}

/** The segments of a union: segments with the same index are combined. */
function segmentsOfUnion(kernel: Kernel, files: readonly SegmentedFile[], union: OwnDescription) {
  const { kind, shape } = union;
  const { work, placeOf } = segmentBuffers(kernel, union);
  const input = kernel.reserve(Math.max(...files.map(({ description }) => segmentBytes(description.shape))));
  const throwIfRefused = (refused: number | undefined) => {
    if (refused === undefined) throw new Error(`${kind.name} filters cannot be merged`);
    if (refused > 0) throw union.inserted === undefined ? full() : tooManyKeysForUnion(kind, union.inserted);
  };
  return async (index: number): Promise<SuppliedSegment> => {
    const address = placeOf(index);
    if (kind.drafts !== undefined) kernel.exports.clear(address, DRAFT_HEAD_BYTES);
    for (const [i, file] of files.entries()) {
      const isBase = i === 0 && kind.drafts === undefined;
      await file.readSegment(kernel, isBase ? address : input);
      if (!isBase) throwIfRefused(work.mergeFrom?.(address, input, file.description.shape));
    }
    if (kind.drafts !== undefined) throwIfRefused(work.seal?.(address));
    if (index === shape.segments - 1) for (const file of files) await file.finish(kernel);
    return { kernel, address, fill: work.fill(address) };
  };
}
