import { type BloomError, damaged } from '../errors.ts';

/** Reads numbers and bytes one after the other, as the encodings of Thrift and of Protocol Buffers have them. */
export interface Varints {
  /** Bytes that were read. */
  readonly position: number;
  readonly isAtEnd: boolean;
  byte(): number;
  /** A number in groups of 7 bits, the lowest first. */
  varint(): bigint;
  /** So many bytes, which are those of the input. */
  bytes(length: bigint): Uint8Array;
  /** Something takes so many bytes at least: there are as many. */
  require(length: bigint): void;
  /** The error for what the metadata does that it should not. */
  wrong(what: string): BloomError;
}

/** `whose` are the bytes, for messages. They throw a `format` error where the bytes end before. */
export function createVarints(input: Uint8Array, whose: string): Varints {
  let position = 0;
  const wrong = (what: string) => damaged(whose, `its metadata ${what}`);
  const require = (length: bigint) => {
    if (length > input.length - position) throw wrong('promises more than it has');
  };
  const byte = (): number => {
    const value = input[position++];
    if (value === undefined) throw wrong('ends early');
    return value;
  };
  return {
    get position() {
      return position;
    },
    get isAtEnd() {
      return position >= input.length;
    },
    byte,
    varint() {
      const first = byte();
      if (first < 128) return BigInt(first);
      let value = BigInt(first & 127);
      for (let shift = 7n; shift < 70n; shift += 7n) {
        const next = byte();
        value |= BigInt(next & 127) << shift;
        if (next < 128) return BigInt.asUintN(64, value);
      }
      throw wrong('has a number of more than 64 bits');
    },
    bytes(length) {
      require(length);
      position += Number(length);
      return input.subarray(position - Number(length), position);
    },
    require,
    wrong,
  };
}
