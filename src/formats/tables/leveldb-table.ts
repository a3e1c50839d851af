import { BloomError, damaged } from '../../errors.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { STEPS } from '../../sizing/steps.ts';
import type { BitArrayFile, Format } from '../format.ts';
import type { Opening } from '../opening.ts';
import { type RangedTable, rangedFile, type StoredFilter, shownKey } from '../ranged-file.ts';
import type { StoredBlock } from '../stored-blocks.ts';
import { cursorOf, entriesOf, handleAt, withoutTrailer } from './entries.ts';
import { readLeveldbFooter } from './footer.ts';
import { GOLEVELDB, SIGNED } from './leveldb-versions.ts';
import { openTable, type SortedTable, withoutFilter } from './table.ts';

const POLICY = 'filter.leveldb.BuiltinBloomFilter2';

/**
 * The name of the policy in goleveldb, and in LevelDB before 1.18. That LevelDB treated the last bytes of keys as
 * signed on x86.
 */
const OLD_POLICY = 'filter.leveldb.BuiltinBloomFilter';
const DOUBT = `it was written by goleveldb, or by LevelDB before 1.18. With the latter, keys that end in bytes above 0x7f may be reported absent. State --format ${GOLEVELDB.name} or --format ${SIGNED.name}`;

/** Larger values of k are reserved for new types of filters. */
const K_LIMIT = 30;

/** Opens a table of LevelDB: see `Format.open`. */
export async function open(
  source: ByteSource,
  format: Format,
  kernel?: Kernel,
  { format: stated }: Opening = {},
): Promise<BitArrayFile> {
  const table = openTable(source, 'a LevelDB table', readLeveldbFooter, kernel);
  const { file, meta, read, block } = table;
  if (meta.has('rocksdb.properties'))
    throw new BloomError(
      'format',
      `${file.name} is a RocksDB table of format version 0, which bloom cannot query`,
      'write the table with format_version 1 or higher',
    );
  const handle = meta.get(POLICY) ?? meta.get(OLD_POLICY);
  if (handle === undefined) throw withoutFilter(table, 'NewBloomFilterPolicy (LevelDB) or NewBloomFilter (goleveldb)');
  const isOld = !meta.has(POLICY);
  const hasSigns = isOld && stated === SIGNED.name;
  const stored = block(handle, 'its filters');
  const { filters, numbers, shift } = filtersIn(read(stored), stored, `${file.name}: its filters`);
  const ranges = rangesOf(table, numbers, 2 ** shift);
  return rangedFile({
    format,
    file,
    hash: hasSigns ? 'rocksdb' : 'leveldb',
    rule: 'leveldb',
    doubt: isOld && !hasSigns && stated !== GOLEVELDB.name ? DOUBT : undefined,
    filters: labelled(filters, numbers, ranges, 2 ** shift),
    ranges,
    inserted: undefined,
    verified: 'read',
    close: () => source.close(),
  });
}

/** The bytes after the filters: the offset of the offsets, and the log2 of the bytes of data per filter. */
const OFFSETS_END_BYTES = 5;

type Unlabelled = Omit<StoredFilter, 'label'>;

/** The filters, each with the offset of its data and its last key. */
function labelled(
  filters: readonly Unlabelled[],
  numbers: readonly (number | undefined)[],
  { separators, filters: ofRanges }: RangedTable['ranges'],
  bytesEach: number,
): StoredFilter[] {
  const ends = new Map(separators.map((separator, i) => [ofRanges[i], separator]));
  const begins = new Map(numbers.map((filter, i) => [filter, i * bytesEach]));
  return filters.map((filter, i) => {
    const end = ends.get(i);
    return {
      ...filter,
      label: `data at byte ${begins.get(i)}, ${end === undefined ? 'no keys' : `keys to ${shownKey(end)}`}`,
    };
  });
}

/**
 * The filters of a block, the number of each filter (undefined if it has no keys), and the log2 of the bytes of data
 * per filter.
 */
function filtersIn(content: Uint8Array, block: StoredBlock, name: string) {
  const fields = new DataView(content.buffer, content.byteOffset, content.length);
  const end = content.length - OFFSETS_END_BYTES;
  if (end < 0) throw damaged(name, 'they have no valid offsets');
  const [begin, shift] = [fields.getUint32(end, true), fields.getUint8(end + 4)];
  const count = (end - begin) / 4;
  if (begin > end || !Number.isInteger(count) || shift > 52) throw damaged(name, 'they have no valid offsets');
  const filters: Unlabelled[] = [];
  const numbers: (number | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [fields.getUint32(begin + 4 * i, true), fields.getUint32(begin + 4 * i + 4, true)];
    if (from > to || to > begin) throw damaged(name, `number ${i} is outside their bytes`);
    const filter = filterOf(content.subarray(from, to), `${name}: number ${i}`);
    numbers.push(filter && filters.push({ ...filter, stored: { offset: from, bytes: filter.bits / 8, block } }) - 1);
  }
  return { filters, numbers, shift };
}

/** The filter by its last byte. Undefined if it has no bits, as a filter without keys. */
function filterOf(bytes: Uint8Array, name: string): Omit<Unlabelled, 'stored'> | undefined {
  if (bytes.length < 2) return undefined;
  const k = bytes[bytes.length - 1] ?? 0;
  if (k === 0 || k > K_LIMIT)
    throw new BloomError('format', `${name} has the unknown type ${k}`, 'query the table with LevelDB');
  return { bits: 8 * (bytes.length - 1), k, steps: STEPS.leveldb };
}

/** The key ranges of blocks. The filter of a block is that of its first byte. */
function rangesOf(
  { file, footer, read, block }: SortedTable,
  numbers: readonly (number | undefined)[],
  bytesEach: number,
) {
  const { index } = footer;
  if (index === undefined) throw new Error(`${file.name} has no index`);
  const label = 'its index';
  const name = `${file.name}: ${label}`;
  const entries = entriesOf(read(block(index, label)), name);
  const separators = entries.map(({ key }) => withoutTrailer(key, name));
  if (separators.some((key, i) => i > 0 && Buffer.compare(separators[i - 1] ?? key, key) > 0))
    throw new BloomError(
      'format',
      `${file.name} does not sort its keys by their bytes`,
      'query it with the program that wrote it, which knows the order',
    );
  const filters = entries.map(({ value }) => {
    const number = Math.floor(handleAt(cursorOf(value, name)).offset / bytesEach);
    if (number >= numbers.length) throw damaged(name, 'it has blocks without a filter');
    return numbers[number];
  });
  const ranges: RangedTable['ranges'] = {
    separators,
    // No keys are after the last separator.
    filters: [...filters, undefined],
    isBehind: false,
    order: 'bytes',
  };
  return ranges;
}
