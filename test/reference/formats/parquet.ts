// Filters of Parquet, after BloomFilter.md and parquet.thrift: https://github.com/apache/parquet-format.

import { type BitArrayBytes, hasPosition, onesOf, setPosition } from '../bit-array-bits.ts';
import { bitsOfDigest } from '../blocked-bits.ts';
import { xxh64 } from '../xxh64.ts';
import type { ForeignFilter, System } from './system.ts';
import { decodeStruct, type Encodable, encodeStruct, type Fields, type Thrift, type ThriftStruct } from './thrift.ts';

const ORDER = { bits: 0, k: 8, order: 'bytes' } as const;

/** The filter of the only column in a row group. */
interface RowGroupFilter {
  readonly blocks: number;
  readonly bits: BitArrayBytes;
}

/** The options of a file with filters. */
interface Style {
  /** The metadata gives the length of each filter, with its header. */
  readonly hasLengths: boolean;
  /** Unions name no alternative, as parquetjs writes them. */
  readonly hasEmptyUnions: boolean;
  /** The number of other bytes before the filters, in place of pages. */
  readonly gap: number;
}

const PLAIN: Style = { hasLengths: true, hasEmptyUnions: false, gap: 0 };

/** The sum over all blocks of the product of the ones in each word. */
function products({ blocks, bits }: RowGroupFilter): number {
  let sum = 0;
  for (let block = 0; block < blocks; block++) {
    let product = 1;
    for (let word = 0; word < 8; word++) {
      const first = 32 * block + 4 * word;
      product *= onesOf(new Map([0, 1, 2, 3].map((i) => [i, bits.get(first + i) ?? 0])));
    }
    sum += product;
  }
  return sum;
}

/** The chance of a false positive: eight ones, or a member with the same block and the same lower half of the digest. */
function rateOf(filter: RowGroupFilter): number {
  const { blocks, bits } = filter;
  const keys = -32 * blocks * Math.log(1 - Math.min(onesOf(bits), 256 * blocks - 0.5) / (256 * blocks));
  return Math.min(1, products(filter) / (blocks * 2 ** 40) + (keys / blocks) * (2 ** -32 - 2 ** -40));
}

/** The filters of a column; each gets `keysEach` keys in turn. */
function filterOf(groups: readonly RowGroupFilter[], keysEach: number, style: Style): ForeignFilter {
  let added = 0;
  const has = (key: Uint8Array, group: RowGroupFilter) =>
    positions(key, group).every((position) => hasPosition(group.bits, position, ORDER));
  const sum = (of: (group: RowGroupFilter) => number) => groups.reduce((all, group) => all + of(group), 0);
  return {
    add(key) {
      const group = groups[Math.min(groups.length - 1, Math.floor(added / keysEach))];
      if (group === undefined) throw new Error('there is no row group');
      addTo(group, key);
      added++;
    },
    has: (key) => groups.some((group) => has(key, group)),
    fill: () => sum(({ bits }) => onesOf(bits)) / sum(({ blocks }) => 256 * blocks),
    rate: () => 1 - groups.reduce((missed, group) => missed * (1 - rateOf(group)), 1),
    encode: () => encode(groups, added, style),
  };
}

/** The file of a table with one column. */
function encode(groups: readonly RowGroupFilter[], rows: number, style: Style): Uint8Array {
  const columns = [{ path: ['keys', 'key'], type: BYTE_ARRAY, fields: TEXT, filters: groups }];
  const counts = groups.map(() => rows);
  return encodeFile(columns, counts, style);
}

/** The physical type of bytes, and the fields of a schema that mark text. */
const BYTE_ARRAY = 6n;
const TEXT: Fields = { 6: 0n, 10: { fields: { 1: { fields: {} } } } };

/** A column: its path, the physical type, the fields of the schema, and its filter in each row group. */
interface EncodedColumn {
  readonly path: readonly string[];
  readonly type: bigint;
  readonly fields: Fields;
  readonly filters: readonly (RowGroupFilter | undefined)[];
}

/** A file without pages. */
function encodeFile(columns: readonly EncodedColumn[], rows: readonly number[], style: Style): Uint8Array {
  const { hasLengths, hasEmptyUnions, gap } = style;
  const parts: Uint8Array[] = [Buffer.from('PAR1'), new Uint8Array([0x15, ...Array(gap).fill(7)])];
  let at = 5 + gap;
  const union = { fields: hasEmptyUnions ? {} : { 1: { fields: {} } } };
  /** Appends a filter to the file. */
  const placed = ({ blocks, bits }: RowGroupFilter): Fields => {
    const header = encodeStruct({ 1: BigInt(32 * blocks), 2: union, 3: union, 4: union });
    const bitset = bytesOf({ blocks, bits });
    parts.push(new Uint8Array(header), bitset);
    const offset = BigInt(at);
    at += header.length + bitset.length;
    return { 14: offset, ...(hasLengths ? { 15: BigInt(header.length + bitset.length) } : {}) };
  };
  const groups = rows.map((count, i): Encodable => {
    const chunks = columns.map(({ path, type, filters }): Encodable => {
      const filter = filters[i];
      const metadata = { 1: type, 3: path, 5: BigInt(count), ...(filter === undefined ? {} : placed(filter)) };
      return { fields: { 2: 4n, 3: { fields: metadata } } };
    });
    return { fields: { 1: chunks, 2: 1n, 3: BigInt(count) } };
  });
  const footer = new Uint8Array(encodeStruct({ 1: 2n, 2: schemaOf(columns), 3: 0n, 4: groups, 6: 'an oracle' }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return new Uint8Array(Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]));
}

/** A schema in which each column has its own branch. */
function schemaOf(columns: readonly EncodedColumn[]): Encodable[] {
  const leaves = columns.flatMap(({ path, type, fields }) =>
    path.map((name, level): Encodable => {
      const isLeaf = level === path.length - 1;
      return { fields: isLeaf ? { 1: type, 3: 0n, 4: name, ...fields } : { 3: 0n, 4: name, 5: 1n } };
    }),
  );
  return [{ fields: { 4: 'root', 5: BigInt(columns.length) } }, ...leaves];
}

/** A column of a table, and the keys in its row groups; undefined for a row group without a filter. */
export interface TableColumn {
  readonly name: string;
  readonly groups: readonly (readonly Uint8Array[] | undefined)[];
  /** The physical type, and fields of the schema; the default is text. */
  readonly type?: bigint;
  readonly fields?: Fields;
}

function filterOfKeys(keys: readonly Uint8Array[], blocks: number): RowGroupFilter {
  const filter: RowGroupFilter = { blocks, bits: new Map() };
  for (const key of keys) addTo(filter, key);
  return filter;
}

function bytesOf({ blocks, bits }: RowGroupFilter): Uint8Array {
  const bytes = new Uint8Array(32 * blocks);
  for (const [byte, value] of bits) bytes[byte] = value;
  return bytes;
}

/** The bits of a filter of `blocks` blocks. */
export function encodeBits(keys: readonly Uint8Array[], blocks = 64): Uint8Array {
  return bytesOf(filterOfKeys(keys, blocks));
}

/** A table with filters of `blocks` blocks. */
export function encodeTable(columns: readonly TableColumn[], blocks = 64): Uint8Array {
  const encoded = columns.map(({ name, groups, type = BYTE_ARRAY, fields = TEXT }): EncodedColumn => {
    const filters = groups.map((keys) => keys && filterOfKeys(keys, blocks));
    return { path: name.split('.'), type, fields, filters };
  });
  const rows = (columns[0]?.groups ?? []).map((keys) => keys?.length ?? 1);
  return encodeFile(encoded, rows, PLAIN);
}

function positions(key: Uint8Array, { blocks }: RowGroupFilter): number[] {
  return bitsOfDigest(xxh64(key, 0n), 256 * blocks);
}

function addTo(filter: RowGroupFilter, key: Uint8Array): void {
  for (const position of positions(key, filter)) setPosition(filter.bits, position, ORDER);
}

const asStruct = (value: Thrift | undefined) => (value instanceof Map ? (value as ThriftStruct) : new Map());
const asList = (value: Thrift | undefined) => (Array.isArray(value) ? (value as readonly Thrift[]) : []);

/** Reads the header at an offset, and the filter after it. */
function decodeFilter(file: Uint8Array, at: number): RowGroupFilter {
  const { struct, end } = decodeStruct(file, at);
  const bytes = Number(struct.get(1));
  return { blocks: bytes / 32, bits: new Map(file.subarray(end, end + bytes).entries()) };
}

/** The filters of the first column, or the single filter that makes up the file. */
function decode(file: Uint8Array): ForeignFilter {
  if (file[0] !== 0x50) return filterOf([decodeFilter(file, 0)], 1, PLAIN);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const footer = decodeStruct(file, file.length - 8 - view.getUint32(file.length - 8, true)).struct;
  const groups = asList(footer.get(4)).map((group): RowGroupFilter => {
    const metadata = asStruct(asStruct(asList(asStruct(group).get(1))[0]).get(3));
    return decodeFilter(file, Number(metadata.get(14)));
  });
  return filterOf(groups, 1, PLAIN);
}

const vessel =
  (blocks: readonly number[], keys: number, style: Partial<Style> = {}) =>
  () => ({
    filter: filterOf(
      blocks.map((count) => ({ blocks: count, bits: new Map() })),
      Math.ceil(keys / blocks.length),
      { ...PLAIN, ...style },
    ),
    keys,
  });

/** The offset of the header of the first filter. It begins with the number of bytes: the type i64, the field id and the value. */
const FIRST = 5;

export const parquet: System = {
  decode,
  vessels: {
    'few bits': vessel([8], 200),
    'row groups of several sizes': vessel([64, 128, 300, 1, 512], 9000),
    'many bits': vessel([4096], 90_000, { hasLengths: false, gap: 100_000 }),
    'one block': vessel([1], 10),
    'too many keys': vessel([8, 8], 1500, { hasEmptyUnions: true }),
    'many row groups': vessel(Array(60).fill(7), 6000),
  },
  spoils: {
    'a length of metadata beyond the file': (file) => file.setUint32(file.byteLength - 8, 2 ** 32 - 1, true),
    'metadata that is a byte longer': (file) =>
      file.setUint32(file.byteLength - 8, file.getUint32(file.byteLength - 8, true) + 1, true),
    'no magic at its end': (file) => file.setUint8(file.byteLength - 1, 0x32),
    'a filter of fewer bytes than a block': (file) => file.setUint8(FIRST + 2, 62),
    'a filter of a negative size': (file) => file.setUint8(FIRST + 2, 1),
    'a filter that reaches behind the file': (file) => {
      file.setUint16(FIRST + 2, 0x80_80 | 0x7f);
    },
    'a filter whose header is none': (file) => file.setUint8(FIRST, 0x1f),
  },
  mayHaveMore: false,
};
