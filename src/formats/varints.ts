import { type BloomError, damaged } from '../errors.ts';

/** Reads numbers and bytes in order, in the encoding of Thrift and Protocol Buffers. */
export interface Varints {
  /** Bytes read so far. */
  readonly position: number;
  readonly isAtEnd: boolean;
  byte(): number;
  /** A number in groups of 7 bits, lowest group first. */
  varint(): bigint;
  /** The next bytes, as a view of the input. */
  bytes(length: bigint): Uint8Array;
  /** Requires at least this many more bytes. */
  require(length: bigint): void;
  /** The error for malformed metadata. `what` is the verb phrase after "its metadata". */
  wrong(what: string): BloomError;
}

/** `whose` names the bytes in messages. The methods throw a `format` error if the bytes end early. */
export function createVarints(input: Uint8Array, whose: string): Varints {
  let position = 0;
  const wrong = (what: string) => damaged(whose, `its metadata ${what}`);
  const require = (length: bigint) => {
    if (length > input.length - position) throw wrong('states a length beyond its end');
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
