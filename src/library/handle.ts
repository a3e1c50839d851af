import { noteSummary } from '../engine/notes.ts';
import { summaryOf } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import { remarksOn } from '../formats/description.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { requireIterable } from './checks.ts';
import type { Filter, FilterStats } from './filter.ts';
import { type Current, createCurrent, type Held } from './held.ts';
import { createSaving } from './saving.ts';

/** The internals of a filter. */
export type Internals = Pick<Current, 'snapshot'>;

const internals = new WeakMap<Filter, Internals>();

/** The internals of a filter. Throws a `usage` error for a value that is not a filter of this library. */
export function internalsOf(filter: Filter): Internals {
  const known = internals.get(filter);
  if (known === undefined)
    throw new BloomError('usage', 'only filters that this library opened or built can be merged or compared');
  return known;
}

/** A filter of the library. */
export async function createHandle(kernel: Kernel, held: Held): Promise<Filter> {
  const current = await createCurrent(kernel, held);
  const { has, hasAsync, add, remove, description, content, close } = current;
  const handle: Filter = {
    has,
    hasMany(keys) {
      requireIterable('keys', keys);
      return current.hasMany(keys);
    },
    hasAsync,
    async hasManyAsync(keys) {
      requireIterable('keys', keys);
      return current.hasManyAsync(keys);
    },
    add: (key) => add([key]),
    addMany(keys) {
      requireIterable('keys', keys);
      add(keys);
    },
    remove,
    stats() {
      const described = description();
      const facts = { ...noteSummary(described), remarks: remarksOn(described) };
      return { ...summaryOf(described, content()), ...facts } as unknown as FilterStats;
    },
    ...createSaving(kernel, current, held),
    close,
  };
  internals.set(handle, current);
  return handle;
}
