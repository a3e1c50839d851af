// Tables of LevelDB with filters, after table/filter_block.cc and util/bloom.cc of https://github.com/google/leveldb.

import { type Partition, partitionedFilter } from './partitions.ts';
import { legacyHash, rotatedSteps } from './rocksdb.ts';
import type { System, Vessel } from './system.ts';
import {
  entryBlock,
  type Handle,
  handleBytes,
  handlesIn,
  joined,
  latin,
  tableWriter,
  u32,
  varint,
  wholeEntries,
} from './table.ts';

const MAGIC = 0xdb4775248b80fb57n;
const FOOTER_BYTES = 48;
const POLICY = 'filter.leveldb.BuiltinBloomFilter2';
const SEQUENCE = Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

/** A data block: the key up to which it reaches, and its offset. */
interface Block {
  readonly end: Uint8Array;
  readonly offset: number;
}

export function leveldbPositions(hash: bigint, bits: number, k: number): bigint[] {
  return rotatedSteps(hash, k).map((x) => x % BigInt(bits));
}

function partition(bits: number, k: number, bytes = new Uint8Array(bits / 8)): Partition {
  const positions = (key: Uint8Array) => leveldbPositions(legacyHash(key, false), bits, k).map(Number);
  return { bits, k, lineBits: bits, isStepped: true, bytes, positions };
}

/** The filters of a table; some ranges of offsets have none. */
function filterOf(
  blocks: readonly Block[],
  filters: readonly (Partition | undefined)[],
  shift: number,
  encode: () => Uint8Array,
) {
  const real = filters.flatMap((filter) => filter ?? []);
  const partOf = (key: Uint8Array) => {
    const block = blocks.find(({ end }) => Buffer.compare(end, key) >= 0);
    const filter = block && filters[Math.floor(block.offset / 2 ** shift)];
    return filter && real.indexOf(filter);
  };
  return partitionedFilter(real, partOf, encode);
}

function tableOf(
  blocks: readonly Block[],
  filters: readonly (Partition | undefined)[],
  shift: number,
  isSnappy: boolean,
): Uint8Array {
  const writer = tableWriter('crc32c');
  const put = (content: Uint8Array) => (isSnappy ? writer.put(snapped(content), 1) : writer.put(content));
  const contents = filters.map((filter) =>
    filter ? joined([filter.bytes, Uint8Array.of(filter.k)]) : new Uint8Array(),
  );
  let end = 0;
  const offsets = contents.map((content) => {
    end += content.length;
    return u32(end - content.length);
  });
  const handle = writer.put(joined([...contents, ...offsets, u32(end), Uint8Array.of(shift)]));
  const metaindex = put(entryBlock([{ key: latin(POLICY), value: handleBytes(handle) }]));
  const index = put(
    entryBlock(
      blocks.map((block) => ({
        key: joined([block.end, SEQUENCE]),
        value: handleBytes({ offset: block.offset, bytes: 9 }),
      })),
    ),
  );
  const footer = new Uint8Array(FOOTER_BYTES);
  footer.set(joined([handleBytes(metaindex), handleBytes(index)]));
  new DataView(footer.buffer).setBigUint64(FOOTER_BYTES - 8, MAGIC, true);
  return joined([writer.bytes(), footer]);
}

/** Compresses bytes in Snappy's form, with literals of one byte and copies of four. */
function snapped(content: Uint8Array): Uint8Array {
  const parts = [varint(content.length)];
  let at = 0;
  while (at < content.length) {
    const back = at >= 4 ? backOf(content, at) : 0;
    if (back > 0) {
      parts.push(
        back < 2048 ? Uint8Array.of(1 | ((back >> 8) << 5), back & 255) : Uint8Array.of(14, back & 255, back >> 8),
      );
      at += 4;
    } else {
      parts.push(Uint8Array.of(0), content.subarray(at, at + 1));
      at++;
    }
  }
  return joined(parts);
}

/** The distance back to the same 4 bytes; 0 if they do not occur before. */
function backOf(content: Uint8Array, at: number): number {
  for (let back = 1; back <= Math.min(at, 65_535) && at + 4 <= content.length; back++)
    if ([0, 1, 2, 3].every((i) => content[at + i] === content[at + i - back])) return back;
  return 0;
}

/** Decompresses Snappy, after format_description.txt of google/snappy, or returns plain content unchanged. */
function unsnapped(content: Uint8Array, isSnappy: boolean): Uint8Array {
  if (!isSnappy) return content;
  const into: number[] = [];
  let at = 0;
  while ((content[at++] ?? 0) > 127);
  const little = (bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += (content[at++] ?? 0) * 256 ** i;
    return value;
  };
  while (at < content.length) {
    const tag = little(1);
    const rest = tag >> 2;
    const sort = tag % 4;
    if (sort === 0) {
      const length = (rest < 60 ? rest : little(rest - 59)) + 1;
      into.push(...content.subarray(at, at + length));
      at += length;
    } else {
      const length = sort === 1 ? 4 + (rest % 8) : rest + 1;
      const back = sort === 1 ? Math.floor(tag / 32) * 256 + little(1) : little(sort === 2 ? 2 : 4);
      for (let i = 0; i < length; i++) into.push(into.at(-back) ?? 0);
    }
  }
  return Uint8Array.from(into);
}

/** The end of each data block, and how many sixtieths of all hexadecimal keys the block has. */
const ENDS: Readonly<Record<string, number>> = { 3: 8, 5: 8, 58: 2, '5c': 1, '5g': 1, b: 20, d: 8, g: 12 };

/**
 * `bytes` is the number of bytes for a sixtieth of all keys. Each filter has one byte more, because positions depend on each
 * other if the number of bits shares divisors with 2^32 - 1. Blocks begin about `gap` bytes apart.
 */
function vessel(keys: number, bytes: number, k: number, gap: number, isSnappy = false): () => Vessel {
  return () => {
    const shift = 11;
    const blocks = Object.keys(ENDS).map((end, i) => ({ end: latin(end), offset: i * gap + (i % 3) }));
    const shares: number[] = [];
    for (const [i, share] of Object.values(ENDS).entries()) {
      const number = Math.floor((blocks[i]?.offset ?? 0) / 2 ** shift);
      shares[number] = (shares[number] ?? 0) + share;
    }
    const filters = Array.from(shares, (share) =>
      share === undefined ? undefined : partition(8 * (bytes * share + 1), k),
    );
    return { filter: filterOf(blocks, filters, shift, () => tableOf(blocks, filters, shift, isSnappy)), keys };
  };
}

const fromEnd = (back: number, write: (file: DataView, at: number) => void) => (file: DataView) =>
  write(file, file.byteLength - back);

export const leveldb: System = {
  decode(file) {
    const content = ({ offset, bytes }: Handle) =>
      unsnapped(file.slice(offset, offset + bytes), file[offset + bytes] === 1);
    const [metaindex, index] = handlesIn(file.subarray(file.length - FOOTER_BYTES));
    const [filters] = wholeEntries(content(metaindex), 'sized');
    const block = content(filters?.handle ?? metaindex);
    const fields = new DataView(block.buffer);
    const begin = fields.getUint32(block.length - 5, true);
    const parts = Array.from({ length: (block.length - 5 - begin) / 4 }, (_, i) => {
      const bytes = block.slice(fields.getUint32(begin + 4 * i, true), fields.getUint32(begin + 4 * i + 4, true));
      return bytes.length < 2 ? undefined : partition(8 * (bytes.length - 1), bytes.at(-1) ?? 0, bytes.slice(0, -1));
    });
    const blocks = wholeEntries(content(index), 'sized').map(({ key, handle }) => ({
      end: key.subarray(0, -8),
      offset: handle.offset,
    }));
    return filterOf(blocks, parts, block.at(-1) ?? 0, () => file);
  },
  vessels: {
    'a filter for each block': vessel(3000, 67, 6, 2100),
    'a filter for some blocks': vessel(9000, 190, 7, 900),
    'many gaps, with Snappy': vessel(2000, 39, 5, 70_000, true),
    'one filter': vessel(600, 11, 3, 10),
    'k = 1': vessel(100, 2, 1, 3000),
  },
  spoils: {
    'another checksum': fromEnd(FOOTER_BYTES + 2, (file, at) => file.setUint8(at, file.getUint8(at) ^ 1)),
    'a metaindex that does not end': fromEnd(FOOTER_BYTES, (file, at) => file.setBigUint64(at, 2n ** 64n - 1n, true)),
    'a metaindex elsewhere': fromEnd(FOOTER_BYTES, (file, at) => file.setUint8(at, file.getUint8(at) ^ 1)),
    'an index without bytes': fromEnd(FOOTER_BYTES, (file, at) => {
      for (let i = 0; i < 40; i++) file.setUint8(at + i, 0);
    }),
  },
  isReadFromEnd: true,
  mayHaveMore: false,
};
