// Which of many filters, and of the parts of each, may have some keys: these stay in memory, and each filter is opened once.

import { rowsWith } from '../filters/signatures.ts';
import type { KeyRules } from '../formats/description.ts';
import type { FilteredPart } from '../formats/format.ts';
import { memorySource } from '../io/source.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { AskedFilter, SharedSignatures } from './filter/asked-filter.ts';
import type { FlatArray } from './filter/flat-array.ts';
import { ALL_KEYS } from './filter/flat-memory.ts';
import { BATCH } from './filter/flat-payload.ts';
import type { LoadedAsked } from './filter/load-asked.ts';
import { openArrays, type SharedArrays } from './filter/shared-arrays.ts';
import { recordNumbers, type ScannedDigests } from './input/digests.ts';
import { digestBytesOf } from './input/hashing.ts';
import { type KeySelection, terminatorOf } from './input/key-selection.ts';
import { type AnsweredBatch, createScanner } from './input/scanner.ts';
import { createAnswers } from './tasks/answers.ts';
import { WANTED } from './tasks/line-style.ts';
import type { TestSpec } from './tasks/task.ts';

/** Where some of the keys may be. */
export interface Found {
  /** Which of the filters of a file; undefined for a file of one. */
  readonly part: Pick<FilteredPart, 'label' | 'column'> | undefined;
  /** Numbers of records, counted from 0. */
  readonly records: readonly number[];
}

/** Records whose keys are looked for in one filter after the other. */
export interface Sought {
  /** Without what ends them. */
  readonly records: readonly Uint8Array[];
  /** Where in a file they may be: in each of its filters, but for those in which none is. Throws `input` and `format` errors. */
  findIn(loaded: LoadedAsked): Promise<readonly Found[]>;
}

/** Looks for the keys of some records. */
export function createSought(bytes: Uint8Array, selection: KeySelection): Sought {
  const records = recordsOf(bytes, selection);
  const hashed = new Map<string, Promise<Hashed>>();
  const hashedBy = (rules: KeyRules): Promise<Hashed> => {
    const name = JSON.stringify(rules, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const known = hashed.get(name) ?? hash(bytes, selection, rules);
    hashed.set(name, known);
    return known;
  };
  return {
    records,
    async findIn({ asked, parts, unfiltered, description: { rules } }) {
      if ('signatures' in asked) return inRows(asked, await hash(bytes, selection, rules));
      if (rules.ranges !== undefined && 'arrays' in asked && parts.length > 0)
        return inRanges(asked, parts, await hash(bytes, selection, rules));
      if (!isParted(asked, parts)) {
        const present = await presentIn(asked, bytes, selection, rules);
        return present.length === 0 ? [] : [{ part: undefined, records: present }];
      }
      const keys = await hashedBy(rules);
      const { arrays } = openArrays(asked, loadKernel(), 0);
      const filtered = arrays.map((array, i): Found => ({ part: parts[i], records: ownersOf(keys, array) }));
      const everywhere = [...new Set(keys.owners)];
      const open = unfiltered.map((label): Found => ({ part: { label }, records: everywhere }));
      return [...filtered, ...open].filter((found) => found.records.length > 0);
    },
  };
}

/** Whether each array is the filter of a part. */
function isParted(asked: AskedFilter, parts: readonly FilteredPart[]): asked is SharedArrays {
  return 'arrays' in asked && parts.length === asked.arrays.length;
}

/** The records of some bytes; the last may lack its end. */
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

/** The digests of keys, and the numbers of the records that they are of. */
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

/** The records of which an array may have a key. */
function ownersOf(keys: Hashed, array: FlatArray): number[] {
  return [...new Set(keptOf(keys, array).map((key) => keys.owners[key] ?? 0))];
}

/** In which of the parts of an array, of which each has a range of keys, some of these may be: their digests say it. */
function inRanges(asked: SharedArrays, parts: readonly FilteredPart[], keys: Hashed): Found[] {
  const { arrays } = openArrays(asked, loadKernel(), 0);
  const ranged = asked.arrays[0]?.payload.shape.parts ?? [];
  const { buffer, byteOffset } = keys.digests;
  const digests = new DataView(buffer, byteOffset);
  const records = new Map<number, Set<number>>();
  for (const array of arrays)
    for (const key of keptOf(keys, array)) {
      const first = Number(digests.getBigUint64(keys.bytesEach * key + FIRST_BIT_AT, true));
      records.set(first, (records.get(first) ?? new Set()).add(keys.owners[key] ?? 0));
    }
  return ranged.flatMap(({ first }, i): Found[] => {
    const found = records.get(first);
    return found === undefined ? [] : [{ part: parts[i], records: [...found] }];
  });
}

/** In which rows keys may be: block and number, as PostgreSQL writes them. */
function inRows({ signatures }: SharedSignatures, { digests, owners }: Hashed): Found[] {
  const hashes = new DataView(digests.buffer, digests.byteOffset);
  const records = new Map<number, number[]>();
  for (const [key, owner] of owners.entries())
    for (const row of rowsWith(signatures, hashes.getUint32(8 * key, true)))
      records.set(row, [...(records.get(row) ?? []), owner]);
  const { blocks, numbers } = signatures;
  return [...records].map(([row, owners]) => ({
    part: { label: `(${blocks[row]},${numbers[row]})` },
    records: [...new Set(owners)],
  }));
}

/** Where such a digest has the first bit of the part: src/kernel/assembly/systems/key-ranges.ts. */
const FIRST_BIT_AT = 8;

/** The keys, by their numbers, that an array may have. */
function keptOf({ digests, bytesEach, owners }: Hashed, { keep }: FlatArray): number[] {
  const found: number[] = [];
  for (let first = 0; first < owners.length; first += BATCH) {
    const count = Math.min(BATCH, owners.length - first);
    const batch = digests.subarray(bytesEach * first, bytesEach * (first + count));
    for (const key of keep(batch, ALL_KEYS.subarray(0, count))) found.push(first + key);
  }
  return found;
}

/** The records of which a filter as a whole may have a key. */
async function presentIn(
  filter: AskedFilter,
  bytes: Uint8Array,
  selection: KeySelection,
  rules: KeyRules,
): Promise<number[]> {
  const kernel = loadKernel();
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

/** It is asked which records a filter has. */
const SEEKING: Omit<TestSpec, 'selection' | 'filters'> = {
  type: 'test',
  combination: { needed: 'any', told: 'all' },
  print: undefined,
  lineBuffered: false,
  bySource: false,
  stopAt: undefined,
};
