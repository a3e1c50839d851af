// Filters of RocksDB, in tables and alone, after table/block_based/filter_policy.cc, util/bloom_impl.h and util/hash.cc of
// https://github.com/facebook/rocksdb.

import { xxph3 } from '../xxph3.ts';
import { type Partition, partitionedFilter } from './partitions.ts';
import type { ForeignFilter, System, Vessel } from './system.ts';
import {
  type ChecksumName,
  entryBlock,
  type Handle,
  handleBytes,
  joined,
  latin,
  type TableEntry,
  tableSum,
  tableWriter,
  u32,
  varint,
  wholeEntries,
} from './table.ts';

const METADATA_BYTES = 5;
const POLICY = 'rocksdb.BuiltinBloomFilter';
const FOOTER_BYTES = 53;
const MAGIC = 0x88e241b785f4cff7n;
const CHECKSUMS: readonly ChecksumName[] = ['none', 'crc32c', 'xxh32', 'xxh64', 'xxh3'];
const MASK_32 = 0xffffffffn;

/** `Hash` of util/hash.cc. It differs from LevelDB's only if the last bytes are signed. */
export function legacyHash(key: Uint8Array, isSigned: boolean): bigint {
  const m = 0xc6a4a793n;
  let hash = 0xbc9f1d34n ^ ((BigInt(key.length) * m) & MASK_32);
  const whole = key.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const block = key.subarray(at, at + 4).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    hash = ((hash + block) * m) & MASK_32;
    hash ^= hash >> 16n;
  }
  const tail = key.subarray(whole);
  for (const [i, byte] of tail.entries()) hash += BigInt(isSigned && byte > 127 ? byte - 256 : byte) << BigInt(8 * i);
  if (tail.length === 0) return hash;
  hash = BigInt.asUintN(32, hash * m);
  return hash ^ (hash >> 24n);
}

/** h + i d, where d is h rotated by 17 bits, as numbers of 32 bits. */
export function rotatedSteps(hash: bigint, k: number): bigint[] {
  const step = (hash >> 17n) | ((hash << 15n) & MASK_32);
  return Array.from({ length: k }, (_, i) => (hash + BigInt(i) * step) & MASK_32);
}

export function localPositions(hash: bigint, bits: number, k: number): bigint[] {
  const line = ((hash & MASK_32) * BigInt(bits / 512)) >> 32n;
  return Array.from({ length: k }, (_, i) => {
    const x = ((hash >> 32n) * 0x9e3779b9n ** BigInt(i)) & MASK_32;
    return line * 512n + (x >> 23n);
  });
}

export function legacyPositions(hash: bigint, bits: number, lineBits: number, k: number): bigint[] {
  const line = hash % BigInt(bits / lineBits);
  return rotatedSteps(hash, k).map((x) => line * BigInt(lineBits) + (x % BigInt(lineBits)));
}

interface Sort {
  readonly isLegacy: boolean;
  readonly k: number;
  readonly lines: number;
  readonly lineBits: number;
}

function partition({ isLegacy, k, lines, lineBits }: Sort, bytes = new Uint8Array((lines * lineBits) / 8)): Partition {
  const bits = lines * lineBits;
  const positions = (key: Uint8Array) =>
    isLegacy
      ? legacyPositions(legacyHash(key, true), bits, lineBits, k).map(Number)
      : localPositions(xxph3(key), bits, k).map(Number);
  return { bits, k, lineBits, isStepped: isLegacy, bytes, positions };
}

/** The block of a filter. */
function blockOf({ isStepped, bits, k, lineBits, bytes }: Partition): Uint8Array {
  const metadata = isStepped ? [Uint8Array.of(k), u32(bits / lineBits)] : [Uint8Array.of(0xff, 0, k, 0, 0)];
  return joined([bytes, ...metadata]);
}

function partitionIn(block: Uint8Array): Partition {
  const bytes = block.slice(0, -METADATA_BYTES);
  const metadata = new DataView(block.slice(-METADATA_BYTES).buffer);
  const isLegacy = metadata.getInt8(0) > 0;
  if (!isLegacy)
    return partition({ isLegacy, k: metadata.getUint8(2), lines: bytes.length / 64, lineBits: 512 }, bytes);
  const lines = metadata.getUint32(1, true);
  return partition({ isLegacy, k: metadata.getInt8(0), lines, lineBits: (8 * bytes.length) / lines }, bytes);
}

/** The options of a written table. */
interface Writing {
  readonly version: number;
  readonly checksum: ChecksumName;
  /** The number of entries from one whole key to the next in the index of filters. */
  readonly interval?: number;
  /** The index has user keys, and values without a length. */
  readonly isPlain?: boolean;
}

/** The keys at which partitions end; undefined if there is only one partition. */
type Ends = readonly Uint8Array[] | undefined;

const KEY_END = Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

function tableOf(parts: readonly Partition[], ends: Ends, writing: Writing): Uint8Array {
  const { version, checksum, interval = 1, isPlain = true } = writing;
  const base = version >= 6 ? 0x12345678 : 0;
  const modifier = (offset: number) => (base === 0 ? 0 : (base ^ offset) >>> 0);
  const writer = tableWriter(checksum, modifier);
  writer.put(entryBlock([]));
  const handles = parts.map((part) => writer.put(blockOf(part)));
  const [first = { offset: 0, bytes: 0 }] = handles;
  const meta: TableEntry[] = [];
  if (ends === undefined) meta.push({ key: latin(`fullfilter.${POLICY}`), value: handleBytes(first) });
  else {
    const entries = ends.map((end, i) => {
      const [handle = first, before] = [handles[i], handles[i - 1]];
      const isDelta = isPlain && i % interval > 0 && sharesFirst(end, ends[i - 1]);
      const change = handle.bytes - (before?.bytes ?? 0);
      const value = isDelta ? varint(change < 0 ? -2 * change - 1 : 2 * change) : handleBytes(handle);
      return { key: isPlain ? end : joined([end, KEY_END]), value };
    });
    const index = writer.put(entryBlock(entries, interval, isPlain));
    meta.push({ key: latin(`partitionedfilter.${POLICY}`), value: handleBytes(index) });
  }
  const property = (name: string, value: Uint8Array): TableEntry => ({ key: latin(`rocksdb.${name}`), value });
  const properties = writer.put(
    entryBlock([
      property('block.based.table.whole.key.filtering', latin('1')),
      property('comparator', latin('leveldb.BytewiseComparator')),
      property('external_sst_file.global_seqno', new Uint8Array(8)),
      property('index.key.is.user.key', varint(isPlain ? 1 : 0)),
      property('index.value.is.delta.encoded', varint(isPlain ? 1 : 0)),
    ]),
  );
  const metaindex = writer.put(
    entryBlock([...meta, { key: latin('rocksdb.properties'), value: handleBytes(properties) }]),
  );
  const footer = new Uint8Array(FOOTER_BYTES);
  const fields = new DataView(footer.buffer);
  fields.setUint8(0, CHECKSUMS.indexOf(checksum));
  fields.setUint32(41, version, true);
  fields.setBigUint64(45, MAGIC, true);
  if (version < 6) footer.set(joined([handleBytes(metaindex), handleBytes(first)]), 1);
  else {
    fields.setUint32(1, 0x007a003e, true);
    fields.setUint32(9, base, true);
    fields.setUint32(13, metaindex.bytes, true);
    fields.setUint32(5, (tableSum(footer, checksum) + modifier(writer.length)) >>> 0, true);
  }
  return joined([writer.bytes(), footer]);
}

function sharesFirst(key: Uint8Array, before: Uint8Array | undefined): boolean {
  return key.length > 0 && key[0] === before?.[0];
}

/** The partition of a key: the first one that ends at the key or after it, otherwise the last. */
function partOf(ends: Ends): (key: Uint8Array) => number {
  if (ends === undefined) return () => 0;
  return (key) => {
    const found = ends.findIndex((end) => Buffer.compare(end, key) >= 0);
    return found < 0 ? ends.length - 1 : found;
  };
}

function vessel(keys: number, sort: Sort, writing: Writing | undefined, ends?: typeof ENDS): () => Vessel {
  return () => {
    const bounds = ends && Object.keys(ends).map(latin);
    const parts = Object.values(ends ?? { all: 1 }).map((share) => partition({ ...sort, lines: linesOf(sort, share) }));
    const encode = () =>
      writing === undefined ? blockOf(parts[0] ?? partition(sort)) : tableOf(parts, bounds, writing);
    return { filter: partitionedFilter(parts, partOf(bounds), encode), keys };
  };
}

/** Older filters have an odd number of lines, so that more bits of the hash select the line. */
function linesOf({ isLegacy, lines }: Sort, share: number): number {
  return isLegacy ? (lines * share) | 1 : lines * share;
}

function decode(file: Uint8Array): ForeignFilter {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const isTable = view.getBigUint64(file.length - 8, true) === MAGIC;
  const { blocks, ends } = isTable ? blocksIn(file, view) : { blocks: [file], ends: undefined };
  return partitionedFilter(blocks.map(partitionIn), partOf(ends), () => file);
}

/** The filter blocks of a table of version 6, and the ends of its partitions. */
function blocksIn(file: Uint8Array, view: DataView): { blocks: Uint8Array[]; ends: Ends } {
  const content = ({ offset, bytes }: Handle) => file.slice(offset, offset + bytes);
  const bytes = view.getUint32(file.length - FOOTER_BYTES + 13, true);
  const metaindex = wholeEntries(content({ offset: file.length - FOOTER_BYTES - 5 - bytes, bytes }), 'sized');
  const handleOf = (sort: string) =>
    metaindex.find(({ key }) => key.toString('latin1') === `${sort}.${POLICY}`)?.handle;
  const full = handleOf('fullfilter');
  if (full !== undefined) return { blocks: [content(full)], ends: undefined };
  const entries = wholeEntries(content(handleOf('partitionedfilter') ?? { offset: 0, bytes: 0 }), 'bare');
  return { blocks: entries.map(({ handle }) => content(handle)), ends: entries.map(({ key }) => key) };
}

const LOCAL = { isLegacy: false, lineBits: 512 };
const LEGACY = { isLegacy: true, lineBits: 512 };
/** The end of each partition, and how many sixtieths of all hexadecimal keys it has. Some ends share their first bytes. */
const ENDS: Readonly<Record<string, number>> = { 3: 8, 5: 8, 58: 2, '5c': 1, '5g': 1, b: 20, d: 8, g: 12 };

const fromEnd = (back: number, write: (file: DataView, at: number) => void) => (file: DataView) =>
  write(file, file.byteLength - back);

export const rocksdb: System = {
  decode,
  vessels: {
    'a line, version 5': vessel(40, { ...LOCAL, k: 6, lines: 1 }, { version: 5, checksum: 'crc32c' }),
    'parts, version 6': vessel(9000, { ...LOCAL, k: 6, lines: 3 }, { version: 6, checksum: 'xxh3' }, ENDS),
    'many lines, version 6': vessel(8000, { ...LOCAL, k: 7, lines: 161 }, { version: 6, checksum: 'xxh64' }),
    'older lines, version 4': vessel(7000, { ...LEGACY, k: 6, lines: 151 }, { version: 4, checksum: 'xxh32' }),
    'long older lines': vessel(
      900,
      { isLegacy: true, lineBits: 1024, k: 3, lines: 9 },
      { version: 2, checksum: 'none' },
    ),
    'older parts, not plain': vessel(
      4000,
      { ...LEGACY, k: 5, lines: 2 },
      { version: 3, checksum: 'crc32c', isPlain: false, interval: 4 },
      ENDS,
    ),
    'parts that follow each other': vessel(
      3000,
      { ...LOCAL, k: 8, lines: 1 },
      { version: 5, checksum: 'xxh3', interval: 16 },
      ENDS,
    ),
    'a block alone': vessel(300, { ...LOCAL, k: 9, lines: 8 }, undefined),
    'an older block alone': vessel(300, { ...LEGACY, k: 7, lines: 7 }, undefined),
    'too many keys': vessel(300, { ...LOCAL, k: 4, lines: 1 }, { version: 6, checksum: 'crc32c' }),
  },
  spoils: {
    'version 8': fromEnd(12, (file, at) => file.setUint32(at, 8, true)),
    'version 0': fromEnd(12, (file, at) => file.setUint32(at, 0, true)),
    'checksum 5': fromEnd(FOOTER_BYTES, (file, at) => file.setUint8(at, 5)),
    'another checksum': fromEnd(FOOTER_BYTES, (file, at) => file.setUint8(at, 3)),
    'a metaindex that does not end': fromEnd(FOOTER_BYTES, (file, at) =>
      file.setBigUint64(at + 1, 2n ** 64n - 1n, true),
    ),
    'a metaindex elsewhere': fromEnd(FOOTER_BYTES, (file, at) => file.setUint8(at + 1, file.getUint8(at + 1) ^ 1)),
    'another byte in its metaindex': fromEnd(FOOTER_BYTES + 20, (file, at) => file.setUint8(at, file.getUint8(at) ^ 1)),
  },
  isReadFromEnd: true,
  mayHaveMore: false,
};
