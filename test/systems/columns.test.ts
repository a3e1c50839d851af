// Files of columns with filters from pyarrow and DuckDB. bloom must find a value in every part whose rows have it. If DuckDB reads the
// filters, bloom must find the value in exactly the parts that DuckDB allows.

import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { loadFilter } from '../../src/engine/store/load.ts';
import { createSought } from '../../src/engine/which.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { folder, newFile } from '../formats/making.ts';
import { WHOLE } from '../kernel/scanning.ts';
import { answersOf } from './asking.ts';
import { isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A value as text, the parts of the file that have it, and the parts that may have it. */
type Asked = readonly [string, readonly string[], readonly string[]];

interface Written {
  readonly file: string;
  readonly columns: Readonly<Record<string, readonly Asked[]>>;
}

/** The driver's names for the writers. */
const SORTS = ['pyarrow', 'duckdb', 'orc'];
const COLUMNS = ['text', 'int', 'long', 'single', 'double', 'day', 'time'];

/** The parts of a file that may have some values, one set per value. */
async function partsWith(file: string, column: string, values: readonly string[]): Promise<Set<string>[]> {
  const loaded = await loadFilter(loadKernel(), file, { threadCount: 1, use: 'query', opening: { column } });
  try {
    const { findIn } = createSought(Buffer.from(values.map((value) => `${value}\n`).join('')), WHOLE);
    const parts = values.map(() => new Set<string>());
    for (const { part, records } of await findIn(loaded))
      for (const record of records) parts[record]?.add(part?.label ?? '');
    return parts;
  } finally {
    loaded.close();
  }
}

const written = new Map<string, Written>();
beforeAll(async () => {
  if (!isBuilt('columns')) return;
  const files = SORTS.map((sort) => ({ sort, file: newFile(), report: newFile() }));
  await answersOf(
    'columns',
    files.map(({ sort, file, report }) => ['write', sort, file, report]),
  );
  for (const { sort, file, report } of files)
    written.set(sort, { file, columns: JSON.parse(readFileSync(report, 'utf8')) });
});

describe.each(SORTS)('%s', (sort) => {
  testedBy('columns').each(COLUMNS)('%s', async (column) => {
    const { file = '', columns = {} } = written.get(sort) ?? {};
    const asked = columns[column] ?? [];
    const ours = await partsWith(
      file,
      column,
      asked.map(([value]) => value),
    );
    for (const [i, [value, present]] of asked.entries())
      expect(
        present.filter((part) => !ours[i]?.has(part)),
        value,
      ).toEqual([]);
    expect(new Set(asked.flatMap(([, present]) => present)).size).toBeGreaterThan(1);
    expect(ours.some(({ size }) => size === 0)).toBe(true);
    if (sort !== 'orc') expect(ours.map((parts) => [...parts])).toEqual(asked.map(([, , may]) => may));
  });
});
