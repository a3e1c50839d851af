// The metadata of Parquet files against a model: random trees of columns, each with a type of parquet.thrift
// (https://github.com/apache/parquet-format), random row groups, and fields that nobody knows between them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../src/formats/parquet/columns.ts';
import { type ColumnChunk, readFooter } from '../../src/formats/parquet/footer.ts';
import type { LeafType, Logical } from '../../src/formats/parquet/schema.ts';
import { typeOf } from '../../src/formats/parquet/types.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { type Encodable, encodeStruct, type Fields } from '../reference/formats/thrift.ts';

const struct = (fields: Fields = {}): Encodable => ({ fields });
const units = (number: number): Fields => ({ 1: true, 2: struct({ [number]: struct() }) });
/** An i8 has one byte without a sign bit of its own. */
const byte = (value: number): Encodable => ({ type: 3, bytes: [value] });

/** Fields of a schema element, and their meaning: first the union of logical types, then the older numbers. */
const MEANINGS: readonly (readonly [fields: Fields, meaning: Logical | undefined])[] = [
  [{}, undefined],
  [{ 10: struct({ 1: struct() }) }, { name: 'string' }],
  [{ 10: struct({ 4: struct() }) }, { name: 'string' }],
  [{ 10: struct({ 5: struct({ 1: 3n, 2: 9n }) }) }, { name: 'decimal', scale: 3 }],
  [{ 10: struct({ 5: struct() }) }, { name: 'decimal', scale: 0 }],
  [{ 10: struct({ 6: struct() }) }, { name: 'date' }],
  [{ 10: struct({ 7: struct(units(1)) }) }, { name: 'time', unit: 'ms' }],
  [{ 10: struct({ 7: struct(units(2)) }) }, { name: 'time', unit: 'us' }],
  [{ 10: struct({ 7: struct(units(3)) }) }, { name: 'time', unit: 'ns' }],
  [{ 10: struct({ 8: struct(units(1)) }) }, { name: 'timestamp', unit: 'ms' }],
  [{ 10: struct({ 8: struct(units(2)) }) }, { name: 'timestamp', unit: 'us' }],
  [{ 10: struct({ 8: struct(units(3)) }) }, { name: 'timestamp', unit: 'ns' }],
  [{ 10: struct({ 8: struct(units(4)) }) }, { name: 'timestamp' }],
  [{ 10: struct({ 10: struct({ 1: byte(8), 2: true }) }) }, { name: 'integer', bits: 8, isSigned: true }],
  [{ 10: struct({ 10: struct({ 1: byte(16), 2: false }) }) }, { name: 'integer', bits: 16, isSigned: false }],
  [{ 10: struct({ 10: struct({ 1: byte(64), 2: true }) }) }, { name: 'integer', bits: 64, isSigned: true }],
  [{ 10: struct({ 10: struct({ 1: byte(0xf8) }) }) }, { name: 'integer', bits: -8, isSigned: true }],
  [{ 10: struct({ 10: struct() }) }, { name: 'integer', bits: 64, isSigned: true }],
  [{ 10: struct({ 12: struct() }) }, { name: 'string' }],
  [{ 10: struct({ 13: struct() }) }, { name: 'other' }],
  [{ 10: struct({ 14: struct() }) }, { name: 'uuid' }],
  [{ 10: struct({ 15: struct() }) }, { name: 'float16' }],
  [{ 10: struct({ 99: struct() }) }, undefined],
  // The union prevails.
  [{ 6: 0n, 10: struct({ 6: struct() }) }, { name: 'date' }],
  [{ 6: 0n }, { name: 'string' }],
  [{ 6: 1n }, undefined],
  [{ 6: 3n }, undefined],
  [{ 6: 4n }, { name: 'string' }],
  [
    { 6: 5n, 7: 2n },
    { name: 'decimal', scale: 2 },
  ],
  [{ 6: 5n }, { name: 'decimal', scale: 0 }],
  [{ 6: 6n }, { name: 'date' }],
  [{ 6: 7n }, { name: 'time', unit: 'ms' }],
  [{ 6: 8n }, { name: 'time', unit: 'us' }],
  [{ 6: 9n }, { name: 'timestamp', unit: 'ms' }],
  [{ 6: 10n }, { name: 'timestamp', unit: 'us' }],
  ...[8, 16, 32, 64].map((bits, i) => [{ 6: BigInt(11 + i) }, { name: 'integer', bits, isSigned: false }] as const),
  ...[8, 16, 32, 64].map((bits, i) => [{ 6: BigInt(15 + i) }, { name: 'integer', bits, isSigned: true }] as const),
  [{ 6: 19n }, { name: 'string' }],
  [{ 6: 20n }, { name: 'other' }],
  [{ 6: 21n }, { name: 'other' }],
  [{ 6: 22n }, undefined],
];

const PHYSICAL = ['boolean', 'int32', 'int64', 'int96', 'float', 'double', 'byte array', 'fixed'] as const;

/** Values of every type of the protocol, in fields that no program knows. */
const UNKNOWN: readonly Encodable[] = [
  true,
  false,
  byte(200),
  { type: 4, bytes: [0x81, 1] },
  { type: 5, bytes: [0x80, 0x80, 1] },
  { type: 7, bytes: [0, 0, 0, 0, 0, 0, 0, 0] },
  'text',
  [true, false, true],
  [1n, -1n],
  { type: 10, bytes: [0x23, 1, 2] },
  { type: 11, bytes: [0] },
  // Maps of two: from bytes to booleans, and from texts to structs.
  { type: 11, bytes: [2, 0x31, 0, 1, 0, 2] },
  { type: 11, bytes: [2, 0x8c, 2, 0x77, 0x77, 0x15, 2, 0, 0, 0] },
  struct({ 1: struct({ 2: [struct({ 3: false })] }) }),
  Array.from({ length: 20 }, () => [7n]),
];

/** Fields with unknown ones among them, in the order of their numbers. */
const withUnknown = (fields: Fields, unknown: readonly number[]): Fields => ({
  ...fields,
  ...Object.fromEntries(unknown.map((which, i) => [16 + 9 * i, UNKNOWN[which % UNKNOWN.length] ?? true])),
});

interface Column {
  readonly name: string;
  readonly physical: number;
  readonly length: number;
  readonly meaning: number;
}
interface Branch {
  readonly name: string;
  readonly children: readonly (Column | Branch)[];
}

const name = fc.string({ minLength: 1, maxLength: 3 });
const { tree } = fc.letrec<{ tree: Column | Branch; branch: Branch; column: Column }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, tie('column'), tie('branch')),
  branch: fc.record({ name, children: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
  column: fc.record({
    name,
    physical: fc.nat(7),
    length: fc.nat(40),
    meaning: fc.nat(MEANINGS.length - 1),
  }),
}));

const most = BigInt(Number.MAX_SAFE_INTEGER);
const count = fc.oneof(fc.bigInt(0n, most), fc.constantFrom(0n, 1n, most));
const offset = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
interface Chunk {
  readonly path: readonly string[];
  readonly values: bigint;
  readonly nulls: bigint | null;
  readonly offset: bigint | null;
  readonly bytes: bigint | null;
  readonly isEncrypted: boolean;
}

const chunk: fc.Arbitrary<Chunk> = fc.record({
  path: fc.array(name, { minLength: 1, maxLength: 3 }),
  values: count,
  nulls: fc.option(count),
  offset: fc.option(offset),
  bytes: fc.option(offset),
  isEncrypted: fc.boolean(),
});

interface Elements {
  readonly elements: readonly Encodable[];
  readonly leaves: readonly (readonly [path: string, leaf: LeafType])[];
}

/** The elements of a tree, each before its children, and the leaves by their paths. */
function elementsOf(node: Column | Branch, path: string, unknown: readonly number[]): Elements {
  if ('children' in node) {
    const below = node.children.map((child) => elementsOf(child, `${path}${node.name}.`, unknown));
    const own = withUnknown({ 3: 1n, 4: node.name, 5: BigInt(node.children.length) }, unknown);
    return {
      elements: [struct(own), ...below.flatMap((one) => one.elements)],
      leaves: below.flatMap((one) => one.leaves),
    };
  }
  const [fields, logical] = MEANINGS[node.meaning] ?? [{}, undefined];
  const stated = node.length === 0 ? {} : { 2: BigInt(node.length) };
  const own = { 1: BigInt(node.physical), ...stated, 3: 0n, 4: node.name, ...fields };
  const leaf = { physical: PHYSICAL[node.physical], length: node.length, logical };
  return { elements: [struct(withUnknown(own, unknown))], leaves: [[`${path}${node.name}`, leaf] as const] };
}

function chunkFields({ path, values, nulls, offset, bytes, isEncrypted }: Chunk, unknown: readonly number[]) {
  const metadata: Fields = {
    1: 6n,
    3: path,
    5: values,
    ...(nulls === null ? {} : { 12: struct({ 2: 'z', 3: nulls }) }),
    ...(offset === null ? {} : { 14: offset }),
    ...(bytes === null ? {} : { 15: bytes }),
  };
  const crypto = { 8: struct({ 2: struct({ 1: ['not', 'this'] }) }) };
  return struct(withUnknown({ 1: '', 2: 4n, 3: struct(metadata), ...(isEncrypted ? crypto : {}) }, unknown));
}

test('the metadata is what the model says', () => {
  const unknown = fc.array(fc.nat(UNKNOWN.length - 1), { maxLength: 4 });
  const property = fc.property(
    fc.array(tree, { maxLength: 4 }),
    fc.array(fc.array(chunk, { maxLength: 3 }), { maxLength: 3 }),
    fc.dictionary(name, fc.string()),
    fc.string(),
    unknown,
    (trees, groups, properties, createdBy, others) => {
      const nodes = trees.map((node) => elementsOf(node, '', others));
      const root = struct({ 4: 'root', ...(trees.length > 0 && { 5: BigInt(trees.length) }) });
      const footer: Fields = {
        1: 2n,
        2: [root, ...nodes.flatMap(({ elements }) => elements)],
        3: 5n,
        4: groups.map((chunks) =>
          struct(withUnknown({ 1: chunks.map((one) => chunkFields(one, others)), 2: 1n }, others)),
        ),
        5: Object.entries(properties).map(([key, value]) => struct({ 1: key, 2: value })),
        6: createdBy,
      };
      const read = readFooter(Uint8Array.from(encodeStruct(withUnknown(footer, others))), 'x');
      const expected = groups.map((chunks) =>
        chunks.map(
          ({ path, values, nulls, offset, bytes, isEncrypted }): ColumnChunk => ({
            name: path.join('.'),
            filter: offset === null ? undefined : { offset, bytes: bytes ?? undefined },
            isEncrypted,
            values: Number(values),
            nulls: nulls === null ? undefined : Number(nulls),
          }),
        ),
      );
      expect(read.rowGroups).toEqual(expected);
      const leaves = new Map(nodes.flatMap((one) => one.leaves));
      expect([...read.types.keys()].sort()).toEqual([...leaves.keys()].sort());
      for (const [path, { physical, length, logical }] of leaves)
        expect(read.types.get(path)).toMatchObject({ physical, length, logical });
      expect(Object.fromEntries(read.properties)).toEqual(properties);
      expect(read.createdBy).toBe(createdBy);
    },
  );
  fc.assert(property, { numRuns: inLongRuns(600, 60) });
});

test('a column whose metadata is encrypted has the path beside its key', () => {
  const crypto = struct({ 2: struct({ 1: ['a', 'b'], 2: 'key' }) });
  const footer = { 2: [struct({ 4: 'root' })], 4: [struct({ 1: [struct({ 8: crypto })] })] };
  expect(readFooter(Uint8Array.from(encodeStruct(footer)), 'x').rowGroups).toEqual([
    [{ name: 'a.b', filter: undefined, isEncrypted: true, values: 0, nulls: undefined }],
  ]);
});

describe('metadata is refused', () => {
  const root = struct({ 4: 'root', 5: 1n });
  const leaf = struct({ 1: 1n, 4: 'a' });
  const groups = (fields: Fields): Fields => ({ 2: [root, leaf], 4: [struct({ 1: [struct(fields)] })] });
  const nested = (levels: number): Fields => ({ 2: [...Array.from({ length: levels }, () => root), leaf] });
  /** A branch with a name of 1,022 bytes and 1,023 columns. All paths together have 2^20 - 3 bytes and the last name. */
  const long = (last: string): Fields => {
    const branch = struct({ 4: 'b'.repeat(1022), 5: 1023n });
    return { 2: [root, branch, ...Array.from({ length: 1022 }, () => leaf), struct({ 1: 1n, 4: last })] };
  };
  test.each<[string, Fields, string]>([
    ['of columns in other files', groups({ 1: 'other', 3: struct({ 3: ['a'] }) }), 'x has its columns in other files'],
    ['of less than no values', groups({ 3: struct({ 3: ['a'], 5: -1n }) }), 'states an impossible number, -1'],
    [
      'of 2^53 values',
      groups({ 3: struct({ 3: ['a'], 5: 2n ** 53n }) }),
      'states an impossible number, 9007199254740992',
    ],
    [
      'of less than no nulls',
      groups({ 3: struct({ 3: ['a'], 12: struct({ 3: -1n }) }) }),
      'states an impossible number, -1',
    ],
    ['of a column without a name', groups({ 3: struct() }), 'its metadata has a column without a name'],
    ['of two trees', { 2: [root, leaf, leaf] }, 'its schema is not a tree'],
    ['of two roots', { 2: [struct({ 4: 'root' }), leaf] }, 'its schema is not a tree'],
    ['of an element without a name', { 2: [struct({ 5: 0n })] }, 'its schema has a column without a name'],
    ['of half a tree', { 2: [root] }, 'its schema is not a tree'],
    [
      'with a number for true',
      { 2: [struct({ 4: 'a', 10: struct({ 10: struct({ 2: 1n }) }) })] },
      'of type 6 instead of true or false',
    ],
    ['with true for a number', { 2: [struct({ 4: 'a', 5: true })] }, 'of type 1 instead of a number'],
    [
      'with a double for a number',
      { 2: [struct({ 4: 'a', 5: { type: 7, bytes: [0] } })] },
      'of type 7 instead of a number',
    ],
    ['with a number for a text', { 6: 1n }, 'of type 6 instead of bytes'],
    ['with a text for a struct', { 2: ['a'] }, 'of type 8 instead of a struct'],
    ['with 101 levels', nested(101), 'its schema is nested too deeply'],
    ['with paths of 2^20 + 1 bytes', long('cccc'), 'the names of its schema are too long'],
  ])('%s', (_, fields, message) => {
    expect(() => readFooter(Uint8Array.from(encodeStruct(fields)), 'x')).toThrow(message);
  });

  test('and accepted with paths of 2^20 bytes', () => {
    expect(readFooter(Uint8Array.from(encodeStruct(long('ccc'))), 'x').types.size).toBe(2);
  });

  test.runIf(IS_LONG)('and accepted with 2^21 entries, not with more', () => {
    const entries = (count: number) => {
      const groups = Uint8Array.from([
        0xfc,
        ...[0, 7, 14, 21].map((shift) => ((count >> shift) & 127) | (shift < 21 ? 128 : 0)),
      ]);
      return Buffer.concat([Uint8Array.of(0x49), groups, new Uint8Array(count + 1)]);
    };
    expect(readFooter(entries(2 ** 21), 'x').rowGroups).toHaveLength(2 ** 21);
    expect(() => readFooter(entries(2 ** 21 + 1), 'x')).toThrow('x has too many columns in row groups');
  });

  test.each([
    ['structs that nobody knows', 58, (within: Encodable) => struct({ 3: within })],
    ['lists that nobody knows', 58, (within: Encodable) => [within]],
  ])('if the unit of a time has %s, %d in each other, and one less is accepted', (_, most, around) => {
    const nested = (levels: number): Encodable => (levels === 0 ? around(1n) : around(nested(levels - 1)));
    const time = (levels: number): Fields => {
      const unit = struct({ 1: struct({ 16: nested(levels) }) });
      return { 2: [struct({ 4: 'root', 10: struct({ 7: struct({ 2: unit }) }) })] };
    };
    const refused = (levels: number) => {
      try {
        return readFooter(Uint8Array.from(encodeStruct(time(levels))), 'x').createdBy;
      } catch (error) {
        return String(error);
      }
    };
    expect([refused(most - 1), refused(most)]).toEqual([
      '',
      'BloomError: x is damaged: its metadata is nested too deeply',
    ]);
  });

  test('and accepted with 100 levels', () => {
    const { types } = readFooter(Uint8Array.from(encodeStruct(nested(100))), 'x');
    expect([...types.keys()]).toEqual([`${'root.'.repeat(99)}a`]);
  });
});

describe('the filter of a column', () => {
  const header = (bytes: bigint, fields: Fields = {}) => Uint8Array.from(encodeStruct({ 1: bytes, ...fields }));
  const BLOCK = header(32n);
  /** The end of a file with these bytes before, where the metadata states one filter. */
  const found = (before: Uint8Array, offset: bigint, length?: bigint, column = 'a') => {
    const filter: Fields = { 3: [column], 5: 9n, 14: offset, ...(length !== undefined && { 15: length }) };
    const group = struct({ 1: [struct({ 3: struct(filter) })] });
    const schema = [struct({ 4: 'root', 5: 1n }), struct({ 1: 1n, 4: 'a' })];
    const file = {
      ...{ size: before.length, file: undefined },
      read: (position: number, bytes: number) => before.subarray(position, position + bytes),
    };
    const [one] = columnsOf(readFooter(Uint8Array.from(encodeStruct({ 2: schema, 4: [group] })), 'x'), file, 'x');
    return one?.find().map(({ bits, bytes, part }) => [bits, bytes, part?.label, part?.values]);
  };
  const whole = Buffer.concat([new Uint8Array(7), BLOCK, new Uint8Array(32)]);
  const bits = 7 + BLOCK.length;

  test('is where the metadata states it', () => {
    expect(found(whole, 7n)).toEqual([[bits, 32, 'row group 0', 9]]);
    expect(found(whole, 7n, BigInt(BLOCK.length + 32))).toEqual([[bits, 32, 'row group 0', 9]]);
    expect(found(Buffer.concat([whole, new Uint8Array(9)]), 7n, 99n)).toEqual([[bits, 32, 'row group 0', 9]]);
  });

  const end = BigInt(whole.length);
  const wrong = 'x: the filter of a in row group 0 is damaged: ';
  test.each<[string, bigint, bigint | undefined, Uint8Array, string]>([
    ['before the file', -1n, undefined, whole, `${wrong}it should begin at byte -1, and the file has ${end} bytes`],
    ['after the file', end, undefined, whole, `${wrong}it should begin at byte ${end}, and the file has ${end} bytes`],
    [
      'at its last byte',
      end - 1n,
      undefined,
      Buffer.concat([whole.subarray(1), Uint8Array.of(0)]),
      'an impossible number',
    ],
    [
      'with a byte too few',
      7n,
      undefined,
      whole.subarray(0, -1),
      `${wrong}its header states 32 bytes, and the file has ${end - 1n}`,
    ],
    [
      'longer than the metadata states',
      7n,
      BigInt(BLOCK.length + 31),
      whole,
      `${wrong}it has ${BLOCK.length + 32} bytes, and the metadata states ${BLOCK.length + 31}`,
    ],
    ...[
      [0n, 'an impossible number of bytes, 0'],
      [-32n, 'an impossible number of bytes, -32'],
      [33n, 'an impossible number of bytes, 33'],
      [2n ** 53n, 'an impossible number of bytes, 9007199254740992'],
    ].map(([bytes, message]): [string, bigint, undefined, Uint8Array, string] => [
      `of ${bytes} bytes`,
      0n,
      undefined,
      Buffer.concat([header(bytes as bigint), new Uint8Array(64)]),
      `${message}`,
    ]),
    ...([2, 16] as const).flatMap((later) =>
      (['algorithm', 'hash', 'compression'] as const).map(
        (what, i): [string, bigint, undefined, Uint8Array, string] => [
          `with ${what} ${later}`,
          0n,
          undefined,
          Buffer.concat([header(32n, { [2 + i]: struct({ [later]: struct() }) }), new Uint8Array(64)]),
          `has ${what} ${later}, which this bloom does not know`,
        ],
      ),
    ),
  ])('is refused %s', (_, offset, length, file, message) => {
    expect(() => found(file, offset, length)).toThrow(message);
  });

  test('is refused if the schema does not have the column', () => {
    expect(() => found(whole, 7n, undefined, 'b')).toThrow('x is damaged: its schema does not have the column b');
  });
});

describe('the records of a column', () => {
  const leaf = (physical: (typeof PHYSICAL)[number], logical?: Logical, length = 0) => ({ physical, logical, length });
  const integer = (bits: number, isSigned = true): Logical => ({ name: 'integer', bits, isSigned });
  test.each([
    ['boolean', leaf('boolean'), undefined, ['hex'], undefined],
    ['int32', leaf('int32'), 'int32', ['int32', 'hex'], 'int32le'],
    ['int64', leaf('int64'), 'int64', ['int64', 'hex'], 'int64le'],
    ['int8', leaf('int32', integer(8)), 'int8', ['int8', 'hex', 'int16', 'int32'], 'int8-in-32le'],
    ['int16', leaf('int32', integer(16)), 'int16', ['int16', 'hex', 'int32'], 'int16-in-32le'],
    ['int32', leaf('int32', integer(32)), 'int32', ['int32', 'hex'], 'int32le'],
    [
      'uint8',
      leaf('int32', integer(8, false)),
      'uint8',
      ['uint8', 'hex', 'uint16', 'uint32', 'int16', 'int32'],
      'uint8-in-32le',
    ],
    ['uint16', leaf('int32', integer(16, false)), 'uint16', ['uint16', 'hex', 'uint32', 'int32'], 'uint16-in-32le'],
    ['uint32', leaf('int32', integer(32, false)), 'uint32', ['uint32', 'hex'], 'uint32le'],
    ['int64', leaf('int64', integer(64)), 'int64', ['int64', 'hex'], 'int64le'],
    ['uint64', leaf('int64', integer(64, false)), 'uint64', ['uint64', 'hex'], 'uint64le'],
    ['int96', leaf('int96'), 'timestamp', ['timestamp', 'hex'], 'timestamp-96'],
    ['float', leaf('float'), 'float', ['float', 'hex'], 'float32le'],
    ['double', leaf('double'), 'double', ['double', 'hex'], 'float64le'],
    ['byte array', leaf('byte array'), 'text', ['text', 'hex'], undefined],
    ['string', leaf('byte array', { name: 'string' }), 'text', ['text', 'hex'], undefined],
    ['byte array', leaf('byte array', { name: 'other' }), undefined, ['hex'], undefined],
    ['fixed(9)', leaf('fixed', undefined, 9), 'hex', ['hex', 'text'], 'hex'],
    ['uuid', leaf('fixed', { name: 'uuid' }, 16), 'uuid', ['uuid', 'hex'], 'uuid'],
    ['uuid', leaf('fixed', { name: 'uuid' }, 15), undefined, ['hex'], undefined],
    ['float16', leaf('fixed', { name: 'float16' }, 2), undefined, ['hex'], undefined],
    ['fixed', leaf('fixed', { name: 'other' }, 12), undefined, ['hex'], undefined],
    ['date', leaf('int32', { name: 'date' }), 'date', ['date', 'hex', 'int32'], 'date32le'],
    ['date', leaf('int64', { name: 'date' }), undefined, ['hex'], undefined],
    ['time in ms', leaf('int32', { name: 'time', unit: 'ms' }), 'int32', ['int32', 'hex'], 'int32le'],
    ['time in us', leaf('int64', { name: 'time', unit: 'us' }), 'int64', ['int64', 'hex'], 'int64le'],
    [
      'timestamp in ms',
      leaf('int64', { name: 'timestamp', unit: 'ms' }),
      'timestamp',
      ['timestamp', 'hex', 'int64'],
      'timestamp-ms',
    ],
    [
      'timestamp in us',
      leaf('int64', { name: 'timestamp', unit: 'us' }),
      'timestamp',
      ['timestamp', 'hex', 'int64'],
      'timestamp-us',
    ],
    [
      'timestamp in ns',
      leaf('int64', { name: 'timestamp', unit: 'ns' }),
      'timestamp',
      ['timestamp', 'hex', 'int64'],
      'timestamp-ns',
    ],
    ['timestamp', leaf('int64', { name: 'timestamp' }), 'int64', ['int64', 'hex'], 'int64le'],
    [
      'decimal of scale 2 in int32',
      leaf('int32', { name: 'decimal', scale: 2 }),
      'decimal',
      ['decimal', 'hex'],
      'decimal',
    ],
    [
      'decimal of scale 64 in fixed',
      leaf('fixed', { name: 'decimal', scale: 64 }, 64),
      'decimal',
      ['decimal', 'hex'],
      'decimal',
    ],
    ['decimal of scale 65 in fixed', leaf('fixed', { name: 'decimal', scale: 65 }, 9), undefined, ['hex'], undefined],
    ['decimal of scale -1 in int64', leaf('int64', { name: 'decimal', scale: -1 }), undefined, ['hex'], undefined],
    ['decimal of scale 1 in fixed', leaf('fixed', { name: 'decimal', scale: 1 }, 65), undefined, ['hex'], undefined],
    ['decimal of scale 1 in fixed', leaf('fixed', { name: 'decimal', scale: 1 }), undefined, ['hex'], undefined],
    ['decimal of scale 0 in double', leaf('double', { name: 'decimal' }), undefined, ['hex'], undefined],
  ] as const)('of type %s: %o', (type, column, keyType, accepts, encoding) => {
    const found = typeOf(column, 'any writer');
    expect(found).toMatchObject({ type, accepts });
    expect([found.keyType, found.encoding]).toEqual([keyType, encoding]);
  });

  test.each(['parquetjs', 'Parquet.JS 1.2'])('are texts if %s wrote them, whatever their type', (writer) => {
    const number = typeOf(leaf('int64'), writer);
    expect(number).toMatchObject({ type: 'int64', keyType: 'text', accepts: ['text'], encoding: undefined });
    expect(number.remarks).toHaveLength(1);
    expect(typeOf(leaf('byte array'), writer).remarks).toBeUndefined();
  });
});
