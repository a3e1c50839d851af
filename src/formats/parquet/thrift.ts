// Thrift's compact protocol (doc/specs/thrift-compact-protocol.md of Apache Thrift), as far as a struct needs it.

import { createVarints, type Varints } from '../varints.ts';

/** Types of values. The types from byte to i64 are whole numbers. */
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

/** The largest depth of structs and lists. Parquet has ten levels, and crafted files must not overflow the stack. */
const DEPTH_LIMIT = 64;

/** Callbacks for the fields of a struct, by number. Other fields are skipped. */
export type ThriftFields = Readonly<Record<number, (value: ThriftValue) => void>>;

/**
 * The next value. Exactly one method must be called. The methods throw a `format` error if the value has another
 * type.
 */
export interface ThriftValue {
  /** A whole number of any width. */
  int(): bigint;
  /** A boolean in a field. */
  bool(): boolean;
  /** Bytes of the input. */
  bytes(): Uint8Array;
  text(): string;
  list(each: (value: ThriftValue) => void): void;
  struct(fields: ThriftFields): void;
}

/**
 * Reads the struct at the start of some bytes, and returns its length. `whose` names the bytes in messages. Throws a
 * `format` error if it is malformed.
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
    // The type of a boolean field contains its value.
    if (field !== undefined) field(thriftValue(varints, depth, head & 15));
    else if ((head & 15) > TYPE.false) passOver(varints, depth, head & 15);
  }
}

/** Reads the elements of a list or a set. */
function listOf(varints: Varints, depth: number, each: (type: number) => void): void {
  requireDepth(varints, depth);
  const head = varints.byte();
  const count = head >> 4 === 15 ? varints.varint() : BigInt(head >> 4);
  // Every element has at least one byte.
  varints.require(count);
  for (let i = 0; i < count; i++) each(head & 15);
}

function thriftValue(varints: Varints, depth: number, type: number): ThriftValue {
  const expect = (isOne: boolean, expected: string) => {
    if (!isOne) throw varints.wrong(`has a value of type ${type} instead of ${expected}`);
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

/** Skips a value that is not a boolean field. */
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
  else throw varints.wrong(`has a value of the unknown type ${type}`);
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
