// Protocol Buffers (https://protobuf.dev/programming-guides/encoding), as far as it takes to read a message.

import { createVarints, type Varints } from './varints.ts';

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/** What is made of a field of a message, by its number; others are passed over. */
export type ProtobufFields = Readonly<Record<number, (value: ProtobufValue) => void>>;

/** A value that was read. These throw a `format` error for one of another type. */
export interface ProtobufValue {
  number(): bigint;
  /** Bytes of the input; of a list of numbers of a fixed size also one of these. */
  bytes(): Uint8Array;
  text(): string;
  /** A number, or a list of them that lie one behind the other. */
  numbers(): bigint[];
  message(fields: ProtobufFields): void;
}

/** Reads a message; `whose` it is, for messages. Throws a `format` error for what is none. */
export function readMessage(bytes: Uint8Array, whose: string, fields: ProtobufFields): void {
  const varints = createVarints(bytes, whose);
  while (!varints.isAtEnd) {
    const tag = varints.varint();
    const field = fields[Number(tag >> 3n)];
    const value = readValue(varints, Number(tag & 7n), whose);
    field?.(value);
  }
}

function readValue(varints: Varints, wire: number, whose: string): ProtobufValue {
  const number = wire === WIRE.varint ? varints.varint() : undefined;
  const bytes = number === undefined ? bytesOf(varints, wire) : undefined;
  const isOne = wire !== WIRE.bytes;
  const requireBytes = (): Uint8Array => {
    if (bytes === undefined) throw varints.wrong('has a number where it should have bytes');
    return bytes;
  };
  return {
    number() {
      if (number === undefined) throw varints.wrong('has bytes where it should have a number');
      return number;
    },
    bytes: requireBytes,
    text: () => Buffer.from(requireBytes()).toString(),
    numbers() {
      if (number !== undefined) return [number];
      const list = createVarints(requireBytes(), whose);
      const numbers: bigint[] = [];
      while (!list.isAtEnd) numbers.push(list.varint());
      return numbers;
    },
    message(fields) {
      if (isOne) throw varints.wrong('has a number where it should have a message');
      readMessage(requireBytes(), whose, fields);
    },
  };
}

function bytesOf(varints: Varints, wire: number): Uint8Array {
  if (wire === WIRE.bytes) return varints.bytes(varints.varint());
  if (wire === WIRE.fixed64) return varints.bytes(8n);
  if (wire === WIRE.fixed32) return varints.bytes(4n);
  throw varints.wrong(`has a value of type ${wire}, which there is not`);
}
