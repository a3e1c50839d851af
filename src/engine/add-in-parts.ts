// Additions to filters that are larger than the memory. The digests of all keys go to temporary files, one per part of the filter. Each
// part is loaded and gets its keys twice: first to learn how full it becomes, and then to be written.

import { BloomError } from '../errors.ts';
import type { Fill, FilterKind } from '../filters/kind.ts';
import { writeFilter } from '../formats/write.ts';
import { openTemporaryFile } from '../io/temporary-file.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { payloadBytes } from '../sizing/geometry.ts';
import { type BuiltPart, buildPart, supplyOf } from './build-passes.ts';
import type { Filled } from './fill.ts';
import type { Input } from './input/input.ts';
import { WHOLE_LINES } from './input/key-selection.ts';
import { boundsOfParts, writeDigests } from './make-digests.ts';
import type { KindOfKeys, Reading, Threads } from './reading.ts';
import type { FilterParts } from './store/filter-parts.ts';
import { full } from './store/segments.ts';
import { recordsWithout } from './tasks/tally.ts';

/** Bytes of a digest. */
const DIGEST_BYTES = 8;

/** Adds the keys of a reading to a filter, part by part. Throws a `capacity` error if a part refused a key. */
export async function addInParts(
  of: KindOfKeys<FilterKind>,
  parts: FilterParts,
  { inputs, selection, observer }: Reading,
  { context, pool }: Threads,
): Promise<Filled> {
  const files = Array.from({ length: parts.parts }, () => openTemporaryFile('digests'));
  const name = 'the temporary file of digests';
  const { counts, ...found } = await writeDigests(
    { context, pool, inputs, observer, spec: { selection, rules: of.rules } },
    files.map(({ fd }) => ({ fd, name })),
    boundsOfParts(parts.segments, parts.parts),
  );
  // Each part is built by its own threads.
  await pool.close();
  const digests = files.map(({ fd }, i): Input => {
    return { kept: { name, content: 'records', handle: fd, size: DIGEST_BYTES * (counts[i] ?? 0) } };
  });
  const threads = { context: { kernel: loadKernel(), threadIndex: 0 }, pool };
  /** Adds the keys of the next part. Each call overwrites the part before. */
  const sequence = () => {
    const built: BuiltPart[] = [];
    const next = async () => {
      const number = built.length + 1;
      const { onUnreadable } = observer;
      const ofPart = { inputs: digests.slice(number - 1, number), selection: DIGESTS, observer: { onUnreadable } };
      built.push(await buildPart(of, parts.open(number), ofPart, threads).catch(refuse));
    };
    return { built, next };
  };
  const fills: Fill[] = [];
  const first = sequence();
  for (let part = 0; part < parts.parts; part++) {
    await first.next();
    fills.push(...(first.built[part]?.contents.fills() ?? []));
  }
  return {
    shape: parts.shape,
    contents: {
      filter: undefined,
      fills: () => fills,
      described: (counted) => counted,
      bytes: ({ shape }) => payloadBytes(shape),
      async write(output, kernel, described, _, onWritten) {
        const { built, next } = sequence();
        await next();
        const shapes = Array.from({ length: parts.parts }, (_, i) => parts.shapeOf(i + 1));
        await writeFilter(output, kernel, { ...described, kind: of.kind }, supplyOf(shapes, built, next), onWritten);
        for (const file of files) file.close();
      },
    },
    inserted: found.keys,
    skipped: recordsWithout(found),
    empty: found.empty ?? 0,
    elsewhere: 0,
    distinct: undefined,
    lengths: found.lengths,
    clashes: 0,
  };
}

/** Digests that were made before: each is a record and its own key. */
const DIGESTS = { ...WHOLE_LINES, areDigests: true };

/** Throws an error. The counts of a part that refused a key say nothing about the whole filter. */
function refuse(error: unknown): never {
  throw error instanceof BloomError && error.code === 'capacity' ? full() : error;
}
