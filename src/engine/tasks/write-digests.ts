import { UnreadableInput } from '../../errors.ts';
import { descriptorSink } from '../../io/sink.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import type { Digests } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { NOTHING } from './tally.ts';
import type { DigestsSpec, SourcePart, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';
import { awaitTurn, passTurn } from './turns.ts';

/** Digests that wait until they are written, usually those of a chunk of lines; they are divided among the outputs. */
const WAITING = 2 ** 20;
const FEWEST = 2 ** 6;

/** Writes the digests of sources to the outputs they belong to, in the order of the records. */
export function openWriteDigests(context: ThreadContext, { selection, rules, outputs, bounds }: DigestsSpec): Task {
  const { kernel, onPrinting } = context;
  const sinks = outputs.map(({ fd, name }) => descriptorSink(fd, name));
  const counts = outputs.map(() => 0);
  let part: SourcePart | undefined;
  let begun = false;
  /** Waits for the turn of the part. */
  const begin = () => {
    if (begun) return;
    begun = true;
    if (part?.turn === undefined) return;
    onPrinting?.();
    awaitTurn(part.turn.turns, part.turn.number);
  };
  const buckets = createBuckets(kernel, bounds, (output, digests, count) => {
    begin();
    sinks[output]?.write(digests);
    counts[output] = (counts[output] ?? 0) + count;
  });
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules] },
    {
      keys: buckets.take,
      lastKeys: buckets.take,
      idle() {
        scanner.settle();
        buckets.empty();
      },
    },
  );
  const end = () => {
    scanner.settle();
    buckets.empty();
    begin();
    if (part?.turn !== undefined) passTurn(part.turn.turns, part.turn.number, 0);
  };
  return {
    async scan(source, next, onRead) {
      part = next;
      begun = false;
      try {
        const found = await scanner.scan(source, onRead);
        end();
        return { ...NOTHING, ...found };
      } catch (error) {
        // The records before a failed read count.
        if (error instanceof UnreadableInput) end();
        throw error;
      }
    },
    finish: () => ({ type: 'digests', ...NOTHING, ...scanner.tally(), counts }),
  };
}

/** Buffers for digests, one per output. */
interface Buckets {
  take(digests: Digests): void;
  /** Writes all buffered digests. */
  empty(): void;
}

function createBuckets(
  kernel: Kernel,
  bounds: BigUint64Array,
  write: (output: number, digests: Uint8Array, count: number) => void,
): Buckets {
  const { exports } = kernel;
  const outputs = bounds.length - 1;
  const capacity = Math.max(FEWEST, Math.floor(WAITING / outputs));
  const [boundsAt, fillsAt] = [kernel.reserve(8 * bounds.length), kernel.reserve(4 * outputs)];
  const bucketsAt = kernel.reserve(8 * capacity * outputs);
  new BigUint64Array(kernel.memory.buffer, boundsAt, bounds.length).set(bounds);
  const fills = new Uint32Array(kernel.memory.buffer, fillsAt, outputs);
  const emptyBucket = (output: number, count: number) => {
    write(output, kernel.bytes(bucketsAt + 8 * capacity * output, 8 * count), count);
    fills[output] = 0;
  };
  return {
    take({ address, count }) {
      for (let next = 0; next < count; ) {
        next = exports.divide(address, next, count, outputs, boundsAt, fillsAt, bucketsAt, capacity) >>> 0;
        const full = unsigned(exports.fullBucket);
        if (fills[full] === capacity) emptyBucket(full, capacity);
      }
    },
    empty() {
      for (const [output, count] of fills.entries()) if (count > 0) emptyBucket(output, count);
    },
  };
}
