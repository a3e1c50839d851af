// The values of a module in the database files of Redis. Each value follows its type. Lengths and whole numbers have
// 6, 14, 32 or 64 bits, big-endian. Strings may be compressed with LZF, or be decimal digits that are stored as a
// number.

import { damaged } from '../../errors.ts';
import { COMPRESSED, INTEGER_BYTES, storedLength } from './lengths.ts';

const TYPES = { end: 0, signed: 1, unsigned: 2, double: 4, string: 5 } as const;

/** The end of the values. */
export const END = TYPES.end;

/** A whole number with its type. */
export function wholeValue(value: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(TYPES.unsigned), lengthOf(value)]);
}

/** A double with its type. */
export function doubleValue(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(9));
  bytes.setUint8(0, TYPES.double);
  bytes.setFloat64(1, value, true);
  return new Uint8Array(bytes.buffer);
}

/** The bytes before a string of this length. */
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

/** Values in order. A missing value throws a `format` error. */
export interface Values {
  whole(): bigint;
  double(): number;
  string(): Uint8Array;
  /** A string without its type, in which form keys are stored. */
  untyped(): Uint8Array;
  /** Requires that there are no more values. */
  end(): void;
}

export function createValues(bytes: Uint8Array, name: string): Values {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = 0;
  /** The position of the next bytes of this number. */
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
    if (!types.includes(Number(length()))) throw damaged(name, 'its values do not describe a filter');
  };
  const compressed = () => {
    const [size, whole] = [length(), length()];
    const packed = blob(size);
    if (whole > LZF_RATIO * size) throw damaged(name, 'one of its values is impossibly long');
    const unpacked = fromLzf(packed, Number(whole));
    if (unpacked === undefined) throw damaged(name, 'one of its values cannot be decompressed');
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
      if (next < bytes.length) throw damaged(name, 'it has more values after those of a filter');
    },
  };
}

/** The most bytes that one byte of LZF can stand for: three bytes stand for 264. */
const LZF_RATIO = 88n;

/**
 * Decompresses LZF (Marc Lehmann's liblzf). A byte b below 32 is followed by b + 1 literals. Any other byte has the length of a copy and
 * the upper bits of its distance. Undefined if the result does not have this length.
 */
export function fromLzf(packed: Uint8Array, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (let next = 0; next < packed.length; ) {
    const control = packed[next++] ?? 0;
    if (control < 32) {
      const literals = packed.subarray(next, next + control + 1);
      if (literals.length <= control || end + literals.length > length) return undefined;
      bytes.set(literals, end);
      next += literals.length;
      end += literals.length;
      continue;
    }
    const count = 2 + (control < 224 ? control >> 5 : 7 + (packed[next++] ?? 0));
    const from = end - 1 - (((control & 31) << 8) | (packed[next++] ?? 0));
    if (from < 0 || next > packed.length || end + count > length) return undefined;
    // Byte by byte, because the copy may overlap its source.
    for (let i = 0; i < count; i++) bytes[end + i] = bytes[from + i] ?? 0;
    end += count;
  }
  return end === length ? bytes : undefined;
}
