// Thrift's compact protocol for whole values, after doc/specs/thrift-compact-protocol.md of Apache Thrift.

/** A struct by the ids of its fields; numbers are integers. */
export type ThriftStruct = ReadonlyMap<number, Thrift>;
export type Thrift = bigint | boolean | Uint8Array | readonly Thrift[] | ThriftStruct;

/** Reads a struct; returns it and the offset of its end. */
export function decodeStruct(bytes: Uint8Array, start: number): { struct: ThriftStruct; end: number } {
  let at = start;
  const byte = () => bytes[at++] ?? 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 127) << shift;
      if (next < 128) return value;
    }
  };
  const zigzag = () => {
    const value = varint();
    return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
  };
  const binary = () => {
    const length = Number(varint());
    at += length;
    return bytes.subarray(at - length, at);
  };
  const list = () => {
    const head = byte();
    const count = head >> 4 === 15 ? Number(varint()) : head >> 4;
    return Array.from({ length: count }, () => value(head & 15));
  };
  const value = (type: number): Thrift => {
    if (type === 1 || type === 2) return byte() === 1;
    if (type === 3) return BigInt(byte());
    if (type <= 6) return zigzag();
    if (type === 8) return binary();
    if (type === 9 || type === 10) return list();
    if (type === 12) return struct();
    throw new Error(`type ${type} is not expected`);
  };
  const struct = (): ThriftStruct => {
    const fields = new Map<number, Thrift>();
    for (let id = 0, head = byte(); head !== 0; head = byte()) {
      id = head >> 4 === 0 ? Number(zigzag()) : id + (head >> 4);
      const type = head & 15;
      fields.set(id, type <= 2 ? type === 1 : value(type));
    }
    return fields;
  };
  return { struct: struct(), end: at };
}

function varintBytes(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value % 128n) + 128, ...varintBytes(value / 128n)];
}

const zigzagBytes = (value: bigint) => varintBytes(value < 0n ? -2n * value - 1n : 2n * value);

/** A value whose type has no form of its own here: its type and its bytes in a list. A field of a boolean has no bytes. */
export interface Raw {
  readonly type: number;
  readonly bytes: readonly number[];
}

/** A struct by the ids of its fields, in order. Numbers become i64s. */
export type Fields = Readonly<Record<number, Encodable>>;
export type Encodable = bigint | boolean | string | Raw | readonly Encodable[] | { readonly fields: Fields };

function typeOf(value: Encodable): number {
  if (typeof value === 'bigint') return 6;
  if (typeof value === 'boolean') return value ? 1 : 2;
  if (typeof value === 'string') return 8;
  if ('type' in value) return value.type;
  return Array.isArray(value) ? 9 : 12;
}

function valueBytes(value: Encodable): readonly number[] {
  if (typeof value === 'bigint') return zigzagBytes(value);
  if (typeof value === 'boolean') return [value ? 1 : 2];
  if (typeof value === 'string') {
    const text = [...Buffer.from(value)];
    return [...varintBytes(BigInt(text.length)), ...text];
  }
  if ('type' in value) return value.bytes;
  if ('fields' in value) return encodeStruct(value.fields);
  const [first = 0n] = value;
  const head =
    value.length < 15
      ? [16 * value.length + typeOf(first)]
      : [0xf0 + typeOf(first), ...varintBytes(BigInt(value.length))];
  return [...head, ...value.flatMap(valueBytes)];
}

/** Ids in order need a byte less if they follow closely. Both forms are written. */
export function encodeStruct(fields: Fields): number[] {
  let last = 0;
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const [id, type] = [Number(key), typeOf(value)];
    const isShort = (last % 2 === 1 || id % 2 === 0) && id > last && id - last < 16;
    const head = isShort ? [16 * (id - last) + type] : [type, ...zigzagBytes(BigInt(id))];
    last = id;
    return [...head, ...(typeof value === 'boolean' ? [] : valueBytes(value))];
  });
  return [...entries, 0];
}
