// The content of blocks of LevelDB and RocksDB tables: entries in order, each with the bytes of its key that differ
// from the key before; then u32 offsets of entries with whole keys, and the number of these offsets.

import { damaged } from '../../errors.ts';
import { TRAILER_BYTES } from './table-block.ts';

/** An entry of a block. */
export interface Entry<T> {
  readonly key: Uint8Array;
  readonly value: T;
}

/** The position of a block without its trailer. */
export interface BlockHandle {
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes that are read in order. Every method throws a `format` error if they end early. */
export interface EntryCursor {
  isAtEnd(): boolean;
  /** A number of 7 bits per byte, lowest first. It is at most 2^53. */
  varint(): number;
  bytes(count: number): Uint8Array;
}

/** Reads the bytes of a block. `name` is for messages. */
export function cursorOf(bytes: Uint8Array, name: string): EntryCursor {
  let at = 0;
  const broken = () => damaged(name, 'its entries have wrong lengths');
  return {
    isAtEnd: () => at === bytes.length,
    varint() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        if (byte === undefined) throw broken();
        value += (byte & 0x7f) * scale;
        if (value > Number.MAX_SAFE_INTEGER) throw broken();
        if (byte < 0x80) return value;
      }
    },
    bytes(count) {
      if (count > bytes.length - at) throw broken();
      at += count;
      return bytes.slice(at - count, at);
    },
  };
}

/** Reads a handle, which is two varints. */
export function handleAt(cursor: EntryCursor): BlockHandle {
  return { offset: cursor.varint(), bytes: cursor.varint() };
}

/** The largest ratio of the bytes of keys to the bytes of their block. Restarts keep the ratio low in real files. */
const KEYS_GROWTH_LIMIT = 64;

/** The entries of a block. Throws a `format` error if it is malformed. */
export function entriesOf(block: Uint8Array, name: string): Entry<Uint8Array>[] {
  return scanned(block, name, (cursor) => {
    const length = cursor.varint();
    return () => cursor.bytes(length);
  });
}

/**
 * The entries of an index whose values are handles without a length. If a key is not whole, its block follows the
 * block before. The value is then the difference of their sizes: an even number for a larger block, an odd number for
 * a smaller one.
 */
export function handlesOf(block: Uint8Array, name: string): Entry<BlockHandle>[] {
  let before: BlockHandle = { offset: 0, bytes: 0 };
  return scanned(block, name, (cursor, isWhole) => () => {
    if (isWhole) before = handleAt(cursor);
    else {
      const change = cursor.varint();
      const longer = change % 2 === 0 ? change / 2 : -(change + 1) / 2;
      before = { offset: before.offset + before.bytes + TRAILER_BYTES, bytes: Math.max(0, before.bytes + longer) };
    }
    return before;
  });
}

/** Reads what precedes the bytes of a key. Returns a function that reads the value after them. */
type ReadValue<T> = (cursor: EntryCursor, isWhole: boolean) => () => T;

function scanned<T>(block: Uint8Array, name: string, readValue: ReadValue<T>): Entry<T>[] {
  const entries: Entry<T>[] = [];
  let before = new Uint8Array();
  let left = KEYS_GROWTH_LIMIT * block.length;
  for (const cursor = cursorOf(withoutRestarts(block, name), name); !cursor.isAtEnd(); ) {
    const shared = cursor.varint();
    const own = cursor.varint();
    const value = readValue(cursor, shared === 0);
    if (shared > before.length || shared + own > left) throw damaged(name, 'its keys have wrong lengths');
    const key = new Uint8Array(shared + own);
    left -= key.length;
    key.set(before.subarray(0, shared));
    key.set(cursor.bytes(own), shared);
    entries.push({ key, value: value() });
    before = key;
  }
  return entries;
}

function withoutRestarts(block: Uint8Array, name: string): Uint8Array {
  const end = block.length - 4;
  if (end < 0) throw damaged(name, 'it has no entries');
  // Only blocks of data use the highest bit.
  const count = new DataView(block.buffer, block.byteOffset).getUint32(end, true) & 0x7fffffff;
  if (4 * count > end) throw damaged(name, 'it is too small for its restarts');
  return block.subarray(0, end - 4 * count);
}

/** Bytes that a table adds to the key of a user. */
const KEY_TRAILER_BYTES = 8;

/** The key of a user. Throws a `format` error if it is shorter than any key of a table. */
export function withoutTrailer(key: Uint8Array, name: string): Uint8Array {
  if (key.length < KEY_TRAILER_BYTES) throw damaged(name, 'one of its keys is too short');
  return key.subarray(0, key.length - KEY_TRAILER_BYTES);
}
