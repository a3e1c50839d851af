// Protocol Buffers (https://protobuf.dev/programming-guides/encoding): what is needed to read a message.

import { createVarints, type Varints } from './varints.ts';

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/** Callbacks for the fields of a message, by number. Other fields are skipped. */
export type ProtobufFields = Readonly<Record<number, (value: ProtobufValue) => void>>;

/** A value that was read. The methods throw a `format` error if the value has another type. */
export interface ProtobufValue {
  number(): bigint;
  /** Bytes of the input. A list of numbers of fixed size can be read as bytes too. */
  bytes(): Uint8Array;
  text(): string;
  /** One number, or a packed list of numbers. */
  numbers(): bigint[];
  message(fields: ProtobufFields): void;
}

/** Reads a message. `whose` names it in messages. Throws a `format` error if it is malformed. */
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
    if (bytes === undefined) throw varints.wrong('has a number instead of bytes');
    return bytes;
  };
  return {
    number() {
      if (number === undefined) throw varints.wrong('has bytes instead of a number');
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
      if (isOne) throw varints.wrong('has a number instead of a message');
      readMessage(requireBytes(), whose, fields);
    },
  };
}

function bytesOf(varints: Varints, wire: number): Uint8Array {
  if (wire === WIRE.bytes) return varints.bytes(varints.varint());
  if (wire === WIRE.fixed64) return varints.bytes(8n);
  if (wire === WIRE.fixed32) return varints.bytes(4n);
  throw varints.wrong(`has a value of the unknown type ${wire}`);
}
