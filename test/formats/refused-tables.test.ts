// Tables that cannot be queried are refused, with the reason.

import { describe, expect, test } from 'vitest';
import { readFilterMeta } from '../../src/formats/hbase/filter-meta.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { hbase } from '../reference/formats/hbase.ts';
import { message } from '../reference/formats/orc.ts';
import {
  entryBlock,
  type Handle,
  handleBytes,
  joined,
  latin,
  tableWriter,
  varint,
} from '../reference/formats/table.ts';
import { placed } from './bloomery/files.ts';

const POLICY = 'rocksdb.BuiltinBloomFilter';
const LOCAL = Uint8Array.of(...new Uint8Array(64), 0xff, 0, 6, 0, 0);

/** The content of a table: the name of its filter, the filter block, and properties of RocksDB. */
interface Made {
  readonly name?: string;
  readonly filter?: Uint8Array;
  readonly properties?: Readonly<Record<string, Uint8Array>>;
  /** The compression of the filter by its number. */
  readonly compression?: number;
  readonly isLevel?: boolean;
  /** The separators of the data blocks, and their offset. */
  readonly index?: readonly string[];
  readonly dataAt?: number;
}

function table(made: Made): string {
  const { name = `fullfilter.${POLICY}`, filter = LOCAL, properties = {}, isLevel, index = [], dataAt = 0 } = made;
  const writer = tableWriter('crc32c');
  const meta: { name: string; handle: Handle }[] = [];
  if (name !== '') meta.push({ name, handle: writer.put(filter, made.compression) });
  const entries = Object.entries(properties).map(([key, value]) => ({ key: latin(`rocksdb.${key}`), value }));
  if (entries.length > 0) meta.push({ name: 'rocksdb.properties', handle: writer.put(entryBlock(entries)) });
  const metaindex = writer.put(
    entryBlock(meta.map(({ name: key, handle }) => ({ key: latin(key), value: handleBytes(handle) }))),
  );
  const blocks = index.map((key) => ({
    key: joined([latin(key), new Uint8Array(8)]),
    value: handleBytes({ offset: dataAt, bytes: 9 }),
  }));
  const handles = joined([handleBytes(metaindex), handleBytes(writer.put(entryBlock(blocks)))]);
  const footer = new Uint8Array(isLevel ? 48 : 53);
  footer.set(handles, isLevel ? 0 : 1);
  const fields = new DataView(footer.buffer);
  if (isLevel) fields.setBigUint64(40, 0xdb4775248b80fb57n, true);
  else {
    footer[0] = 1;
    fields.setUint32(41, 5, true);
    fields.setBigUint64(45, 0x88e241b785f4cff7n, true);
  }
  return placed(joined([writer.bytes(), footer]), 'x.sst');
}

const withMetadata = (...metadata: readonly number[]) => Uint8Array.of(...new Uint8Array(64), ...metadata);

/** A filter block of LevelDB with one filter, of one byte and k. */
const levels = (k: number) => Uint8Array.of(0, k, 0, 0, 0, 0, 2, 0, 0, 0, 11);
const LEVEL = { isLevel: true, name: 'filter.leveldb.BuiltinBloomFilter2' } as const;

/** Partitions with whole handles. */
const partitions = (...handles: readonly Handle[]) =>
  entryBlock(
    handles.map((handle, i) => ({
      key: joined([latin('ab'[i] ?? ''), new Uint8Array(8)]),
      value: handleBytes(handle),
    })),
  );
const PARTITIONS = partitions({ offset: 0, bytes: 69 }, { offset: 0, bytes: 69 });

describe('a table', () => {
  const cases: readonly (readonly [string, Made, string])[] = [
    [
      'of Ribbon',
      { filter: withMetadata(0xfe, 1, 2, 0, 0) },
      'is a Ribbon filter of RocksDB, which bloom cannot query',
    ],
    ['of a sort to come', { filter: withMetadata(0xff, 1, 6, 0, 0) }, 'an unknown type (-1, 1, 0)'],
    ['that has every key', { filter: withMetadata(0, 0, 0, 0, 0) }, 'is a RocksDB filter of an unknown type (0, 0, 0)'],
    ['with k = 0', { filter: withMetadata(0xff, 0, 0, 0, 0) }, 'it cannot have 64 bytes and 0 hash functions'],
    [
      'of too many lines',
      { filter: withMetadata(6, 65, 0, 0, 0) },
      'it states 65 lines, which do not fit its 64 bytes',
    ],
    ['of no lines', { filter: withMetadata(6, 0, 0, 0, 0) }, 'it states 0 lines, which do not fit its 64 bytes'],
    ['of no keys', { filter: Uint8Array.of(0xff, 0, 6, 0, 0) }, 'has a filter without bits'],
    ['without a filter', { name: '' }, 'has no filter'],
    ['of blocks', { name: `filter.${POLICY}` }, `a filter that this bloom does not know: filter.${POLICY}`],
    ['of somebody', { name: 'fullfilter.Mine' }, 'a filter that this bloom does not know: fullfilter.Mine'],
    [
      'of prefixes',
      {
        properties: {
          'block.based.table.whole.key.filtering': latin('0'),
          'prefix.extractor.name': latin('rocksdb.FixedPrefix.3'),
        },
      },
      'only a filter of key prefixes (rocksdb.FixedPrefix.3)',
    ],
    [
      'whose order nobody knows',
      { name: `partitionedfilter.${POLICY}`, filter: PARTITIONS, properties: { comparator: latin('mine') } },
      'sorts its keys with mine, which this bloom does not know',
    ],
    [
      'whose partitions are one and the same',
      { name: `partitionedfilter.${POLICY}`, filter: PARTITIONS, properties: { 'index.key.is.user.key': varint(0) } },
      'the filter at byte 0',
    ],
    ['of LevelDB without a filter', { ...LEVEL, name: '' }, 'has no filter'],
    [
      'of RocksDB, version 0',
      { ...LEVEL, properties: { comparator: latin('x') } },
      'is a RocksDB table of format version 0',
    ],
    ['of LevelDB with k = 31', { ...LEVEL, filter: levels(31), index: ['a'] }, 'has the unknown type 31'],
    ['of LevelDB with k = 0', { ...LEVEL, filter: levels(0), index: ['a'] }, 'has the unknown type 0'],
    [
      'of LevelDB in an order of its own',
      { ...LEVEL, filter: levels(1), index: ['b', 'a'] },
      'does not sort its keys by their bytes',
    ],
    ['of LevelDB whose filters end early', { ...LEVEL, filter: Uint8Array.of(1, 2) }, 'they have no valid offsets'],
    [
      'of LevelDB whose offsets begin after their end',
      { ...LEVEL, filter: Uint8Array.of(4, 0, 0, 0, 11) },
      'they have no valid offsets',
    ],
    [
      'of LevelDB with a filter that ends before it begins',
      { ...LEVEL, filter: Uint8Array.of(0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 11), index: ['a'] },
      'number 0 is outside their bytes',
    ],
    [
      'of LevelDB with a filter that ends after the last one',
      { ...LEVEL, filter: Uint8Array.of(0, 5, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 11), index: ['a'] },
      'number 0 is outside their bytes',
    ],
    [
      'of LevelDB with data after that of its filters',
      { ...LEVEL, filter: levels(1), index: ['a'], dataAt: 2048 },
      'it has blocks without a filter',
    ],
    [
      'of LevelDB without keys',
      { ...LEVEL, filter: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 11), index: ['a'] },
      'has a filter without bits',
    ],
    [
      'of LevelDB whose filters are compressed',
      { ...LEVEL, filter: levels(1), compression: 7 },
      'is compressed with Zstandard, which bloom cannot read',
    ],
    [
      'of LevelDB whose filters are compressed in a way to come',
      { ...LEVEL, filter: levels(1), compression: 99 },
      'is compressed with method 99, which bloom cannot read',
    ],
    [
      'whose partition is outside',
      { name: `partitionedfilter.${POLICY}`, filter: partitions({ offset: 2 ** 30, bytes: 69 }) },
      'the filter at byte 1073741824 is outside the file',
    ],
    [
      'of LevelDB with half an offset',
      { ...LEVEL, filter: Uint8Array.of(1, 2, 0, 0, 0, 0, 11) },
      'they have no valid offsets',
    ],
  ];

  test.each(cases)('%s', async (_, made, message) => {
    await expect(openFilterFile(table(made), 'query')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining(message),
    });
  });
});

test.each([
  ['SNAPPY', 3],
  ['ZSTD', 6],
  ['codec 99', 99],
])('an HFile that is compressed with %s', async (name, codec) => {
  const file = hbase.vessels['a chunk, murmur2']?.().filter.encode() ?? new Uint8Array();
  const at = file.length - 4096 + 9 + (file[file.length - 4096 + 8] ?? 0) - 1;
  file[at] = codec;
  await expect(openFilterFile(placed(file), 'query')).rejects.toMatchObject({
    code: 'format',
    message: expect.stringContaining(`is compressed with ${name}`),
  });
});

test.each([-1n, -(2n ** 63n), 2n ** 53n])('an HFile with a chunk at %d is refused', (offset) => {
  const bytes = new Uint8Array(54);
  const fields = new DataView(bytes.buffer);
  fields.setInt32(0, 3);
  fields.setInt32(12, 7);
  fields.setInt32(16, 1);
  fields.setInt32(36, 1);
  // The name of the comparator is empty, and so is the first key of the chunk.
  fields.setBigInt64(41, offset);
  expect(() => readFilterMeta(bytes, 'x.hfile')).toThrow('x.hfile is damaged: chunk 0 is outside the file');
});

test.each([
  [[3, 20], 'accepted'],
  [[3, 19], 'refused'],
  [[3, 20, 36], 'refused'],
  [[3, 30, 20], 'refused'],
])('an ORC file with stripes of 17 bytes at %j is %s', async (offsets, outcome) => {
  const stripes = offsets.map((offset) => [3, message([1, offset], [2, 0], [3, 12], [4, 5], [5, 1])] as const);
  const footer = message([1, 3], [2, 100], ...stripes, [4, message([1, 7])], [6, 0], [8, 1000]);
  const postscript = message([1, footer.length], [2, 0], [3, 1000], [8000, 'ORC']);
  const stored = joined([latin('ORC'), new Uint8Array(100), footer, postscript, Uint8Array.of(postscript.length)]);
  // The content of the stripes is not one.
  const reason = outcome === 'refused' ? 'states an impossible stripe' : 'stripe 0 is damaged';
  await expect(openFilterFile(placed(stored, 'x.orc'), 'query')).rejects.toMatchObject({
    message: expect.stringContaining(reason),
  });
});

test('a table that ends within its footer', async () => {
  const [magic, sst] = [0xdb4775248b80fb57n, 0x88e241b785f4cff7n].map((number) => {
    return new Uint8Array(BigUint64Array.of(number).buffer);
  });
  for (const [bytes, end] of [
    [47, magic],
    [52, sst],
  ] as const) {
    const file = joined([new Uint8Array(bytes - 8), end ?? new Uint8Array()]);
    await expect(openFilterFile(placed(file), 'query')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('it ends within its footer'),
    });
  }
});

/** A table of RocksDB with these filters, one per partition, and this comparator. All partitions are listed `times` times. */
function partitioned(filters: readonly Uint8Array[], comparator = 'leveldb.BytewiseComparator', times = 1): string {
  const writer = tableWriter('crc32c');
  const handles = filters.map((filter) => writer.put(filter));
  const index = writer.put(partitions(...Array.from({ length: times }, () => handles).flat()));
  const properties = writer.put(entryBlock([{ key: latin('rocksdb.comparator'), value: latin(comparator) }]));
  const meta = { [`partitionedfilter.${POLICY}`]: index, 'rocksdb.properties': properties };
  const metaindex = writer.put(
    entryBlock(Object.entries(meta).map(([name, handle]) => ({ key: latin(name), value: handleBytes(handle) }))),
  );
  const footer = new Uint8Array(53);
  footer.set(joined([handleBytes(metaindex), handleBytes(writer.put(entryBlock([])))]), 1);
  footer[0] = 1;
  const fields = new DataView(footer.buffer);
  fields.setUint32(41, 5, true);
  fields.setBigUint64(45, 0x88e241b785f4cff7n, true);
  return placed(joined([writer.bytes(), footer]), 'x.sst');
}

test('a table of RocksDB whose partitions have filters of several types', async () => {
  const file = partitioned([LOCAL, withMetadata(6, 1, 0, 0, 0)]);
  await expect(openFilterFile(file, 'query')).rejects.toMatchObject({
    message: expect.stringContaining('its filters are of several types'),
  });
});

test('the order of keys only matters between partitions', async () => {
  const { description, close } = await openFilterFile(partitioned([LOCAL], 'mine'), 'query');
  close();
  expect(description.shape).toMatchObject({ bits: 512 });
  await expect(openFilterFile(partitioned([LOCAL, LOCAL], 'mine'), 'query')).rejects.toMatchObject({
    message: expect.stringContaining('sorts its keys with mine'),
  });
});

test('the partitions of a table have no more bytes than the file', async () => {
  (await openFilterFile(partitioned([LOCAL], undefined, 2), 'query')).close();
  await expect(openFilterFile(partitioned([LOCAL], undefined, 30), 'query')).rejects.toMatchObject({
    message: expect.stringContaining('its filters have more bytes than the file'),
  });
});
