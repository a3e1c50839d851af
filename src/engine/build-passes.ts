import type { Fill, FilterKind, Shape } from '../filters/kind.ts';
import { sum } from '../filters/kind.ts';
import type { SegmentSupply, SuppliedSegment } from '../formats/format.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { partOf } from '../sizing/share.ts';
import { type Filled, fill } from './fill.ts';
import { countByInput, identitiesOf, inPass, requireKeys, unchanged } from './read-again.ts';
import type { KindOfKeys, Reading, Threads } from './reading.ts';
import type { SegmentContents } from './store/contents.ts';
import { fillableSegments } from './store/fillable.ts';
import { emptiedPayload, requireMemoryToBuild } from './store/payload.ts';
import { createFilter, type SharedSegments, sharedSegments } from './store/shared-segments.ts';
import type { Pass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';

/** A filter that is built part by part, in one pass over the inputs per part. The first pass is done. */
export interface PassesBuild {
  /** Keys of all inputs, repetitions included. */
  readonly inserted: number;
  /** Records without a key. */
  readonly skipped: number;
  /** Keys of zero bytes. */
  readonly empty: number;
  /** Supplies the segments in order, and reads the inputs again for each further part. Throws the errors of a build. */
  readonly supply: SegmentSupply;
  /** The number of distinct keys after all segments were supplied; undefined if they were not counted exactly. */
  distinct(): number | undefined;
  /** Keys that are both members and protected, after all segments were supplied. */
  clashes(): number;
}

/** A part whose segments are in memory. */
export type BuiltPart = Filled<SegmentContents>;

/**
 * Builds a filter in `passes` passes over its inputs, which are files. Each pass makes a part of the filter, in the memory of the part
 * before.
 */
export async function buildInPasses(
  of: KindOfKeys<FilterKind>,
  shape: Shape,
  passes: number,
  reading: Reading,
  threads: Threads,
): Promise<PassesBuild> {
  const { inputs } = reading;
  const shapes = Array.from({ length: passes }, (_, i) => partOf(shape, i + 1, passes));
  const largest = shapes.reduce((a, b) => (b.segments > a.segments ? b : a));
  requireMemoryToBuild(largest, of.kind);
  const memory = createFilter(of.kind, largest, threads.pool.threadCount);
  const context = { kernel: loadKernel(), threadIndex: 0 };
  const identities = identitiesOf(inputs);
  let counted: readonly number[] | undefined;
  const built: BuiltPart[] = [];
  const buildNext = async (): Promise<BuiltPart> => {
    const { keys, note } = countByInput(inputs);
    const number = built.length + 1;
    const filter = sharedSegments(memory.kind, emptiedPayload(memory.payload, shapes[number - 1] ?? largest));
    const again = counted === undefined ? reading : unchanged(reading, identities);
    const part = await buildPart(
      of,
      filter,
      inPass(again, () => ({ number, of: passes })),
      { context, pool: threads.pool },
      note,
    );
    counted ??= keys;
    requireKeys(inputs, counted, keys, true);
    built.push(part);
    return part;
  };

  const { inserted, elsewhere, skipped, empty } = await buildNext();
  return {
    inserted: inserted + elsewhere,
    skipped,
    empty,
    supply: supplyOf(shapes, built, buildNext),
    distinct: () => (built.some(({ distinct }) => distinct === undefined) ? undefined : sum(built.map(distinctIn))),
    clashes: () => sum(built.map(({ clashes }) => clashes)),
  };
}

function distinctIn({ distinct = 0 }: BuiltPart): number {
  return distinct;
}

/** Adds the keys of a part. What the kernel reserves is released for the next part; other threads end, and release their memory. */
export async function buildPart(
  of: KindOfKeys<FilterKind>,
  filter: SharedSegments,
  reading: Reading,
  { context, pool: { threadCount, settings } }: Threads,
  onTally?: Pass['onTally'],
): Promise<BuiltPart> {
  const pool = createWorkerPool(threadCount - 1, settings);
  const memory = context.kernel.reserve(0);
  try {
    return await fill(of, fillableSegments(of.kind, filter), reading, { context, pool }, { onTally });
  } finally {
    await pool.close();
    context.kernel.release(memory);
  }
}

/** Supplies the segments of parts in order; only the last part that was built is in memory. */
export function supplyOf(
  shapes: readonly Shape[],
  built: readonly BuiltPart[],
  buildNext: () => Promise<unknown>,
): SegmentSupply {
  const spare = loadKernel();
  const bytes = segmentBytes(shapes[0] ?? { bits: 0, segments: 0, segmentBits: 0 });
  const buffers = [spare.reserve(bytes), spare.reserve(bytes)];
  let part = 0;
  let first = 0;
  let fills: readonly Fill[] | undefined;
  return async (index): Promise<SuppliedSegment> => {
    if (index === first + (shapes[part]?.segments ?? 0)) {
      first = index;
      part++;
      fills = undefined;
      await buildNext();
    }
    const current = built[part];
    fills ??= current?.contents.fills();
    const fill = fills?.[index - first];
    if (current === undefined || fill === undefined) throw new Error(`there is no segment ${index}`);
    const place = current.contents.segments.find(index - first);
    if (index - first < current.shape.segments - 1) return { ...place, fill };
    // The last segment is written while the next part overwrites its memory. Two buffers alternate, because the next part may have a single
    // segment too.
    const address = buffers[part % 2] ?? 0;
    spare.bytes(address, bytes).set(place.kernel.bytes(place.address, bytes));
    return { kernel: spare, address, fill };
  };
}
