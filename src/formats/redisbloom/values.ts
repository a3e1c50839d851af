// The values of a module in the database files of Redis, each behind its type. Lengths and whole numbers have 6 bits, 14, 32 or
// 64, big-endian; strings may be compressed with LZF, or be a number in decimal digits that is stored as one.

import { damaged } from '../../errors.ts';
import { COMPRESSED, INTEGER_BYTES, storedLength } from './lengths.ts';
import { fromLzf, LZF_RATIO } from './lzf.ts';

const TYPES = { end: 0, signed: 1, unsigned: 2, double: 4, string: 5 } as const;

/** What is behind the last value. */
export const END = TYPES.end;

/** A whole number, with its type. */
export function wholeValue(value: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(TYPES.unsigned), lengthOf(value)]);
}

/** A double, with its type. */
export function doubleValue(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(9));
  bytes.setUint8(0, TYPES.double);
  bytes.setFloat64(1, value, true);
  return new Uint8Array(bytes.buffer);
}

/** What is before a string of so many bytes. */
export function stringBefore(bytes: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(TYPES.string), lengthOf(bytes)]);
}

function lengthOf(value: number): Uint8Array {
  if (value < 2 ** 6) return Uint8Array.of(value);
  if (value < 2 ** 14) return Uint8Array.of(0x40 | (value >> 8), value);
  const isWide = value >= 2 ** 32;
  const bytes = new DataView(new ArrayBuffer(isWide ? 9 : 5));
  bytes.setUint8(0, isWide ? 0x81 : 0x80);
  if (isWide) bytes.setBigUint64(1, BigInt(value));
  else bytes.setUint32(1, value);
  return new Uint8Array(bytes.buffer);
}

/** Values in their order. Asking for one that is not there throws a `format` error. */
export interface Values {
  whole(): bigint;
  double(): number;
  string(): Uint8Array;
  /** A string without its type, as a key is stored. */
  untyped(): Uint8Array;
  /** Sees to it that there are no more. */
  end(): void;
}

export function createValues(bytes: Uint8Array, name: string): Values {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = 0;
  /** Where so many bytes are that come next. */
  const pass = (length: number) => {
    if (next + length > bytes.length) throw damaged(name, 'it ends within its values');
    next += length;
    return next - length;
  };
  const byte = () => view.getUint8(pass(1));
  const length = (first = byte()) => storedLength(first, byte, name);
  const blob = (size: bigint) => {
    if (size > BigInt(bytes.length)) throw damaged(name, 'it ends within its values');
    const at = pass(Number(size));
    return bytes.subarray(at, next);
  };
  const expect = (...types: readonly number[]) => {
    if (!types.includes(Number(length()))) throw damaged(name, 'its values are not those of a filter');
  };
  const compressed = () => {
    const [size, whole] = [length(), length()];
    const packed = blob(size);
    if (whole > LZF_RATIO * size) throw damaged(name, 'a value of it is longer than it can be');
    const unpacked = fromLzf(packed, Number(whole));
    if (unpacked === undefined) throw damaged(name, 'a value of it cannot be decompressed');
    return unpacked;
  };
  const untyped = () => {
    const first = byte();
    if (first === COMPRESSED) return compressed();
    const integerBytes = INTEGER_BYTES[first];
    if (integerBytes === undefined) return blob(length(first));
    return Buffer.from(String(Buffer.from(blob(BigInt(integerBytes))).readIntLE(0, integerBytes)));
  };
  return {
    untyped,
    whole() {
      expect(TYPES.signed, TYPES.unsigned);
      return length();
    },
    double() {
      expect(TYPES.double);
      return view.getFloat64(pass(8), true);
    },
    string() {
      expect(TYPES.string);
      return untyped();
    },
    end() {
      expect(TYPES.end);
      if (next < bytes.length) throw damaged(name, 'more values follow those of a filter');
    },
  };
}
