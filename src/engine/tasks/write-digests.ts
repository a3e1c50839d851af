import { BloomError, UnreadableInput } from '../../errors.ts';
import { descriptorSink } from '../../io/sink.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import type { ScannedDigests } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { NOTHING } from './tally.ts';
import type { DigestsSpec, SourcePart, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';
import { awaitTurn, passTurn } from './turns.ts';

/** Digests that wait until they are written, usually those of a chunk of lines; they are divided among the outputs. */
const WAITING = 2 ** 20;
const FEWEST = 2 ** 6;

/** Bytes of a digest, and of one with the number of its record. */
const DIGEST_BYTES = 8;
export const NUMBERED_BYTES = 12;

/** Numbers of records, from 0. */
const MOST_NUMBERED = 2 ** 32;

/** Writes the digests of sources to the outputs they belong to, in the order of the records. */
export function openWriteDigests(context: ThreadContext, spec: DigestsSpec): Task {
  const { selection, rules, outputs, bounds, numbered = false } = spec;
  const { kernel, onPrinting } = context;
  const memory = kernel.reserve(0);
  const sinks = outputs.map(({ fd, name }) => descriptorSink(fd, name));
  const counts = outputs.map(() => 0);
  let part: SourcePart | undefined;
  let begun = false;
  /** Records of this thread, skipped records included: of all parts, and of those before the present one. */
  let seen = 0;
  let seenBefore = 0;
  /** Records of all inputs before the present part. */
  let recordsBefore = 0;
  /** Waits for the turn of the part. */
  const begin = () => {
    if (begun) return;
    begun = true;
    recordsBefore = seenBefore;
    if (part?.turn === undefined) return;
    onPrinting?.();
    awaitTurn(part.turn.turns, part.turn.number);
    recordsBefore = part.turn.turns.total[0] ?? 0;
  };
  const openBuckets = numbered ? createNumberedBuckets : createDigestBuckets;
  const buckets = openBuckets(kernel, bounds, (output, write, count) => {
    begin();
    sinks[output]?.write(write(recordsBefore));
    counts[output] = (counts[output] ?? 0) + count;
  });
  const take = (digests: ScannedDigests) =>
    buckets.take({ ...digests, recordsBefore: digests.recordsBefore - seenBefore });
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], countsEmpty: !numbered, looksUp: numbered },
    {
      keys: take,
      lastKeys: take,
      records({ count }) {
        seen += count;
      },
      idle() {
        scanner.endBatch();
        buckets.empty();
      },
    },
  );
  const end = () => {
    scanner.endBatch();
    buckets.empty();
    begin();
    const total = recordsBefore + seen - seenBefore;
    if (numbered && total > MOST_NUMBERED) throw tooManyRecords();
    if (part?.turn === undefined) return;
    const { turns, number } = part.turn;
    turns.total[0] = total;
    passTurn(turns, number, 0);
  };
  return {
    async scan(source, next, onRead) {
      part = next;
      begun = false;
      seenBefore = seen;
      try {
        const found = await scanner.scan(source, onRead);
        end();
        return { ...NOTHING, ...found, ...(numbered && { records: seen - seenBefore }) };
      } catch (error) {
        // The records before a failed read count.
        if (error instanceof UnreadableInput) end();
        throw error;
      }
    },
    finish() {
      const found = scanner.tally();
      // The digests are looked up or added next, which takes as much memory.
      kernel.release(memory);
      return { type: 'digests', ...NOTHING, ...found, counts };
    },
  };
}

function tooManyRecords(): BloomError {
  return new BloomError(
    'memory',
    `a filter larger than the memory answers at most ${MOST_NUMBERED} records at a time`,
    'split the input, or give it more memory with --memory',
  );
}

/** Writes the bytes of a bucket of `count` digests. The bytes follow from the number of records before the part. */
type WriteBucket = (output: number, bytes: (recordsBefore: number) => Uint8Array, count: number) => void;

/** Buffers for digests, one per output. */
interface Buckets {
  /** Accepts digests; `recordsBefore` counts records of their part. */
  take(digests: ScannedDigests): void;
  /** Writes all buffered digests. */
  empty(): void;
}

/** The memory of buckets for entries of `entryBytes`. */
function reserveBuckets(kernel: Kernel, bounds: BigUint64Array, entryBytes: number) {
  const outputs = bounds.length - 1;
  const capacity = Math.max(FEWEST, Math.floor(WAITING / outputs));
  const [boundsAt, fillsAt] = [kernel.reserve(8 * bounds.length), kernel.reserve(4 * outputs)];
  const bucketsAt = kernel.reserve(entryBytes * capacity * outputs);
  new BigUint64Array(kernel.memory.buffer, boundsAt, bounds.length).set(bounds);
  const fills = new Uint32Array(kernel.memory.buffer, fillsAt, outputs);
  return { outputs, capacity, boundsAt, fillsAt, bucketsAt, fills };
}

/** Buckets that are written by `emptyBucket` when they are full. `put` fills them, and returns the number of digests that it accepted. */
function createBuckets(
  { exports }: Kernel,
  { fills, capacity }: Pick<ReturnType<typeof reserveBuckets>, 'fills' | 'capacity'>,
  put: (digests: ScannedDigests, from: number) => number,
  emptyBucket: (output: number, count: number) => void,
): Buckets {
  const emptied = (output: number, count: number) => {
    emptyBucket(output, count);
    fills[output] = 0;
  };
  return {
    take(digests) {
      for (let next = 0; next < digests.count; ) {
        next = put(digests, next) >>> 0;
        const full = unsigned(exports.fullBucket);
        if (fills[full] === capacity) emptied(full, capacity);
      }
    },
    empty() {
      for (const [output, count] of fills.entries()) if (count > 0) emptied(output, count);
    },
  };
}

function createDigestBuckets(kernel: Kernel, bounds: BigUint64Array, write: WriteBucket): Buckets {
  const buckets = reserveBuckets(kernel, bounds, DIGEST_BYTES);
  const { outputs, capacity, boundsAt, fillsAt, bucketsAt } = buckets;
  return createBuckets(
    kernel,
    buckets,
    ({ address, count }, from) =>
      kernel.exports.divide(address, from, count, outputs, boundsAt, fillsAt, bucketsAt, capacity),
    (output, count) =>
      write(output, () => kernel.bytes(bucketsAt + DIGEST_BYTES * capacity * output, DIGEST_BYTES * count), count),
  );
}

/** Buckets for digests with the numbers of their records. Within a bucket, these count from the beginning of the part. */
function createNumberedBuckets(kernel: Kernel, bounds: BigUint64Array, write: WriteBucket): Buckets {
  const buckets = reserveBuckets(kernel, bounds, NUMBERED_BYTES);
  const { outputs, capacity, boundsAt, fillsAt, bucketsAt } = buckets;
  const { divideOwned, shiftOwners } = kernel.exports;
  return createBuckets(
    kernel,
    buckets,
    ({ address, owners, firstOwner, recordsBefore, count }, from) =>
      divideOwned(
        ...([address, owners, firstOwner, recordsBefore, from, count] as const),
        ...([outputs, boundsAt, fillsAt, bucketsAt, capacity] as const),
      ),
    (output, count) => {
      const at = bucketsAt + NUMBERED_BYTES * capacity * output;
      const numbered = (before: number) => {
        shiftOwners(at, count, before);
        return kernel.bytes(at, NUMBERED_BYTES * count);
      };
      write(output, numbered, count);
    },
  );
}
