// Thrift's compact protocol (doc/specs/thrift-compact-protocol.md of Apache Thrift), as far as it takes to read a struct.

import { createVarints, type Varints } from '../varints.ts';

/** Types of values; those from byte to i64 are whole numbers. */
const TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
};

/** Structs and lists in each other: Parquet has ten, and what is crafted must not fill up the stack. */
const DEPTH_LIMIT = 64;

/** What is made of a field of a struct, by its number; others are passed over. */
export type ThriftFields = Readonly<Record<number, (value: ThriftValue) => void>>;

/** A value that comes next: exactly one of these is called. They throw a `format` error for one of another type. */
export interface ThriftValue {
  /** A whole number of any width. */
  int(): bigint;
  /** True or false, of a field. */
  bool(): boolean;
  /** Bytes of the input. */
  bytes(): Uint8Array;
  text(): string;
  list(each: (value: ThriftValue) => void): void;
  struct(fields: ThriftFields): void;
}

/**
 * Reads the struct that some bytes begin with; returns how many it has. `whose` they are, for messages. Throws a `format` error
 * for what is none.
 */
export function readStruct(bytes: Uint8Array, whose: string, fields: ThriftFields): number {
  const varints = createVarints(bytes, whose);
  structOf(varints, 0, fields);
  return varints.position;
}

function structOf(varints: Varints, depth: number, fields: ThriftFields): void {
  requireDepth(varints, depth);
  for (let id = 0, head = varints.byte(); head !== TYPE.stop; head = varints.byte()) {
    id = head >> 4 === 0 ? Number(BigInt.asIntN(16, signed(varints))) : id + (head >> 4);
    const field = fields[id];
    // The type of a field that is true or false says which.
    if (field !== undefined) field(thriftValue(varints, depth, head & 15));
    else if ((head & 15) > TYPE.false) passOver(varints, depth, head & 15);
  }
}

/** Reads the elements of a list or a set. */
function listOf(varints: Varints, depth: number, each: (type: number) => void): void {
  requireDepth(varints, depth);
  const head = varints.byte();
  const count = head >> 4 === 15 ? varints.varint() : BigInt(head >> 4);
  // No element has no byte.
  varints.require(count);
  for (let i = 0; i < count; i++) each(head & 15);
}

function thriftValue(varints: Varints, depth: number, type: number): ThriftValue {
  const expect = (isOne: boolean, expected: string) => {
    if (!isOne) throw varints.wrong(`has a value of type ${type} where it should have ${expected}`);
  };
  const bytes = () => {
    expect(type === TYPE.binary, 'bytes');
    return varints.bytes(varints.varint());
  };
  return {
    int() {
      expect(type >= TYPE.byte && type <= TYPE.i64, 'a number');
      return type === TYPE.byte ? BigInt.asIntN(8, BigInt(varints.byte())) : signed(varints);
    },
    bool() {
      expect(type === TYPE.true || type === TYPE.false, 'true or false');
      return type === TYPE.true;
    },
    bytes,
    text: () => Buffer.from(bytes()).toString(),
    list(each) {
      expect(type === TYPE.list || type === TYPE.set, 'a list');
      listOf(varints, depth + 1, (of) => each(thriftValue(varints, depth + 1, of)));
    },
    struct(fields) {
      expect(type === TYPE.struct, 'a struct');
      structOf(varints, depth + 1, fields);
    },
  };
}

/** Passes over a value, which is no field that is true or false. */
function passOver(varints: Varints, depth: number, type: number): void {
  requireDepth(varints, depth);
  if (type >= TYPE.true && type <= TYPE.byte) varints.byte();
  else if (type > TYPE.byte && type <= TYPE.i64) varints.varint();
  else if (type === TYPE.double) varints.bytes(8n);
  else if (type === TYPE.binary) varints.bytes(varints.varint());
  else if (type === TYPE.list || type === TYPE.set)
    listOf(varints, depth + 1, (of) => passOver(varints, depth + 1, of));
  else if (type === TYPE.map) passOverMap(varints, depth + 1);
  else if (type === TYPE.struct) structOf(varints, depth + 1, {});
  else throw varints.wrong(`has a value of type ${type}, which there is not`);
}

function passOverMap(varints: Varints, depth: number): void {
  const count = varints.varint();
  varints.require(count);
  if (count === 0n) return;
  const types = varints.byte();
  for (let i = 0; i < count; i++) {
    passOver(varints, depth, types >> 4);
    passOver(varints, depth, types & 15);
  }
}

function requireDepth(varints: Varints, depth: number): void {
  if (depth > DEPTH_LIMIT) throw varints.wrong('is nested too deeply');
}

/** A number whose lowest bit is its sign. */
function signed(varints: Varints): bigint {
  const value = varints.varint();
  return (value >> 1n) ^ -(value & 1n);
}
