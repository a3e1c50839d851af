import { createVarints } from '../varints.ts';

/** The fields of a message of Protocol Buffers, by their numbers. */
export interface HBaseFields {
  has(field: number): boolean;
  /** A number; the last, where there are several. */
  number(field: number): bigint | undefined;
  /** Bytes, which are a text or another message. */
  all(field: number): readonly Uint8Array[];
}

/** Wire types: a varint, 8 bytes, bytes with their length, 4 bytes. */
const VARINT = 0n;
const LONG = 1n;
const BYTES = 2n;
const SHORT = 5n;

/** Reads the fields of a message; `whose` it is, for messages. Throws a `format` error for what is none. */
export function fieldsOf(message: Uint8Array, whose: string): HBaseFields {
  const input = createVarints(message, whose);
  const numbers = new Map<number, bigint>();
  const texts = new Map<number, Uint8Array[]>();
  while (!input.isAtEnd) {
    const tag = input.varint();
    const field = Number(tag >> 3n);
    const type = tag & 7n;
    if (type === VARINT) numbers.set(field, input.varint());
    else if (type === LONG) input.bytes(8n);
    else if (type === SHORT) input.bytes(4n);
    else if (type === BYTES) texts.set(field, [...(texts.get(field) ?? []), input.bytes(input.varint())]);
    else throw input.wrong(`has a field of a type that there is not, ${type}`);
  }
  return {
    has: (field) => numbers.has(field) || texts.has(field),
    number: (field) => numbers.get(field),
    all: (field) => texts.get(field) ?? [],
  };
}
