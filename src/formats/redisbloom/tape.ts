import { damaged } from '../../errors.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { crc64 } from './crc64.ts';
import { COMPRESSED, INTEGER_BYTES, storedLength } from './lengths.ts';

/** The bytes of a database file in order. Each function throws a `format` error if the file ends early. */
export interface Tape {
  /** Bytes read so far. */
  position(): number;
  /** CRC-64 of the bytes read so far. */
  checksum(): bigint;
  byte(): number;
  take(count: number): Uint8Array;
  skip(count: number): void;
  whole(): bigint;
  /** A length or a count. Numbers above 2^53 are rounded, because no file has that many bytes. */
  length(): number;
  /** Skips a string, compressed or not. */
  skipString(): void;
}

/** Bytes that are read at once. */
const PIECE = 2 ** 18;

/** A tape at the beginning of a file. It keeps one piece of the file in memory. */
export function createTape(bytes: RandomAccess, name: string): Tape {
  let piece: Uint8Array = new Uint8Array(0);
  let from = 0;
  let next = 0;
  let sum = 0n;
  const ends = () => damaged(name, `it ends within its keys, after ${bytes.size} bytes`);
  const turn = () => {
    sum = crc64(piece, sum);
    from += piece.length;
    next = 0;
    piece = bytes.read(from, PIECE);
    if (piece.length === 0) throw ends();
  };
  const byte = () => {
    if (next === piece.length) turn();
    return piece[next++] ?? 0;
  };
  const skip = (count: number) => {
    if (count > bytes.size - from - next) throw ends();
    let left = count;
    for (; left > piece.length - next; turn()) left -= piece.length - next;
    next += left;
  };
  const whole = (first = byte()) => storedLength(first, byte, name);
  // Most lengths are short, and a file may have millions.
  const length = (first = byte()) => (first < 0x40 ? first : Number(whole(first)));
  return {
    position: () => from + next,
    checksum: () => crc64(piece.subarray(0, next), sum),
    byte,
    take(count) {
      if (count > bytes.size - from - next) throw ends();
      return Uint8Array.from({ length: count }, byte);
    },
    skip,
    whole: () => whole(),
    length: () => length(),
    skipString() {
      const first = byte();
      if (first === COMPRESSED) {
        const packed = length();
        length();
        skip(packed);
      } else skip(INTEGER_BYTES[first] ?? length(first));
    },
  };
}
