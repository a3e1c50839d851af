// Stated key types for a column of a table. Each type is rejected, or finds every value like the type of the schema.

import { describe, expect, test } from 'vitest';
import { bloom } from '../../src/filters/bloom.ts';
import { openSelected } from '../../src/formats/columns.ts';
import { KEY_TYPE_NAMES, type KeyType, type KeyTypes } from '../../src/formats/key-types.ts';
import { ORC_KEYS } from '../../src/formats/orc/keys.ts';
import { orc } from '../../src/formats/orc/orc.ts';
import { leavesOf } from '../../src/formats/orc/types.ts';
import { PARQUET_KEYS } from '../../src/formats/parquet/keys.ts';
import { parquet } from '../../src/formats/parquet/parquet.ts';
import { type LeafType, PHYSICAL } from '../../src/formats/parquet/schema.ts';
import { typeOf } from '../../src/formats/parquet/types.ts';
import { encoded } from '../reference/encodings.ts';

/** Values of each type, as records: the least, the greatest and some between. */
const VALUES: Readonly<Partial<Record<KeyType, readonly string[]>>> = {
  text: ['', 'a', 'é', '12'],
  hex: ['00000000', 'ffffffff', '31323334'],
  int8: ['-128', '127', '0', '5'],
  int16: ['-32768', '32767', '300'],
  int32: ['-2147483648', '2147483647', '70000'],
  int64: ['-9223372036854775808', '9223372036854775807', '5000000000'],
  uint8: ['0', '255', '128'],
  uint16: ['0', '65535', '40000'],
  uint32: ['0', '4294967295', '3000000000'],
  uint64: ['0', '18446744073709551615'],
  float: ['0.1', '-1.5e10', '0'],
  double: ['0.1', '-1.5e300', '0'],
  uuid: ['00112233-4455-6677-8899-aabbccddeeff'],
};

/** The same value as a record of another type. */
function rewritten(value: string, from: KeyType, to: KeyType, bytes: Uint8Array): string {
  if (to === 'hex') return Buffer.from(bytes).toString('hex');
  if (to === 'text' && from === 'hex') return Buffer.from(value, 'hex').toString('latin1');
  return value;
}

const bytesBy = (types: KeyTypes, type: KeyType, record: string) => {
  const { encoding } = types[type] ?? {};
  const key = Buffer.from(record, type === 'text' ? 'latin1' : 'utf8');
  return encoding === undefined ? new Uint8Array(key) : encoded(encoding, key);
};

/** Expects that every accepted type hashes each value like the type of the schema. */
function expectAlike(types: KeyTypes, keyType: KeyType, accepts: readonly KeyType[]): void {
  for (const value of VALUES[keyType] ?? []) {
    const own = bytesBy(types, keyType, value) ?? new Uint8Array(0);
    for (const other of accepts) {
      const record = rewritten(value, keyType, other, own);
      expect(bytesBy(types, other, record), `${value} of ${keyType} as ${other}`).toEqual(own);
      expect(types[other]?.hash).toBe(types[keyType]?.hash);
    }
  }
}

const ORC_LEAVES = Array.from({ length: 20 }, (_, kind) => kind).flatMap((kind) =>
  leavesOf([{ kind, children: [], names: [], length: 10 }], [], 'x'),
);

describe('of columns of ORC', () => {
  test.each(ORC_LEAVES)('$type', ({ keyType, accepts }) => {
    if (keyType === undefined) expect(accepts).toEqual([]);
    else expectAlike(ORC_KEYS, keyType, accepts);
  });

  test('a boolean is refused with every type, as writers leave its filter empty', () => {
    const [leaf] = ORC_LEAVES;
    if (leaf === undefined) throw new Error('there is one');
    expect(leaf.type).toBe('boolean');
    const rules = { hash: leaf.hash, seed: 0n, ignoreCase: false, trim: false };
    const columns = [{ ...leaf, kind: bloom, rules, unfiltered: [], find: () => [] }];
    const bytes = { size: 0, file: undefined, read: () => new Uint8Array(0) };
    const table = { name: 'x', format: orc, bytes, columns, close: () => {} };
    for (const keyType of [undefined, ...KEY_TYPE_NAMES])
      expect(() => openSelected(table, { keyType }), keyType).toThrow(/cannot read values of its type, boolean/);
    expect(() => openSelected(table, {})).not.toThrow(/hex/);
  });
});

const integer = (bits: number, isSigned: boolean) => ({ name: 'integer', bits, isSigned }) as const;
const PARQUET_LEAVES: readonly LeafType[] = [
  ...PHYSICAL.map((physical) => ({ physical, length: 4, logical: undefined })),
  ...[8, 16, 32].flatMap((bits) =>
    [true, false].map((isSigned) => ({ physical: 'int32', length: 0, logical: integer(bits, isSigned) }) as const),
  ),
  { physical: 'int64', length: 0, logical: integer(64, false) },
  { physical: 'byte array', length: 0, logical: { name: 'string' } },
  { physical: 'fixed', length: 16, logical: { name: 'uuid' } },
];

describe('of columns of Parquet', () => {
  test.each(PARQUET_LEAVES)('$physical, $logical', (leaf) => {
    const { keyType, accepts } = typeOf(leaf, 'parquet-mr');
    if (keyType === undefined || keyType === 'timestamp') return;
    expect(accepts).toContain(keyType);
    expectAlike(PARQUET_KEYS, keyType, accepts);
  });

  test('a type that would not find the values is refused, and the error names the right types', () => {
    const { type, keyType, accepts } = typeOf({ physical: 'int32', length: 0, logical: undefined }, '');
    const rules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;
    const column = { name: 'n', type, keyType, accepts, kind: bloom, rules, isEncrypted: false, unfiltered: [] };
    const bytes = { size: 0, file: undefined, read: () => new Uint8Array(0) };
    const columns = [{ ...column, find: () => [] }];
    const table = { name: 'x', format: parquet, bytes, columns, close: () => {} };
    for (const stated of ['int64', 'text', 'double', 'uint32', 'date'] as const)
      expect(() => openSelected(table, { keyType: stated })).toThrow(
        `x has filters of n of type int32, and --key-type ${stated} would not find its values`,
      );
  });

  test('columns of parquetjs accept only text', () => {
    const { accepts } = typeOf({ physical: 'int32', length: 0, logical: undefined }, 'parquet.js');
    expect(accepts).toEqual(['text']);
  });
});
