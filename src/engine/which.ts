// Finds which of many filters, and which of their parts, may have some keys. The keys stay in memory, and each filter is opened once.

import type { KeyRules } from '../formats/description.ts';
import type { FilteredPart } from '../formats/format.ts';
import { memorySource } from '../io/source.ts';
import { type Kernel, loadKernel } from '../kernel/kernel.ts';
import { recordNumbers, type ScannedDigests } from './input/digests.ts';
import { digestBytesOf } from './input/hashing.ts';
import { type KeySelection, terminatorOf } from './input/key-selection.ts';
import { createScanner } from './input/scanner.ts';
import type { AnsweredBatch } from './input/scanning.ts';
import type { LoadedFilter } from './store/loaded.ts';
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
  /** The parts of a file that may have keys, without empty results. Throws `input` and `format` errors. */
  findIn(loaded: LoadedFilter): Promise<readonly PartWithKeys[]>;
}

/** Looks up the keys of some records. */
export function createSought(bytes: Uint8Array, selection: KeySelection): Sought {
  const records = recordsOf(bytes, selection);
  const kernel = loadKernel();
  const begin = kernel.reserve(0);
  const hashed = new Map<string, Promise<Hashed>>();
  const hashedBy = (rules: KeyRules): Promise<Hashed> => {
    const name = JSON.stringify(rules, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const known = hashed.get(name) ?? hash(bytes, selection, rules);
    hashed.set(name, known);
    return known;
  };
  return {
    records,
    async findIn({ store, parts, labelOf, unfiltered, description: { rules } }) {
      if (labelOf === undefined) {
        const present = await presentIn(kernel, store, bytes, selection, rules).finally(() => kernel.release(begin));
        return present.length === 0 ? [] : [{ part: undefined, records: present }];
      }
      // Digests with ranges are valid for one file only.
      const keys = await (rules.ranges === undefined ? hashedBy(rules) : hash(bytes, selection, rules));
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

/** The records of some bytes; the last record may lack its terminator. */
function recordsOf(bytes: Uint8Array, selection: KeySelection): Uint8Array[] {
  const terminator = terminatorOf(selection);
  const records: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(terminator, start);
    const end = found < 0 ? bytes.length : found;
    const isCrLf = !selection.nullTerminated && bytes[end - 1] === CR && end > start;
    records.push(bytes.subarray(start, isCrLf ? end - 1 : end));
    start = end + 1;
  }
  return records;
}

const CR = 13;

/** The digests of keys, and the indices of their records. */
interface Hashed {
  readonly digests: Uint8Array;
  readonly bytesEach: number;
  readonly owners: readonly number[];
}

async function hash(bytes: Uint8Array, selection: KeySelection, rules: KeyRules): Promise<Hashed> {
  const kernel = loadKernel();
  const bytesEach = digestBytesOf(rules);
  const pieces: Uint8Array[] = [];
  const owners: number[] = [];
  const take = (digests: ScannedDigests) => {
    pieces.push(kernel.bytes(digests.address, bytesEach * digests.count).slice());
    for (const record of recordNumbers(kernel, digests)) owners.push(record);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules] }, { keys: take, lastKeys: take });
  await scanner.scan(memorySource('the keys', bytes));
  scanner.settle();
  return { digests: Buffer.concat(pieces), bytesEach, owners };
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
    { selection, rules: answers.rules, recordLimit },
    { keys, lastKeys, records: (batch) => conclude(batch, note) },
  );
  await scanner.scan(memorySource('the keys', bytes));
  scanner.settle();
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
