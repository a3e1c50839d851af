import { UnreadableInput } from '../../errors.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { isPart } from '../../sizing/share.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { digestBytesOf } from '../input/hashing.ts';
import { createScanner } from '../input/scanner.ts';
import { openAdding, sealDrafts } from '../store/adding.ts';
import { createRangeKeeper } from '../store/range-keeper.ts';
import type { SegmentVisits } from '../store/segment-visits.ts';
import type { DigestLog } from './digest-log.ts';
import { createDistinctCounter, createIdentities, createSketch } from './distinct-keys.ts';
import { createOrder } from './order.ts';
import { NOTHING } from './tally.ts';
import type { AddSpec, SealSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Digests that may wait for their turn. With more digests, the thread waits for the turn. */
const WAITING_LIMIT = 2 ** 20;

/** Adds the keys of sources to a filter. Once the filter is full, the keys are only counted: their number tells the necessary capacity. */
export async function openAdd(context: ThreadContext, spec: AddSpec): Promise<Task> {
  const { kernel, threadIndex, log } = context;
  const { filter, selection, rules, replay, inOrder, sketches } = spec;
  const digestBytes = digestBytesOf(rules);
  const counter = createDistinctCounter(kernel);
  const sketch = sketches ? createSketch(kernel) : undefined;
  const identities = createIdentities(kernel, rules);
  const adding = await openAdding(filter, kernel, threadIndex, spec);
  const { keep, dropped } = createRangeKeeper(kernel, filter.range);
  const counting = (hand: (digests: Digests) => void) => (digests: Digests) => {
    const kept = keep(digests);
    const identified = identities(kept);
    counter.note(identified);
    sketch?.note(identified);
    if (adding.refused() === 0) hand(kept);
  };
  const counted = { take: counting(adding.take), takeLast: counting(adding.takeLast) };
  // The digests of the log were counted in the survey, but not which of them belong to this part.
  if (replay && log !== undefined) addLog(kernel, log, digestBytes, isPart(filter.range) ? counted : adding);
  const order = inOrder ? createOrder(kernel, { digestBytes, limit: WAITING_LIMIT }, adding.take) : undefined;
  const ordered = order && counting(order.take);
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], countsEmpty: true },
    { keys: ordered ?? counted.take, lastKeys: ordered ?? counted.takeLast },
  );
  const end = () => {
    if (order === undefined) return;
    scanner.endBatch();
    order.end(false);
  };
  return {
    async scan(source, part, onRead) {
      order?.begin(part);
      try {
        const found = await scanner.scan(source, onRead);
        end();
        return { ...NOTHING, ...found };
      } catch (error) {
        // The records before a failed read are added, and other threads do not wait for the rest.
        if (error instanceof UnreadableInput) end();
        throw error;
      }
    },
    finish() {
      scanner.endBatch();
      return {
        type: 'add',
        ...NOTHING,
        ...scanner.tally(),
        elsewhere: dropped(),
        distinct: counter.table(),
        sketch: sketch?.registers(),
        refused: adding.refused(),
        changes: adding.changes(),
        grown: adding.grown(),
      };
    },
  };
}

/** Passes on the digests of a log. */
function addLog(kernel: Kernel, log: DigestLog, digestBytes: number, { take, takeLast }: SegmentVisits): void {
  const address = kernel.reserve(digestBytes * VISIT_LIMIT);
  const digests = (count: number): Digests => ({ address, count, owners: 0, firstOwner: 0 });
  log.replay((part) => {
    kernel.bytes(address, part.length).set(part);
    take(digests(part.length / digestBytes));
  });
  takeLast(digests(0));
}

/** Turns drafts into segments once all keys are in. */
export function openSeal({ kernel, threadIndex }: ThreadContext, { filter }: SealSpec): Task {
  return {
    scan: () => Promise.resolve(NOTHING),
    finish() {
      sealDrafts(filter, kernel, threadIndex);
      return { type: 'tally', ...NOTHING };
    },
  };
}
