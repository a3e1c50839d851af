// Where keys may be does not depend on the records between them, however long or many these are.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { BLANKS, fieldKeys, textSeparator, WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { loadFilter } from '../../src/engine/store/load.ts';
import { createSought } from '../../src/engine/which.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { fixture } from '../cli/run.ts';
import { IS_LONG, inLongRuns } from '../long.ts';

/** More bytes than the scanner holds, so that a batch ends before such a record. */
const LONG = 700_000;

/** How records are made from keys, and the selection of the keys. */
const SHAPES: readonly (readonly [name: string, recordOf: (key: string) => string, selection: KeySelection])[] = [
  ['whole records', (key) => key, { nullTerminated: false, keys: WHOLE_RECORD }],
  ['a field', (key) => `x|${key}|y`, { nullTerminated: false, keys: fieldKeys(2, textSeparator('|')) }],
  [
    'two fields of three',
    (key) => `none ${key} none`,
    { nullTerminated: true, keys: { type: 'fields', ranges: [{ from: 1, to: 2 }], separator: BLANKS } },
  ],
  ['words', (key) => `(${key})`, { nullTerminated: false, keys: { type: 'words' } }],
];

const FILES = ['parquet/pyarrow.parquet', 'leveldb/bits10.ldb', 'postgres-bloom/text.bloomidx', 'guava/k1.guava'];

/** The places where a file may have the keys of some records, each with its record, in no order. */
async function placesOf(file: string, records: readonly string[], selection: KeySelection): Promise<string[]> {
  const end = selection.nullTerminated ? '\0' : '\n';
  const sought = createSought(Buffer.from(records.map((record) => record + end).join('')), selection);
  const loaded = await loadFilter(loadKernel(), fixture(`formats/${file}`), {
    threadCount: 1,
    use: 'query',
    opening: {},
  });
  const found = await sought.findIn(loaded);
  loaded.close();
  return found
    .flatMap(({ part, records }) => records.map((record) => `${part?.label}\t${sought.records[record]}`))
    .toSorted();
}

// By default each file has one shape, and each shape one file.
const isTried = (file: number, shape: number) => IS_LONG || file === shape;
test.each(FILES.flatMap((file, i) => SHAPES.filter((_, j) => isTried(i, j)).map((shape) => [file, ...shape] as const)))(
  '%s and %s',
  async (file, _, recordOf, selection) => {
    const members = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n').slice(0, inLongRuns(12, 8));
    const alone: string[] = [];
    for (const key of members) alone.push(...(await placesOf(file, [recordOf(key)], selection)));
    const many = Array.from({ length: VISIT_LIMIT + 100 }, (_, i) => `absent-${i}`);
    const long = (letter: string) => letter.repeat(LONG);
    const all = ['no', 'no', long('x'), ...members.slice(0, 5), long('y'), long('z'), ...many, ...members.slice(5)];
    const found = await placesOf(file, all.map(recordOf), selection);
    // By chance absent keys are false positives.
    const isMember = (place: string) => members.some((key) => place.endsWith(`\t${recordOf(key)}`));
    expect(alone.length).toBeGreaterThanOrEqual(members.length);
    expect(found.filter(isMember)).toEqual(alone.toSorted());
  },
);
