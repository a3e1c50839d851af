// Table files with filters of many columns and parts. The systems wrote the files, and their answers are recorded.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { loadEach, loadFilter } from '../../src/engine/store/load.ts';
import { createSought } from '../../src/engine/which.ts';
import { BloomError } from '../../src/errors.ts';
import { bloom } from '../../src/filters/bloom.ts';
import { type FilteredColumn, openEach, openSelected, type TableFile } from '../../src/formats/columns.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { parquet } from '../../src/formats/parquet/parquet.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { withPipes } from '../engine/threads/worker-pools.ts';
import { WHOLE } from '../kernel/scanning.ts';
import { writeNewFile } from '../new-file.ts';
import { encodeBits, encodeTable, type TableColumn } from '../reference/formats/parquet.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/columns', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bloom-columns-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Node can decompress zstd from version 22.15 on. */
const names = readdirSync(FIXTURES).filter((name) => !name.startsWith('orc-zstd') || zstdDecompressSync !== undefined);

/** Files and columns with recorded answers of their systems. */
const COLUMNS = names
  .filter((name) => name.endsWith('.answers'))
  .map((name) => {
    const [stem = '', column = ''] = name.split('.');
    return { file: names.find((other) => other.startsWith(`${stem}.`) && !other.endsWith('.answers')) ?? '', column };
  });

/** Values, and the answer of each part of the file or of all parts together. */
function answersOf(file: string, column: string): { readonly answers: string; readonly value: string }[] {
  const text = readFileSync(join(FIXTURES, `${file.split('.')[0]}.${column}.answers`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ answers: line.slice(0, line.indexOf('\t')), value: line.slice(line.indexOf('\t') + 1) }));
}

/** The parts of a file in which each value is maybe present. */
async function partsWith(file: string, values: readonly string[], opening: Opening): Promise<string[]> {
  const loaded = await loadFilter(loadKernel(), file, { threadCount: 1, use: 'query', opening });
  try {
    const sought = createSought(Buffer.from(values.map((value) => `${value}\n`).join('')), WHOLE);
    const answers = values.map(() => loaded.parts.map(() => '0'));
    for (const { part, records } of await sought.findIn(loaded)) {
      const index = loaded.parts.findIndex(({ label }) => label === part?.label);
      for (const record of records) answers[record]?.splice(index, 1, '1');
    }
    return answers.map((all) => all.join(''));
  } finally {
    loaded.close();
  }
}

describe.each(COLUMNS)('$file, $column', ({ file, column }) => {
  const known = answersOf(file, column);
  const values = known.map(({ value }) => value);
  const expected = known.map(({ answers }) => answers);

  test('has the answers of its system', async () => {
    expect(new Set(expected).size).toBeGreaterThan(1);
    const found = await partsWith(join(FIXTURES, file), values, { column });
    const isOfAll = expected.every((answers) => answers.length === 1);
    expect(isOfAll ? found.map((parts) => (parts.includes('1') ? '1' : '0')) : found).toEqual(expected);
  });
});

/** The columns with filters, their types and the first part with its values, from the schemas of the writing programs. */
const DESCRIBED: Readonly<Record<string, readonly string[]>> = {
  'duckdb.parquet': ['s, string', 'b, byte array', 'i32, int32', 'i64, int64', 'd, double', 'u32, uint32'].map(
    (column) => `row group 0 of ${column}: 2000`,
  ),
  ...Object.fromEntries(
    ['orc-lz4.orc', 'orc-snappy.orc', 'orc-zstd.orc'].map((file) => [
      file,
      [70, 70, 60].map((rows, group) => `stripe 0, row group ${group} of name, string: ${rows}`),
    ]),
  ),
  'hudi-dynamic.parquet': [0, 1, 2].map((row) => `footer, row ${row} of _hoodie_record_key, string: undefined`),
  'hudi-simple.parquet': ['footer of _hoodie_record_key, string: undefined'],
  'orc-groups.orc': [0, 1, 2].map((group) => `stripe 0, row group ${group} of s, string: 1000`),
  'orc-java.orc': ['s, string', 'i32, int', 'i64, bigint', 'd, double', 'dt, date'].map(
    (column) => `stripe 0, row group 0 of ${column}: 200`,
  ),
  'orc-kinds.orc': ['c, char(5)', 'v, varchar', 'ts, timestamp in ms'].map(
    (column) => `stripe 0, row group 0 of ${column}: 7`,
  ),
  'parquetjs.parquet': ['name, string', 'n, int32', 'q, int64'].map((column) => `row group 0 of ${column}: 50`),
  'parquet-java.parquet': ['s, string', 'i32, int32', 'i64, int64', 'd, double', 'dt, date', 'f, fixed(4)'].map(
    (column) => `row group 0 of ${column}: 200`,
  ),
};

test.each(names.filter((name) => !name.endsWith('.answers')))('%s: all of its columns', async (file) => {
  const found: string[] = [];
  for await (const { parts } of loadEach(loadKernel(), join(FIXTURES, file), { threadCount: 1, use: 'report' }))
    found.push(...parts.map(({ label, column, type, values }) => `${label} of ${column}, ${type}: ${values}`));
  expect(found).toEqual(DESCRIBED[file]);
});

const bytes = (...values: readonly number[]) => Uint8Array.from(values);
const placed = (name: string, columns: readonly TableColumn[]) => {
  writeNewFile(join(folder, name), encodeTable(columns));
  return join(folder, name);
};

/** The message of the error for a rejected file. */
async function refusal(file: string, opening: Opening = {}): Promise<string> {
  try {
    await partsWith(file, ['x'], opening);
    return 'accepted';
  } catch (error) {
    if (error instanceof BloomError) return `${error.code}: ${error.message}; ${error.hint}`.replaceAll(folder, '');
    throw error;
  }
}

describe('which column is queried', () => {
  const text = (name: string): TableColumn => ({ name, groups: [[bytes(0x61)], [bytes(0x62)]] });
  const number: TableColumn = { name: 'n', type: 1n, fields: {}, groups: [[bytes(7, 0, 0, 0)], [bytes(8, 0, 0, 0)]] };
  const interval: TableColumn = { name: 'd', type: 6n, fields: { 6: 21n }, groups: [[], []] };

  test('all columns if they hash keys alike', async () => {
    expect(await partsWith(placed('alike', [text('a'), text('b.c')]), ['a', 'b', 'c'], {})).toEqual([
      '1000',
      '0100',
      '0000',
    ]);
  });

  // Strings, enumerations and JSON, in the union of logical types.
  test.each([1, 4, 12])('texts are texts by their logical type alone, number %d', async (number) => {
    const other: TableColumn = { ...text('b'), fields: { 10: { fields: { [number]: { fields: {} } } } } };
    const labels: string[] = [];
    for await (const { parts } of loadEach(loadKernel(), placed('texts', [other]), { threadCount: 1, use: 'report' }))
      labels.push(...parts.map(({ type }) => `${type}`));
    expect(labels).toEqual(['string', 'string']);
  });

  test('the named column, with its levels separated by dots', async () => {
    const file = placed('mixed', [text('a'), number, text('b.c')]);
    expect(await partsWith(file, ['7', '8', 'a'], { column: 'n' })).toEqual(['10', '01', '00']);
    expect(await partsWith(file, ['7', 'a'], { column: 'b.c' })).toEqual(['00', '10']);
  });

  test('no column if several types exist, a column has no filter, or the type of a record is unknown', async () => {
    const mixed = placed('several', [text('a'), number, interval]);
    const all = 'a (string), n (int32), d (byte array)';
    expect(await refusal(mixed)).toBe(
      `usage: /several has filters of columns of several types: ${all}; choose one with --column NAME`,
    );
    expect(await refusal(mixed, { column: 'z' })).toBe(
      `format: /several has no filter of the column z; it has filters of ${all}`,
    );
    expect(await refusal(mixed, { column: 'd' })).toMatch(
      /^format: .* cannot read values of its type, byte array; .*--key-type hex/,
    );
    const file = join(folder, 'mixed');
    expect(await partsWith(file, ['07000000', '61'], { keyType: 'hex', column: 'n' })).toEqual(['10', '00']);
  });
});

describe('decimals, by how they are stored', () => {
  const decimal = (type: bigint, value: Uint8Array, scale: bigint, length: Readonly<Record<number, bigint>> = {}) =>
    placed('decimals', [{ name: 'd', type, fields: { ...length, 6: 5n, 7: scale, 8: 30n }, groups: [[value], []] }]);
  const bytesIn = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

  const width = (bytes: bigint) => ({ 2: bytes });
  // Since 2018 a union of logical types stands beside the older number: field 5 is a decimal with a scale and a precision.
  test('in 32 bits, by their logical type alone', async () => {
    const fields = { 10: { fields: { 5: { fields: { 1: 2n, 2: 9n } } } } };
    const file = placed('logical', [{ name: 'd', type: 1n, fields, groups: [[bytesIn('85ffffff')], []] }]);
    expect(await partsWith(file, ['-1.23', '-123', '1.23'], {})).toEqual(['10', '00', '00']);
  });

  test.each([{ 6: 5n }, { 10: { fields: { 5: { fields: {} } } } }])(
    'in 32 bits, of scale 0 as none is stated: %o',
    async (fields) => {
      const file = placed('unstated', [{ name: 'd', type: 1n, fields, groups: [[bytesIn('85ffffff')], []] }]);
      expect(await partsWith(file, ['-123', '-12.3', '-1230'], {})).toEqual(['10', '00', '00']);
    },
  );

  test.each([
    ['in 32 bits', () => decimal(1n, bytesIn('85ffffff'), 2n), '-1.23'],
    ['in 64 bits', () => decimal(2n, bytesIn('0100000000000000'), 18n), '0.000000000000000001'],
    [
      'in 16 bytes',
      () => decimal(7n, bytesIn('0000000000000000ab54a98ceb1f0ad2'), 0n, width(16n)),
      '12345678901234567890',
    ],
    [
      'in 12 bytes',
      () => decimal(7n, bytesIn('00661efdf158f2a82c9f4b82'), 1n, width(12n)),
      '12345678901234567890123456.2',
    ],
    ['in 3 bytes', () => decimal(7n, bytesIn('fffe0c'), 1n, width(3n)), '-50'],
    ['in as few bytes as it takes', () => decimal(6n, bytesIn('80'), 2n), '-1.28'],
    ['in one more', () => decimal(6n, bytesIn('0080'), 2n), '1.28'],
    ['in 20 bytes', () => decimal(7n, bytesIn(`${'ff'.repeat(19)}fe`), 0n, width(20n)), '-2'],
  ])('%s', async (_, make, text) => {
    expect(await partsWith(make(), [text, '1', '77.7', 'x'], {})).toEqual(['10', '00', '00', '00']);
  });
});

test('a file through a pipe is read as a whole', async () => {
  const file = placed('piped', [{ name: 'a', groups: [[bytes(0x61)], [bytes(0x62)]] }]);
  const parts = await withPipes([file], ([pipe = '']) => partsWith(pipe, ['a', 'b', 'c'], {}));
  expect(parts).toEqual(['10', '01', '00']);
});

test('the bits of a filter alone are queried if --format states it, and are whole blocks', async () => {
  const bits = encodeBits([bytes(0x61)]);
  const asked = async (name: string, content: Uint8Array, keys: readonly string[]) => {
    writeNewFile(join(folder, name), content);
    const sought = createSought(Buffer.from(keys.join('\n')), WHOLE);
    const opening = { format: 'parquet-bits' };
    const loaded = await loadFilter(loadKernel(), join(folder, name), { threadCount: 1, use: 'query', opening });
    return sought.findIn(loaded).finally(loaded.close);
  };
  expect(await asked('bits', bits, ['b', 'a', 'c'])).toEqual([{ part: undefined, records: [1] }]);
  await expect(asked('cut', bits.subarray(1), ['a'])).rejects.toThrow('it has an impossible number of bytes, 2047');
  await expect(asked('none', bits.subarray(2048), ['a'])).rejects.toThrow('it has an impossible number of bytes, 0');
});

describe('the columns of a table', () => {
  const rules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;
  const shape = { bits: 64, k: 1, rule: 'hashed', order: 'bytes' } as const;
  const bits = new Uint8Array(8);
  const column = (name: string, changed: Partial<FilteredColumn> = {}): FilteredColumn => ({
    name,
    type: 'string',
    kind: bloom,
    keyType: 'text',
    accepts: ['text', 'hex'],
    rules,
    isEncrypted: false,
    unfiltered: [],
    find: () => [{ shape, bytes: 8, bits }],
    ...changed,
  });
  const table = (columns: readonly FilteredColumn[], size = 16): TableFile => ({
    name: 'table',
    format: parquet,
    bytes: { size, file: undefined, read: () => bits },
    columns,
    close: () => {},
  });
  const outcomeOf = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error instanceof BloomError ? `${error.code}: ${error.message}; ${error.hint}` : error;
    }
  };

  const int8: Partial<FilteredColumn> = { type: 'int8', keyType: 'int8', accepts: ['int8', 'hex', 'int16', 'int32'] };
  const int32: Partial<FilteredColumn> = { type: 'int32', keyType: 'int32', accepts: ['int32', 'hex'] };
  const decimal = (scale: bigint): Partial<FilteredColumn> => ({
    type: 'decimal',
    keyType: 'decimal',
    accepts: ['decimal', 'hex'],
    rules: { ...rules, encoding: 'decimal', encodingParameters: [scale] },
  });
  const several = (types: string) =>
    `usage: table has filters of columns of several types: ${types}; choose one with --column NAME`;

  test.each<[string, readonly FilteredColumn[], Opening, unknown]>([
    ['alike', [column('a'), column('b')], {}, 2],
    ['of which one is named', [column('a'), column('b', int8)], { column: 'b' }, 1],
    ['of two types', [column('a'), column('b', int8)], {}, several('a (string), b (int8)')],
    ['of two types that accept the stated one', [column('a', int8), column('b', int32)], { keyType: 'int32' }, 2],
    ['the same in the other order', [column('a', int32), column('b', int8)], { keyType: 'int32' }, 2],
    ['of two types, as bytes', [column('a', int8), column('b')], { keyType: 'hex' }, 2],
    [
      'of which one does not accept the stated type',
      [column('a', int8), column('b')],
      { keyType: 'int16' },
      several('a (int8), b (string)'),
    ],
    ['of one scale', [column('a', decimal(2n)), column('b', decimal(2n))], {}, 2],
    [
      'of two scales',
      [column('a', decimal(1n)), column('b', decimal(2n))],
      { keyType: 'decimal' },
      several('a (decimal), b (decimal)'),
    ],
    ['of two scales, as bytes', [column('a', decimal(1n)), column('b', decimal(2n))], { keyType: 'hex' }, 2],
    [
      'of which one is encrypted',
      [column('a'), column('b', { isEncrypted: true })],
      {},
      'format: table has filters of b, but they are encrypted; query another column with --column NAME',
    ],
    [
      'of bytes',
      [column('a', { type: 'x', keyType: undefined, accepts: ['hex'] })],
      {},
      'format: table has filters of a, but this bloom cannot read values of its type, x; give their bytes with --key-type hex, or query another column with --column NAME',
    ],
    ['of bytes, which are stated', [column('a', { keyType: undefined, accepts: ['hex'] })], { keyType: 'hex' }, 1],
    [
      'that accept nothing',
      [column('a', { type: 'x', keyType: undefined, accepts: [] })],
      { keyType: 'hex' },
      'format: table has filters of a, but this bloom cannot read values of its type, x; query another column with --column NAME',
    ],
    [
      'of another type than the stated one',
      [column('a', int32)],
      { keyType: 'int64' },
      'mismatch: table has filters of a of type int32, and --key-type int64 would not find its values; state no --key-type, or int32 or hex',
    ],
    [
      'of bytes, and another type is stated',
      [column('a', { keyType: undefined, accepts: ['hex'] })],
      { keyType: 'text' },
      'mismatch: table has filters of a of type string, and --key-type text would not find its values; state hex',
    ],
    [
      'without the one that is named',
      Array.from({ length: 20 }, (_, i) => column(`c${i}`)),
      { column: 'z' },
      `format: table has no filter of the column z; it has filters of ${Array.from({ length: 20 }, (_, i) => `c${i} (string)`).join(', ')}`,
    ],
    [
      'without the one that is named, and more than 20',
      Array.from({ length: 22 }, (_, i) => column(`c${i}`)),
      { column: 'z' },
      `format: table has no filter of the column z; it has filters of ${Array.from({ length: 20 }, (_, i) => `c${i} (string)`).join(', ')}, 2 more`,
    ],
    [
      'that are none',
      [],
      { column: 'z' },
      'format: table has no Bloom filter, so any key may be present; write it again with Bloom filters of the columns to query',
    ],
  ])('%s', (_, columns, opening, expected) => {
    expect(outcomeOf(() => openSelected(table(columns), opening).arrays.length)).toBe(expected);
  });

  test('state the type of their keys, unless it is text', () => {
    const typeOf = (one: FilteredColumn) => openSelected(table([one]), {}).description.keyType;
    expect(typeOf(column('a'))).toBeUndefined();
    expect(typeOf(column('a', { ...int32, rules: { ...rules, encoding: 'int32le' } }))).toBe('int32');
  });

  test('are reported without those that are encrypted', () => {
    const [a, b] = [column('a'), column('b', { isEncrypted: true })];
    expect(openEach(table([a, b, column('c')]))).toHaveLength(2);
    expect(outcomeOf(() => openEach(table([b])))).toBe(
      'format: table has only filters of encrypted columns; decrypt it first',
    );
  });

  test('do not have more bytes in the file than it has', () => {
    const inFile = { find: () => [0, 8].map((at) => ({ shape, bytes: 8, bits: at })) };
    expect(openSelected(table([column('a', inFile)]), {}).arrays).toHaveLength(2);
    expect(outcomeOf(() => openSelected(table([column('a', inFile)], 15), {}))).toMatch(
      /^format: table is damaged: its filters have more bytes than the file/,
    );
    const inMemory = { find: () => [0, 8].map(() => ({ shape, bytes: 8, bits })) };
    expect(openSelected(table([column('a', inMemory)], 15), {}).arrays).toHaveLength(2);
  });

  test('are closed once, with the first of the filters that were opened together', () => {
    const close = vi.fn();
    const [a, b] = openEach({ ...table([column('a'), column('b')]), close });
    expect(close).not.toHaveBeenCalled();
    a?.close();
    b?.close();
    expect(close).toHaveBeenCalledTimes(1);
  });
});
