import { damaged } from '../../errors.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import type { SegmentedFile, StatedFills } from '../../formats/format.ts';
import type { FormatAbility } from '../../formats/mark.ts';
import { rangeOfStored } from '../../formats/stored-segments.ts';
import { expectReads } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { slicesOf } from '../../sizing/chain.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import type { LoadedSegments } from './loaded.ts';
import { createPayload, requireMemory } from './payload.ts';
import { createSegments } from './segments.ts';
import {
  loadSegment,
  openSegments,
  requirePossible,
  type SharedSegments,
  sharedSegments,
  withoutDrafts,
} from './shared-segments.ts';

/**
 * Loads an open filter for `threadCount` threads. If the file is regular, only its header is read now, and each segment when it is needed.
 * A pipe or bytes in memory are read to the end. Closes the file after an error. Throws `input`, `format` and `memory` errors.
 */
export async function loadSegments(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
  observer: ProgressObserver = {},
): Promise<LoadedSegments> {
  try {
    return (
      locatedFilter(kernel, opened, threadCount, use) ?? (await loadWhole(kernel, opened, threadCount, use, observer))
    );
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** A filter whose segments can be read at any position; undefined for a filter that is read in order. */
export function locatedFilter(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
): LoadedSegments | undefined {
  const located = opened.locate(kernel);
  if (located === undefined) return undefined;
  const { kind, shape } = opened.description;
  const payload = createPayload(shape, threadCount, undefined, use === 'change' ? kind : withoutDrafts(kind));
  return loadedFilter(kernel, opened, sharedSegments(kind.id, payload, located.stored), located.fills);
}

async function loadWhole(
  kernel: Kernel,
  opened: SegmentedFile,
  threadCount: number,
  use: FormatAbility,
  observer: ProgressObserver,
): Promise<LoadedSegments> {
  const { name, description } = opened;
  const { kind, shape } = description;
  requireMemory(shape);
  const payload = createPayload(shape, threadCount, undefined, use === 'change' ? kind : withoutDrafts(kind));
  const segments = createSegments(payload, kind, kernel, 0, () => {});
  const onLoaded = createMeter(payloadBytes(shape), observer);
  for (let i = 0; i < shape.segments; i++) {
    const place = segments.find(i);
    await opened.readSegment(place.kernel, place.address);
    requirePossible(kind, { name, count: shape.segments, segmentBytes: segmentBytes(shape) }, i, place);
    await onLoaded(segmentBytes(shape));
  }
  const fills = await opened.finish(kernel);
  return loadedFilter(kernel, opened, sharedSegments(kind.id, payload), fills);
}

function loadedFilter(
  kernel: Kernel,
  { name, description, close }: SegmentedFile,
  store: SharedSegments,
  stated: StatedFills | undefined,
): LoadedSegments {
  const fills = stated ?? (() => openSegments(store, kernel, 0).fills());
  const whole = { parts: [], labelOf: undefined, unfiltered: [] };
  const loaded = { name, description, store, segments: store, file: store.stored?.file, ...whole, fills, close };
  return { ...loaded, verify: (observer) => verifySegments(kernel, loaded, observer) };
}

/**
 * Reads every segment of a filter in a file, and compares it with its checksum and with the fill in the table. A filter from a pipe was
 * verified when it was loaded. Throws a `format` error that names the first damaged segment.
 */
export async function verifySegments(
  kernel: Kernel,
  { name, description, store: { stored }, fills }: Pick<LoadedSegments, 'name' | 'description' | 'store' | 'fills'>,
  observer: ProgressObserver = {},
): Promise<void> {
  if (stored === undefined) return;
  const { kind, shape } = description;
  const onVerified = createMeter(payloadBytes(shape), observer);
  const [address, call] = [kernel.reserve(segmentBytes(shape)), kernel.reserve(CALL_BYTES)];
  const packed = fills().map((fill) => kind.packFill(fill));
  expectReads(stored.file, () => packed.map((_, segment) => rangeOfStored(stored, segment)));
  let segment = 0;
  for (const { segments, k } of slicesOf(shape)) {
    const work = kind.attach(kernel, { ...shape, k }, { call, drafts: 0 });
    for (const end = segment + segments; segment < end; segment++) {
      loadSegment(kind, stored, segment, { kernel, address });
      if (kind.packFill(work.fill(address)) !== packed[segment])
        throw damaged(name, `the fill of segment ${segment + 1} of ${shape.segments} differs from its table`);
      await onVerified(segmentBytes(shape));
    }
  }
}
