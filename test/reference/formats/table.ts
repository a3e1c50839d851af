// The tables of LevelDB and RocksDB, as far as their filters need them. A checksum follows each block of entries. After
// doc/table_format.md of https://github.com/google/leveldb and table/format.cc of https://github.com/facebook/rocksdb.

import XXH from 'xxhashjs';
import { crc32c } from '../crc32.ts';
import { xxh3 } from '../xxh3.ts';

const TRAILER_BYTES = 5;

/** An entry of a block. The value has its own length. */
export interface TableEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface Handle {
  readonly offset: number;
  readonly bytes: number;
}

export function latin(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function u32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

/** 7 bits per byte, the lowest first. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    if (rest <= 127n) return Uint8Array.from(bytes);
  }
}

export function handleBytes({ offset, bytes }: Handle): Uint8Array {
  return joined([varint(offset), varint(bytes)]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** A block of entries. Every `interval`-th key is whole; others omit the bytes they share. With `isBare`, values have no length. */
export function entryBlock(entries: readonly TableEntry[], interval = 1, isBare = false): Uint8Array {
  const restarts: number[] = [];
  const parts: Uint8Array[] = [];
  let length = 0;
  let before = new Uint8Array();
  for (const [i, { key, value }] of entries.entries()) {
    let shared = 0;
    if (i % interval === 0) restarts.push(length);
    else while (shared < Math.min(before.length, key.length) && before[shared] === key[shared]) shared++;
    const sizes = [varint(shared), varint(key.length - shared), ...(isBare ? [] : [varint(value.length)])];
    const entry = joined([...sizes, key.subarray(shared), value]);
    parts.push(entry);
    length += entry.length;
    before = new Uint8Array(key);
  }
  if (restarts.length === 0) restarts.push(0);
  return joined([...parts, ...restarts.map(u32), u32(restarts.length)]);
}

/** A cursor over numbers of 7 bits per byte. */
function numbersIn(bytes: Uint8Array) {
  const cursor = {
    at: 0,
    next() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[cursor.at++] ?? 0;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
    handle: (): Handle => ({ offset: cursor.next(), bytes: cursor.next() }),
  };
  return cursor;
}

/** The two handles at the beginning of the bytes. */
export function handlesIn(bytes: Uint8Array): [Handle, Handle] {
  const { handle } = numbersIn(bytes);
  return [handle(), handle()];
}

/** The keys and handles of a block of entries. Each entry tells how many bytes it shares with the previous key. */
export function wholeEntries(block: Uint8Array, form: 'sized' | 'bare'): { key: Buffer; handle: Handle }[] {
  const end = block.length - 4 - 4 * new DataView(block.buffer, block.byteOffset).getUint32(block.length - 4, true);
  const cursor = numbersIn(block);
  const entries: { key: Buffer; handle: Handle }[] = [];
  while (cursor.at < end) {
    const [shared, own] = [cursor.next(), cursor.next()];
    const length = form === 'sized' ? cursor.next() : 0;
    const before = entries.at(-1)?.key.subarray(0, shared) ?? new Uint8Array();
    const key = Buffer.concat([before, block.subarray(cursor.at, cursor.at + own)]);
    cursor.at += own;
    const begin = cursor.at;
    entries.push({ key, handle: cursor.handle() });
    if (form === 'sized') cursor.at = begin + length;
  }
  return entries;
}

export type ChecksumName = 'none' | 'crc32c' | 'xxh32' | 'xxh64' | 'xxh3';

/** RocksDB's ComputeBuiltinChecksum. One of the checksums treats the last byte separately. */
export function tableSum(bytes: Uint8Array, checksum: ChecksumName): number {
  if (checksum === 'none') return 0;
  if (checksum === 'crc32c') {
    const crc = crc32c(bytes);
    return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  }
  const lower = (digits: string) => Number(BigInt(`0x${digits}`) & 0xffffffffn);
  if (checksum === 'xxh32') return lower(XXH.h32(Buffer.from(bytes), 0).toString(16));
  if (checksum === 'xxh64') return lower(XXH.h64(Buffer.from(bytes), 0).toString(16));
  const last = BigInt(bytes.at(-1) ?? 0);
  return Number((xxh3(bytes.subarray(0, -1), 0n) ^ (last * 0x6b9083d9n)) & 0xffffffffn);
}

/** Writes a table block by block. */
export interface TableWriter {
  /** Writes a block and its trailer, and returns its handle. */
  put(content: Uint8Array, compression?: number): Handle;
  bytes(): Uint8Array;
  readonly length: number;
}

/** `modifier` gives the number that is added to the checksum of a block at an offset. */
export function tableWriter(checksum: ChecksumName, modifier: (offset: number) => number = () => 0): TableWriter {
  const parts: Uint8Array[] = [];
  let offset = 0;
  return {
    put(content, compression = 0) {
      const handle = { offset, bytes: content.length };
      const summed = joined([content, Uint8Array.of(compression)]);
      parts.push(summed, u32((tableSum(summed, checksum) + modifier(offset)) >>> 0));
      offset += content.length + TRAILER_BYTES;
      return handle;
    },
    bytes: () => joined(parts),
    get length() {
      return offset;
    },
  };
}
