import { BloomError, damaged } from '../../errors.ts';
import { type PositionedFile, readAt } from '../../io/positioned.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { FlatFile, Format } from '../format.ts';
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
import { type Properties, readProperties } from './properties.ts';
import { openTable, type SortedTable, withoutFilter } from './table.ts';

/** Opens a table of RocksDB, or the block of a filter: see `Format.open`. */
export async function open(source: ByteSource, format: Format, kernel?: Kernel): Promise<FlatFile> {
  const file = fileOf(source, 'a filter of RocksDB');
  const tail = new DataView(new ArrayBuffer(8));
  readAt(file, new Uint8Array(tail.buffer), Math.max(0, file.size - 8));
  return magicOf(tail) === ROCKSDB_MAGIC
    ? openSst(openTable(source, 'a table of RocksDB', readRocksdbFooter, kernel), source, format)
    : openBlock(file, source, format);
}

/** A block of a filter that is a file of its own. */
function openBlock(file: PositionedFile, source: ByteSource, format: Format): FlatFile {
  const filter = readFilter(file, { offset: 0, bytes: file.size }, file.name);
  if (filter === undefined) throw damaged(file.name, 'it is shorter than any filter of RocksDB');
  const stored = { offset: 0, bytes: filter.bits / 8 };
  return opened([{ ...filter, stored, label: 'all of it' }], ONE_RANGE, {
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

function openSst(table: SortedTable, source: ByteSource, format: Format): FlatFile {
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
  if (index === undefined) throw withoutFilter(table, 'a Bloom filter for each table, or partitions of one');
  const partitions = partitionsOf(table, index, properties);
  // Keys behind the last separator are asked of the last partition.
  const separators = partitions.slice(0, -1).map(({ key }) => key);
  const handles = partitions.map(({ value }) => value);
  return opened(...placedFilters(table, handles, separators), rest);
}

/** The partitions of a filter, each with the last key for which it is. */
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
      `${table.file.name} has its keys in an order that this bloom does not know, ${comparator}`,
      'its filter is in parts, of which nobody else can tell the right one: ask RocksDB itself',
    );
  const isUserKey = properties?.count('rocksdb.index.key.is.user.key') === 1;
  return entries.map(({ key, value }) => ({ key: isUserKey ? key : withoutTrailer(key, name), value }));
}

/** The filters with these handles, as far as they have bits, and the ranges between separators. */
function placedFilters(
  { file, block }: SortedTable,
  handles: readonly BlockHandle[],
  separators: readonly Uint8Array[],
): [(FilterBlock & StoredFilter)[], RangedTable['ranges']] {
  const filters: (FilterBlock & StoredFilter)[] = [];
  const ofRanges = handles.map((handle, i) => {
    const label = `the filter at ${handle.offset}`;
    const filter = readFilter(file, handle, `${file.name}: ${label}`);
    if (filter === undefined) return undefined;
    const stored = { offset: 0, bytes: filter.bits / 8, block: block(handle, label) };
    const [end, before] = [separators[i], separators[i - 1]];
    const keys = end === undefined ? `keys behind ${before && shownKey(before)}` : `keys to ${shownKey(end)}`;
    return filters.push({ ...filter, stored, label: `filter at ${handle.offset}, ${keys}` }) - 1;
  });
  return [filters, { ...ONE_RANGE, separators, filters: ofRanges }];
}

/** What the filter of a block is; undefined if it has no bits. */
function readFilter(file: PositionedFile, { offset, bytes }: BlockHandle, name: string): FilterBlock | undefined {
  const metadata = new Uint8Array(METADATA_BYTES);
  if (offset + bytes > file.size) throw damaged(file.name, `${name} lies outside it`);
  readAt(file, metadata, offset + bytes - METADATA_BYTES);
  return filterBlockOf(new DataView(metadata.buffer), bytes, name);
}

interface Rest extends Pick<RangedTable, 'format' | 'file' | 'inserted' | 'verified'> {
  readonly source: ByteSource;
}

/** The file of filters that are all of one sort. Throws a `format` error for others. */
function opened(
  filters: readonly (FilterBlock & StoredFilter)[],
  ranges: RangedTable['ranges'],
  { source, ...rest }: Rest,
): FlatFile {
  const [first] = filters;
  if (first === undefined) throw withoutKeys(rest.file.name);
  const { hash, rule } = first;
  if (filters.some((filter) => filter.rule !== rule)) throw damaged(rest.file.name, 'its filters are of several sorts');
  return rangedFile({ hash, rule, filters, ranges, ...rest, close: () => source.close() });
}

/** The error for a table whose filter has no whole keys: it would say of each that it is absent. */
function ofPrefixes(name: string, properties: Properties): BloomError {
  const extractor = properties.text('rocksdb.prefix.extractor.name');
  return new BloomError(
    'format',
    `${name} has a filter of prefixes of keys alone, as ${extractor} makes them, which this bloom cannot ask`,
    'write it with whole_key_filtering',
  );
}
