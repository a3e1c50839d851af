import { UnreadableInput } from '../../errors.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { digestBytesOf } from '../input/hashing.ts';
import { createScanner } from '../input/scanner.ts';
import { createGrowingArrays } from '../store/growing-arrays.ts';
import { openArrays, type SharedArrays } from '../store/shared-arrays.ts';
import { createDistinctCounter, createIdentities } from './distinct-keys.ts';
import { createOrder } from './order.ts';
import { NOTHING } from './tally.ts';
import type { AddToArraysSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Adds the keys of what it is given to a filter of arrays. */
export function openAddToArrays(context: ThreadContext, spec: AddToArraysSpec): Task {
  const { kernel, log } = context;
  const { selection, rules, replay, inOrder } = spec;
  const digestBytes = digestBytesOf(rules);
  const counter = createDistinctCounter(kernel);
  const identities = createIdentities(kernel, rules);
  const arrays = openAdding(context, spec);
  const scratch = kernel.reserve(digestBytes * VISIT_LIMIT);
  const addBytes = (bytes: Uint8Array) => {
    kernel.bytes(scratch, bytes.length).set(bytes);
    arrays.add({ address: scratch, count: bytes.length / digestBytes, owners: 0, firstOwner: 0 });
  };
  const order = inOrder ? createOrder(kernel, { digestBytes, limit: WAITING_LIMIT }, arrays.add) : undefined;
  if (replay) log?.replay(addBytes);
  const take = (digests: Digests) => {
    counter.note(identities(digests));
    (order?.take ?? arrays.add)(digests);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules] }, { keys: take, lastKeys: take });
  return {
    async scan(source, part, onRead) {
      const end = () => {
        if (order === undefined) return;
        scanner.settle();
        order.end(false);
      };
      order?.begin(part);
      try {
        const found = await scanner.scan(source, onRead);
        end();
        return { ...NOTHING, ...found };
      } catch (error) {
        // What was read before an input failed is added, and others do not wait for the rest.
        if (error instanceof UnreadableInput) end();
        throw error;
      }
    },
    finish() {
      scanner.settle();
      return {
        type: 'add to arrays',
        ...NOTHING,
        ...scanner.tally(),
        distinct: counter.table(),
        sketch: undefined,
        changes: arrays.changes(),
        filter: arrays.filter(),
      };
    },
  };
}

/** How a thread adds digests. */
interface Adding {
  add(digests: Digests): void;
  changes(): readonly number[];
  /** What has become of a filter that grew. */
  filter(): SharedArrays | undefined;
}

function openAdding({ kernel, threadIndex }: ThreadContext, { filter, growth }: AddToArraysSpec): Adding {
  if (growth !== undefined) return createGrowingArrays(kernel, filter, growth);
  const [array, ...others] = openArrays(filter, kernel, threadIndex).arrays;
  if (array === undefined || others.length > 0) throw new Error('nobody knows to which array keys are added');
  let changes = 0;
  return {
    add(digests) {
      changes += array.add(digests);
    },
    changes: () => [changes],
    filter: () => undefined,
  };
}

/** Digests that wait for their turn, at most: then the thread waits for it. */
const WAITING_LIMIT = 2 ** 20;
