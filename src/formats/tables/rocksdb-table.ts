import { BloomError, damaged } from '../../errors.ts';
import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { BitArrayFile, Format } from '../format.ts';
import {
  fileOf,
  ONE_RANGE,
  type RangedTable,
  rangedFile,
  type StoredFilter,
  shownKey,
  withoutKeys,
} from '../ranged-file.ts';
import { type BlockHandle, cursorOf, entriesOf, handleAt, handlesOf, withoutTrailer } from './entries.ts';
import { type FilterBlock, filterBlockOf, METADATA_BYTES } from './filter-block.ts';
import { readRocksdbFooter } from './footer.ts';
import { magicOf, ROCKSDB_MAGIC } from './magic.ts';
import { openTable, type SortedTable, withoutFilter } from './table.ts';

/** Opens a table of RocksDB, or a filter block: see `Format.open`. */
export async function open(source: ByteSource, format: Format, kernel?: Kernel): Promise<BitArrayFile> {
  const file = fileOf(source, 'a RocksDB filter');
  const tail = new DataView(new ArrayBuffer(8));
  readAt(file, new Uint8Array(tail.buffer), Math.max(0, file.size - 8));
  return magicOf(tail) === ROCKSDB_MAGIC
    ? openSst(openTable(source, 'a RocksDB table', readRocksdbFooter, kernel), source, format)
    : openBlock(file, source, format);
}

/** A filter block that is a file of its own. */
function openBlock(file: PositionedFile, source: ByteSource, format: Format): BitArrayFile {
  const filter = readFilter(file, { offset: 0, bytes: file.size }, file.name);
  if (filter === undefined) throw damaged(file.name, 'it is shorter than any RocksDB filter');
  const stored = { offset: 0, bytes: filter.bits / 8 };
  return opened([{ ...filter, stored, label: 'the whole file' }], ONE_RANGE, {
    format,
    file,
    inserted: undefined,
    verified: undefined,
    source,
  });
}

const BYTEWISE = 'leveldb.BytewiseComparator';
const FULL = 'fullfilter.rocksdb.BuiltinBloomFilter';
const PARTITIONED = 'partitionedfilter.rocksdb.BuiltinBloomFilter';

function openSst(table: SortedTable, source: ByteSource, format: Format): BitArrayFile {
  const { file, meta, footer } = table;
  const properties = readProperties(table);
  if (properties?.text('rocksdb.block.based.table.whole.key.filtering') === '0')
    throw ofPrefixes(file.name, properties);
  const rest = {
    format,
    file,
    inserted: properties?.count('rocksdb.num.filter_entries') || properties?.count('rocksdb.num.entries'),
    verified: footer.checksum === 'none' ? undefined : 'read',
    source,
  } as const;
  const full = meta.get(FULL);
  if (full !== undefined) return opened(...placedFilters(table, [full], ONE_RANGE.separators), rest);
  const index = meta.get(PARTITIONED);
  if (index === undefined) throw withoutFilter(table, 'a full or partitioned Bloom filter');
  const partitions = partitionsOf(table, index, properties);
  // Keys after the last separator are looked up in the last partition.
  const separators = partitions.slice(0, -1).map(({ key }) => key);
  const handles = partitions.map(({ value }) => value);
  return opened(...placedFilters(table, handles, separators), rest);
}

/** The partitions of a filter, each with its last key. */
function partitionsOf(table: SortedTable, index: BlockHandle, properties: Properties | undefined) {
  const label = 'the index of its filters';
  const name = `${table.file.name}: ${label}`;
  const block = table.read(table.block(index, label));
  const isDelta = properties?.count('rocksdb.index.value.is.delta.encoded') === 1;
  const entries = isDelta
    ? handlesOf(block, name)
    : entriesOf(block, name).map(({ key, value }) => ({ key, value: handleAt(cursorOf(value, name)) }));
  const comparator = properties?.text('rocksdb.comparator') ?? BYTEWISE;
  if (comparator !== BYTEWISE && entries.length > 1)
    throw new BloomError(
      'format',
      `${table.file.name} sorts its keys with ${comparator}, which this bloom does not know`,
      'its filter has partitions, and the order decides the partition of a key; query the table with RocksDB',
    );
  const isUserKey = properties?.count('rocksdb.index.key.is.user.key') === 1;
  return entries.map(({ key, value }) => ({ key: isUserKey ? key : withoutTrailer(key, name), value }));
}

/** The filters with these handles that have bits, and the ranges between the separators. */
function placedFilters(
  { file, block }: SortedTable,
  handles: readonly BlockHandle[],
  separators: readonly Uint8Array[],
): [(FilterBlock & StoredFilter)[], RangedTable['ranges']] {
  const filters: (FilterBlock & StoredFilter)[] = [];
  const ofRanges = handles.map((handle, i) => {
    const label = `the filter at byte ${handle.offset}`;
    const filter = readFilter(file, handle, `${file.name}: ${label}`);
    if (filter === undefined) return undefined;
    const stored = { offset: 0, bytes: filter.bits / 8, block: block(handle, label) };
    const [end, before] = [separators[i], separators[i - 1]];
    const keys = end === undefined ? `keys after ${before && shownKey(before)}` : `keys to ${shownKey(end)}`;
    return filters.push({ ...filter, stored, label: `filter at byte ${handle.offset}, ${keys}` }) - 1;
  });
  return [filters, { ...ONE_RANGE, separators, filters: ofRanges }];
}

/** The filter of a block. Undefined if it has no bits. */
function readFilter(file: PositionedFile, { offset, bytes }: BlockHandle, name: string): FilterBlock | undefined {
  const metadata = new Uint8Array(METADATA_BYTES);
  if (offset + bytes > file.size) throw damaged(file.name, `${name} is outside the file`);
  readAt(file, metadata, offset + bytes - METADATA_BYTES);
  return filterBlockOf(new DataView(metadata.buffer), bytes, name);
}

interface Rest extends Pick<RangedTable, 'format' | 'file' | 'inserted' | 'verified'> {
  readonly source: ByteSource;
}

/** The file of filters of one type. Throws a `format` error if their types differ. */
function opened(
  filters: readonly (FilterBlock & StoredFilter)[],
  ranges: RangedTable['ranges'],
  { source, ...rest }: Rest,
): BitArrayFile {
  const [first] = filters;
  if (first === undefined) throw withoutKeys(rest.file.name);
  const { hash, rule } = first;
  if (filters.some((filter) => filter.rule !== rule)) throw damaged(rest.file.name, 'its filters are of several types');
  return rangedFile({ hash, rule, filters, ranges, ...rest, close: () => source.close() });
}

/** The error for a table whose filter has no whole keys. The filter would report every key absent. */
function ofPrefixes(name: string, properties: Properties): BloomError {
  const extractor = properties.text('rocksdb.prefix.extractor.name');
  return new BloomError(
    'format',
    `${name} has only a filter of key prefixes (${extractor}), which bloom cannot query`,
    'write the table with whole_key_filtering',
  );
}

/** The properties that a table of RocksDB states about itself. */
interface Properties {
  text(name: string): string | undefined;
  /** A number, which is a varint. */
  count(name: string): number | undefined;
}

/** The properties of a table. Undefined if it has none. Throws a `format` error if they are malformed. */
function readProperties({ file, meta, read, block }: SortedTable): Properties | undefined {
  const handle = meta.get('rocksdb.properties');
  if (handle === undefined) return undefined;
  const label = 'its properties';
  const name = `${file.name}: ${label}`;
  const { wrapping, ...stored } = block(handle, label);
  const content = read({ ...stored, wrapping: { ...wrapping, isNumbered: true } });
  const values = new Map(
    entriesOf(content, name).map(({ key, value }) => [Buffer.from(key).toString('latin1'), value]),
  );
  return {
    text(property) {
      const value = values.get(property);
      return value && Buffer.from(value).toString('latin1');
    },
    count(property) {
      const value = values.get(property);
      return value && cursorOf(value, name).varint();
    },
  };
}
