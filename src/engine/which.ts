// Finds which of many filters, and which of their parts, may have some keys. The keys stay in memory, and each filter is opened once.

import { differencesOf, type KeyRules } from '../formats/description.ts';
import type { FilteredPart } from '../formats/format.ts';
import { memorySource } from '../io/source.ts';
import { type Kernel, loadKernel } from '../kernel/kernel.ts';
import { type HashedRecords, hashRecords, recordsOf } from './hashed-records.ts';
import type { KeySelection } from './input/key-selection.ts';
import { requireAnyKey } from './input/key-variants.ts';
import { createScanner } from './input/scanner.ts';
import type { AnsweredBatch } from './input/scanning.ts';
import type { LoadedFilter } from './store/loaded.ts';
import { createSmallFilters, type SmallFilters } from './store/small-filters.ts';
import { openStore, type SharedStore } from './store/store.ts';
import { createAnswers } from './tasks/answers.ts';
import { WANTED } from './tasks/line-style.ts';
import type { TestSpec } from './tasks/task.ts';

/** A filter or part that may have some of the keys. */
export interface PartWithKeys {
  /** The part of a file with several filters; undefined for a file with one filter. */
  readonly part: Pick<FilteredPart, 'label' | 'column'> | undefined;
  /** Indices of records, from 0. */
  readonly records: readonly number[];
}

/** Records whose keys are looked up in one filter after the other. */
export interface Sought {
  /** Records without their terminators. */
  readonly records: readonly Uint8Array[];
  /**
   * The same as `findIn` for a small filter of bloomery's own format, which is read whole. Undefined for any other file, and for one that
   * is damaged or cannot be read: `loadFilter` then throws.
   */
  findInSmall(name: string): Promise<readonly PartWithKeys[] | undefined>;
  /** The parts of a file that may have keys, without empty results. Throws `input` and `format` errors. */
  findIn(loaded: LoadedFilter): Promise<readonly PartWithKeys[]>;
}

/** The rules whose digests are kept, at most. */
const RULES_LIMIT = 16;

/** Looks up the keys of some records. */
export function createSought(bytes: Uint8Array, selection: KeySelection): Sought {
  const records = recordsOf(bytes, selection);
  const kernel = loadKernel();
  const begin = kernel.reserve(0);
  const hashed: { readonly rules: KeyRules; readonly keys: Promise<HashedRecords> }[] = [];
  const hashedBy = (rules: KeyRules): Promise<HashedRecords> => {
    const known = hashed.find((other) => differencesOf(rules, other.rules).length === 0);
    if (known !== undefined) return known.keys;
    const keys = hashRecords(kernel, bytes, selection, rules);
    // If each filter has its own seed, the digests would fill the memory.
    if (hashed.length === RULES_LIMIT) hashed.shift();
    hashed.push({ rules, keys });
    return keys;
  };
  let small: SmallFilters | undefined;
  return {
    records,
    async findInSmall(name) {
      if (selection.needsAll === true) return undefined;
      small ??= createSmallFilters(loadKernel());
      const filter = await small.read(name);
      if (filter === undefined) return undefined;
      const { digests, owners } = await hashedBy(filter.rules);
      const present = new Set<number>();
      for (const key of filter.find(digests)) present.add(owners[key] ?? 0);
      return present.size === 0 ? [] : [{ part: undefined, records: [...present] }];
    },
    async findIn({ name, store, parts, labelOf, unfiltered, description: { rules } }) {
      requireAnyKey(selection, rules, name);
      if (labelOf === undefined) {
        const present = await presentIn(kernel, store, bytes, selection, rules).finally(() => kernel.release(begin));
        return present.length === 0 ? [] : [{ part: undefined, records: present }];
      }
      // Digests with ranges are valid for one file only.
      const keys = await (rules.ranges === undefined ? hashedBy(rules) : hashRecords(kernel, bytes, selection, rules));
      const { findParts } = await openStore(store, kernel, 0);
      const found = new Map<number, Set<number>>();
      for (const { part, key } of findParts?.(keys.digests, keys.owners.length) ?? [])
        found.set(part, (found.get(part) ?? new Set()).add(keys.owners[key] ?? 0));
      kernel.release(begin);
      const inOrder = parts.length === 0 ? [...found] : [...found].sort(([a], [b]) => a - b);
      const filtered = inOrder.map(([part, records]): PartWithKeys => ({ part: labelOf(part), records: [...records] }));
      const everywhere = [...new Set(keys.owners)];
      const open = unfiltered.map((label): PartWithKeys => ({ part: { label }, records: everywhere }));
      return [...filtered, ...open].filter(({ records }) => records.length > 0);
    },
  };
}

/** The records with a key that is maybe present in the filter as a whole. */
async function presentIn(
  kernel: Kernel,
  filter: SharedStore,
  bytes: Uint8Array,
  selection: KeySelection,
  rules: KeyRules,
): Promise<number[]> {
  const answers = await createAnswers(
    { kernel, threadIndex: 0 },
    { ...SEEKING, selection, filters: [{ filter, rules }] },
  );
  const { recordLimit, keys, lastKeys, conclude } = answers;
  const found: number[] = [];
  let before = 0;
  const note = ({ matches, count }: AnsweredBatch) => {
    for (const [i, match] of kernel.bytes(matches, count).entries())
      if (match === WANTED.present) found.push(before + i);
    before += count;
  };
  const scanner = createScanner(
    kernel,
    { selection, rules: answers.rules, recordLimit, looksUp: true },
    { keys, lastKeys, records: (batch) => conclude(batch, note) },
  );
  await scanner.scan(memorySource('the keys', bytes));
  scanner.endBatch();
  return found;
}

/** A query for the records that a filter may have. */
const SEEKING: Omit<TestSpec, 'selection' | 'filters'> = {
  type: 'test',
  combination: { needed: 'any', named: 'all' },
  print: undefined,
  lineBuffered: false,
  bySource: false,
  stopAt: undefined,
};
