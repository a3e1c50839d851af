// The metadata of ORC files against a model: random trees of columns, stripes, and fields that nobody knows between them, after
// orc_proto.proto (https://github.com/apache/orc-format). The tail is compressed in chunks as its specification says.

import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionsOf } from '../../src/formats/orc/compression.ts';
import { columnsOf } from '../../src/formats/orc/filters.ts';
import { readFooter } from '../../src/formats/orc/footer.ts';
import { leavesOf } from '../../src/formats/orc/types.ts';
import { inLongRuns } from '../long.ts';
import { message } from '../reference/formats/orc.ts';
import { varint } from '../reference/formats/table.ts';

type Part = readonly [id: number, value: number | Uint8Array | string] | Uint8Array;

/** A message of fields and of bytes that are fields already. */
const all = (...parts: readonly Part[]) =>
  Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : message(part))));

const tag = (id: number, wire: number) => varint(8 * id + wire);

/** Fields that nobody knows, of each wire type. */
const UNKNOWN: readonly Uint8Array[] = [
  Buffer.concat([tag(20, 0), Uint8Array.of(0x80, 0x80, 1)]),
  Buffer.concat([tag(21, 1), new Uint8Array(8).fill(9)]),
  Buffer.concat([tag(22, 2), Uint8Array.of(3, 8, 1, 8)]),
  Buffer.concat([tag(3000, 5), new Uint8Array(4).fill(255)]),
];

/** A section in chunks, whose headers have 3 bytes: twice the length, and 1 if the chunk is not compressed. */
function chunked(bytes: Uint8Array, size: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = 0, isOriginal = false; at < bytes.length; at += size, isOriginal = !isOriginal) {
    const piece = bytes.subarray(at, at + size);
    const stored = isOriginal ? piece : deflateRawSync(piece);
    const header = 2 * stored.length + Number(isOriginal);
    chunks.push(Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), stored);
  }
  return Buffer.concat(chunks);
}

interface Tail {
  readonly footer: Uint8Array;
  readonly compression?: number;
  readonly chunkSize?: number;
  readonly before?: number;
  readonly footerBytes?: number;
}

/** The bytes of a file: what is before the footer, the footer, the postscript and its length. */
function fileOf({ footer, compression = 0, chunkSize = 0, before = 3, footerBytes = footer.length }: Tail): Uint8Array {
  const postscript = all([1, footerBytes], [2, compression], [3, chunkSize], UNKNOWN[2] ?? [20, 0], [8000, 'ORC']);
  return Buffer.concat([new Uint8Array(before), footer, postscript, Uint8Array.of(postscript.length)]);
}

/** Bytes in memory as a file. */
const inMemory = (bytes: Uint8Array) => ({
  size: bytes.length,
  file: undefined,
  read: (position: number, length: number) => bytes.subarray(position, position + length),
});

/** Reads the footer from bytes in memory. */
const read = (bytes: Uint8Array) => readFooter(inMemory(bytes), 'x');

const number = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 127, 128, 2 ** 31, 2 ** 40));

const type = fc.record({
  kind: fc.nat(20),
  children: fc.array(fc.nat(300), { maxLength: 3 }),
  names: fc.array(fc.string(), { maxLength: 3 }),
  length: number,
  isPacked: fc.boolean(),
});

const stripe = fc.record({
  gap: fc.nat(9),
  indexBytes: fc.nat(1000),
  dataBytes: fc.nat(1000),
  footerBytes: fc.nat(1000),
  rows: number,
});

const compressed = fc.option(fc.integer({ min: 1, max: 200 }));

test('the metadata is what the model says', async () => {
  const property = fc.asyncProperty(
    fc.array(type, { maxLength: 4 }),
    fc.array(stripe, { maxLength: 3 }),
    number,
    fc.array(fc.nat(500), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string()),
    fc.array(fc.constantFrom(...UNKNOWN), { maxLength: 3 }),
    compressed,
    async (types, spans, stride, encrypted, properties, unknown, chunkSize) => {
      let end = 0;
      const stripes = spans.map(({ gap, ...bytes }) => {
        const offset = end + gap;
        end = offset + bytes.indexBytes + bytes.dataBytes + bytes.footerBytes;
        return { offset, ...bytes };
      });
      const footer = all(
        ...unknown,
        ...stripes.map(({ offset, indexBytes, dataBytes, footerBytes, rows }): Part => {
          return [3, all([1, offset], [2, indexBytes], [3, dataBytes], ...unknown, [4, footerBytes], [5, rows])];
        }),
        ...types.map(({ kind, children, names, length, isPacked }): Part => {
          const packed: Part = [2, Buffer.concat(children.map(varint))];
          const below = isPacked ? [packed] : children.map((child): Part => [2, child]);
          return [4, all([1, kind], ...below, ...names.map((name): Part => [3, name]), [4, length], ...unknown)];
        }),
        ...Object.entries(properties).map(([key, value]): Part => [5, all([1, key], [2, value])]),
        [6, 1],
        [8, stride],
        [10, all([1, 5], ...encrypted.map((root): Part => [3, all([1, root], [2, 7])]), ...unknown)],
      );
      const isCompressed = chunkSize !== null;
      const stored = isCompressed ? chunked(footer, chunkSize) : footer;
      const file = fileOf({ footer: stored, before: end, ...(isCompressed && { compression: 1, chunkSize }) });
      const { sections, ...found } = await read(file);
      expect({ ...found, properties: Object.fromEntries(found.properties) }).toEqual({
        types: types.map(({ kind, children, names, length }) => ({ kind, children, names, length })),
        stripes,
        stride,
        encrypted,
        properties,
      });
    },
  );
  await fc.assert(property, { numRuns: inLongRuns(600, 60) });
});

describe('metadata is refused', () => {
  const stripe = (...parts: readonly Part[]) => ({ footer: all([3, all(...parts)]) });
  const zlib = (footer: Uint8Array, chunkSize = 99): Tail => ({ footer, chunkSize, compression: 1 });
  test.each<[string, Tail, string]>([
    ['longer than the file', { footer: new Uint8Array(), footerBytes: 4 }, 'and its footer would have 4'],
    ['of a stripe past its end', stripe([1, 3], [2, 1]), 'an impossible stripe, from byte 3 to 4'],
    ['of 2^53 rows', stripe([5, 2 ** 53]), 'an impossible stripe, from byte 0 to 0'],
    ['with a text for a number', { footer: all([8, 'x']) }, 'has bytes instead of a number'],
    ['with a number for a text', { footer: all([5, all([1, 7])]) }, 'has a number instead of bytes'],
    ['with a number for a message', { footer: all([4, 7]) }, 'has a number instead of a message'],
    ['in a chunk without an end', zlib(Uint8Array.of(7, 0, 0, 1, 2)), 'it ends within a chunk'],
    ['in a chunk with a byte of a header', zlib(Uint8Array.of(1, 0, 0, 0)), 'it ends within a chunk'],
    ['in a chunk with two bytes of a header', zlib(Uint8Array.of(1, 0, 0, 0, 0)), 'it ends within a chunk'],
    ['that does not decompress', zlib(Uint8Array.of(2, 0, 0, 255)), 'it cannot be decompressed: '],
    ['of a chunk larger than it says', zlib(chunked(new Uint8Array(9), 9), 8), 'it cannot be decompressed: '],
    ['in chunks of no bytes', zlib(new Uint8Array(), 0), 'an impossible chunk size, 0'],
    ['in chunks of more than 8 MiB', zlib(new Uint8Array(), 2 ** 23 + 1), 'an impossible chunk size, 8388609'],
    ['compressed with LZO', { footer: new Uint8Array(), compression: 3 }, 'x is compressed with LZO'],
    ['compressed with Brotli', { footer: new Uint8Array(), compression: 6 }, 'x is compressed with Brotli'],
    ['compressed with what comes', { footer: new Uint8Array(), compression: 7 }, 'x is compressed with method 7'],
  ])('%s', async (_, tail, message) => {
    await expect(read(fileOf(tail))).rejects.toThrow(message);
  });

  test('without a postscript, and with one that is longer than the file', async () => {
    await expect(read(new Uint8Array(9))).rejects.toThrow('its last byte is not the length of a postscript');
    await expect(read(Uint8Array.of(8, 0, 16, 0, 6))).rejects.toThrow('its last byte is not the length');
    await expect(read(Uint8Array.of(8, 0, 16, 0, 5))).rejects.toThrow('its last byte is not the length');
    expect((await read(Uint8Array.of(8, 0, 16, 0, 4))).types).toEqual([]);
  });

  test('and accepted with chunks of 8 MiB, rows of 2^53 - 1, and stripes up to its beginning', async () => {
    expect((await read(fileOf(zlib(new Uint8Array(), 2 ** 23)))).stripes).toEqual([]);
    const rows = Number.MAX_SAFE_INTEGER;
    expect((await read(fileOf(stripe([1, 1], [3, 2], [5, rows])))).stripes).toMatchObject([{ offset: 1, rows }]);
  });
});

describe('metadata that is too large', () => {
  test('is refused before it is read', async () => {
    const end = fileOf({ footer: new Uint8Array(), before: 0, footerBytes: 2 ** 27 + 1 });
    const file = { size: 2 ** 28, file: undefined, read: (_: number, length: number) => end.subarray(-length) };
    await expect(readFooter(file, 'x')).rejects.toThrow('x has 134217729 bytes of metadata, which is too large');
    const most = fileOf({ footer: new Uint8Array(), before: 0, footerBytes: 2 ** 27 });
    const read = (_: number, length: number) =>
      most.subarray(length <= 256 ? -length : 0, length <= 256 ? undefined : 0);
    expect((await readFooter({ ...file, read }, 'x')).types).toEqual([]);
  });

  // The chunks are stored as they are, and their bytes are never written, so that they need no memory.
  test('is refused if its chunks have more than 256 MiB together', async () => {
    const sections = await sectionsOf('x', 1, 2n ** 18n);
    const stored = 2 ** 23 - 1;
    const bytes = new Uint8Array(33 * (3 + stored));
    for (let i = 0; i < 33; i++) bytes.set([255, 255, 255], i * (3 + stored));
    expect(() => sections(bytes, 'x')).toThrow('x is too large for bloom when it is decompressed');
  });
});

/** A leaf of a kind, or a node with children; the numbers follow from the order. */
type Tree = number | { readonly kind: number; readonly below: readonly Tree[]; readonly names?: readonly string[] };

function nodesOf(
  tree: Tree,
  first = 0,
): { readonly kind: number; children: number[]; names: readonly string[]; length: number }[] {
  if (typeof tree === 'number') return [{ kind: tree, children: [], names: [], length: 0 }];
  const own = { kind: tree.kind, children: [] as number[], names: tree.names ?? [], length: 0 };
  const nodes = [own];
  for (const child of tree.below) {
    own.children.push(first + nodes.length);
    nodes.push(...nodesOf(child, first + nodes.length));
  }
  return nodes;
}

describe('the columns of a tree', () => {
  const struct = (names: string, ...below: readonly Tree[]): Tree => ({ kind: 12, names: names.split(''), below });

  test('have the names and the numbers of the ORC tools', () => {
    const list: Tree = { kind: 10, below: [struct('xy', 3, 4)] };
    const map: Tree = { kind: 11, below: [7, { kind: 13, below: [1, 2] }] };
    const tree = struct('abc', list, map, struct('d', 15));
    const found = leavesOf(nodesOf(tree), [6, 11], 'x').map(({ id, name, type, isFlat, isEncrypted }) => {
      return [id, name, type, isFlat, isEncrypted];
    });
    expect(found).toEqual([
      [3, 'a._elem.x', 'int', false, false],
      [4, 'a._elem.y', 'bigint', false, false],
      [6, 'b._key', 'string', false, true],
      [8, 'b._value.0', 'tinyint', false, false],
      [9, 'b._value.1', 'smallint', false, false],
      [11, 'c.d', 'date', true, true],
    ]);
    expect(leavesOf(nodesOf(struct('a', struct('bc', 1, 2))), [1], 'x').map((leaf) => leaf.isEncrypted)).toEqual([
      true,
      true,
    ]);
    expect(leavesOf([], [], 'x')).toEqual([]);
  });

  test.each<[string, number[][]]>([
    ['that leads back', [[0]]],
    ['that leaves a number out', [[2], [], []]],
    ['whose children are in another order', [[2, 1], [], []]],
    ['that leads to a node twice', [[1, 1], []]],
    ['that leads nowhere', [[1]]],
  ])('%s is refused', (_, children) => {
    const nodes = children.map((numbers) => ({ kind: 12, children: numbers, names: [], length: 0 }));
    expect(() => leavesOf(nodes, [], 'x')).toThrow('its schema is not a tree');
  });

  test('of 100 levels are accepted, and not of more', () => {
    const nested = (levels: number): Tree => (levels === 0 ? 3 : struct('a', nested(levels - 1)));
    expect(leavesOf(nodesOf(nested(100)), [], 'x')).toMatchObject([{ id: 100, name: 'a.'.repeat(99).concat('a') }]);
    expect(() => leavesOf(nodesOf(nested(101)), [], 'x')).toThrow('its schema is not a tree');
  });

  const INTEGERS = ['int8', 'int16', 'int32', 'int64'];
  test.each([
    [0, 'boolean', undefined, [], 'orc-murmur3', undefined],
    [1, 'tinyint', 'int8', INTEGERS, 'orc-wang', 'int8-in-64le'],
    [2, 'smallint', 'int16', INTEGERS.slice(1), 'orc-wang', 'int16-in-64le'],
    [3, 'int', 'int32', INTEGERS.slice(2), 'orc-wang', 'int32-in-64le'],
    [4, 'bigint', 'int64', ['int64'], 'orc-wang', 'int64le'],
    [5, 'float', 'float', ['float'], 'orc-wang', 'float32-in-64le'],
    [6, 'double', 'double', ['double'], 'orc-wang', 'float64le'],
    [7, 'string', 'text', ['text', 'hex'], 'orc-murmur3', undefined],
    [8, 'binary', 'text', ['text', 'hex'], 'orc-murmur3', undefined],
    [9, 'timestamp in ms', 'timestamp', ['timestamp', 'int64'], 'orc-wang', 'timestamp-ms'],
    [14, 'decimal', 'decimal', ['decimal'], 'orc-murmur3', 'decimal-text'],
    [15, 'date', 'date', ['date', 'int32', 'int64'], 'orc-wang', 'date64le'],
    [16, 'varchar', 'text', ['text', 'hex'], 'orc-murmur3', undefined],
    [17, 'char', undefined, [], 'orc-murmur3', undefined],
    [18, 'timestamp with time zone in ms', 'timestamp', ['timestamp', 'int64'], 'orc-wang', 'timestamp-ms'],
    [19, 'type 19', undefined, [], 'orc-murmur3', undefined],
  ])('of kind %d, %s', (kind, type, keyType, accepts, hash, encoding) => {
    const [leaf] = leavesOf([{ kind, children: [], names: [], length: 0 }], [], 'x');
    expect(leaf).toEqual({ id: 0, name: '', type, keyType, accepts, hash, encoding, isFlat: true, isEncrypted: false });
  });

  test.each([
    [1, 'char(1)'],
    [255, 'char(255)'],
    [256, 'char'],
  ])('of char, %d characters', (length, type) => {
    const [leaf] = leavesOf([{ kind: 17, children: [], names: [], length }], [], 'x');
    const isKnown = length <= 255;
    expect(leaf).toMatchObject({ type, keyType: isKnown ? 'text' : undefined, accepts: isKnown ? ['text'] : [] });
    expect(leaf?.encodingParameters).toEqual(isKnown ? [BigInt(length)] : undefined);
    expect(leaf?.encoding).toBe(isKnown ? 'char' : undefined);
  });
});

describe('the filters of the columns', () => {
  const ROW_INDEX = 6;
  const OLD = 7;
  const UTF8 = 8;
  /** The streams of a stripe: of a kind, for a column of the schema, whose numbers begin with 1. */
  const stream = fc.record({ kind: fc.constantFrom(ROW_INDEX, OLD, UTF8), column: fc.nat(4) });
  const stripe = fc.record({
    rows: fc.nat(25),
    streams: fc.uniqueArray(stream, { selector: ({ kind, column }) => `${kind} ${column}`, maxLength: 8 }),
    dataBytes: fc.nat(9),
    gap: fc.nat(3),
  });
  /** The bits of a filter tell from which stripe, column, kind and row group it is. */
  const bitsOf = (...from: readonly number[]) => Uint8Array.from([...from, 0, 0, 0, 0].slice(0, 8));

  test('are those of each stripe, the newer kind before the older', async () => {
    const property = fc.asyncProperty(
      fc.array(stripe, { maxLength: 4 }),
      fc.integer({ min: 1, max: 10 }),
      compressed,
      async (stripes, stride, chunkSize) => {
        const stored = (section: Uint8Array) => (chunkSize === null ? section : chunked(section, chunkSize));
        const groupsOf = (rows: number) => Array.from({ length: Math.ceil(rows / stride) }, (_, group) => group);
        const parts: Uint8Array[] = [];
        let end = 0;
        const spans = stripes.map(({ rows, streams, dataBytes, gap }, i): Part => {
          const sections = streams.map(({ kind, column }) =>
            stored(
              all(
                ...groupsOf(rows).map((group): Part => {
                  const bits = bitsOf(i, column, kind, group);
                  // The words of the older kind may come one by one.
                  const words: Part = group % 2 === 0 ? [3, bits] : Buffer.concat([tag(2, 1), bits]);
                  return [1, all([1, kind], words)];
                }),
              ),
            ),
          );
          const footer = stored(
            all(
              ...streams.map(({ kind, column }, one): Part => {
                return [1, all([1, kind], [2, column], [3, sections[one]?.length ?? 0])];
              }),
            ),
          );
          const index = Buffer.concat(sections);
          parts.push(new Uint8Array(gap), index, new Uint8Array(dataBytes), footer);
          const offset = end + gap;
          end = offset + index.length + dataBytes + footer.length;
          return [3, all([1, offset], [2, index.length], [3, dataBytes], [4, footer.length], [5, rows])];
        });
        const types = nodesOf({ kind: 12, names: ['a', 'b', 'c'], below: [3, { kind: 10, below: [7] }, 4] });
        const schema = types.map(({ kind, children, names }): Part => {
          return [
            4,
            all([1, kind], ...children.map((child): Part => [2, child]), ...names.map((name): Part => [3, name])),
          ];
        });
        const tail = fileOf({
          footer: stored(all(...spans, ...schema, [8, stride])),
          before: 0,
          ...(chunkSize !== null && { compression: 1, chunkSize }),
        });
        const file = inMemory(Buffer.concat([...parts, tail]));
        const found = columnsOf(await readFooter(file, 'x'), file, 'x');

        const leaves = [
          [1, 'a', 'int', true],
          [3, 'b._elem', 'string', false],
          [4, 'c', 'bigint', true],
        ] as const;
        const chosen = (id: number, i: number) => {
          const kinds = stripes[i]?.streams.filter(({ column }) => column === id).map(({ kind }) => kind) ?? [];
          return kinds.includes(UTF8) ? UTF8 : kinds.includes(OLD) ? OLD : undefined;
        };
        const numbers = stripes.map((_, i) => i);
        const expected = leaves
          .filter(([id]) => numbers.some((i) => chosen(id, i) !== undefined))
          .map(([id, name, type, isFlat]) => ({
            ...{ name, type },
            unfiltered: numbers
              .filter((i) => (stripes[i]?.rows ?? 0) > 0 && chosen(id, i) === undefined)
              .map((i) => `stripe ${i}`),
            filters: numbers.flatMap((i) => {
              const [kind, rows] = [chosen(id, i), stripes[i]?.rows ?? 0];
              if (kind === undefined) return [];
              return groupsOf(rows).map((group) => ({
                ...{ k: kind, bits: 64, content: [...bitsOf(i, id, kind, group)] },
                label: `stripe ${i}, row group ${group}`,
                values: isFlat ? Math.min(stride, rows - group * stride) : undefined,
              }));
            }),
          }));
        const described = found.map(({ name, type, unfiltered, find }) => ({
          ...{ name, type, unfiltered },
          filters: find().map(({ shape, bits, part }) => ({
            ...{ k: shape.k, bits: shape.bits, content: typeof bits === 'number' ? [] : [...bits] },
            ...{ label: part?.label, values: part?.values },
          })),
        }));
        expect(described).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: inLongRuns(600, 60) });
  });

  /** A file with one column, whose stripes have one stream each. Each stripe has 10 rows, and a filter has 5. */
  const withStream = (stream: Uint8Array, { stated = stream.length, dataBytes = 0, rows = 10, stripes = 1 } = {}) => {
    const footer = all([1, all([1, UTF8], [2, 0], [3, stated])]);
    const each = Buffer.concat([stream, new Uint8Array(dataBytes), footer]);
    const spans = Array.from({ length: stripes }, (_, i): Part => {
      const sizes = all([2, stream.length], [3, dataBytes], [4, footer.length], [5, rows]);
      return [3, Buffer.concat([all([1, i * each.length]), sizes])];
    });
    const tail = fileOf({ footer: all(...spans, [4, all([1, 7])], [8, 5]), before: 0 });
    return inMemory(Buffer.concat([...Array(stripes).fill(each), tail]));
  };
  const filter = (bytes: Uint8Array) => all([1, all([1, 3], [3, bytes])]);
  const two = Buffer.concat([filter(new Uint8Array(8)), filter(new Uint8Array(8))]);
  const columnsIn = async (file: ReturnType<typeof inMemory>) => columnsOf(await readFooter(file, 'x'), file, 'x');

  test('may fill the stripe, and not more', async () => {
    expect((await columnsIn(withStream(two)))[0]?.find()).toHaveLength(2);
    expect(await columnsIn(withStream(two, { stated: two.length + 3, dataBytes: 3 }))).toHaveLength(1);
    await expect(columnsIn(withStream(two, { stated: two.length + 4, dataBytes: 3 }))).rejects.toThrow(
      'x: stripe 0 is damaged: its streams are longer than the stripe',
    );
  });

  test.each([0, 5, 11])('must be as many as the row groups of %d rows', async (rows) => {
    const [column] = await columnsIn(withStream(two, { rows }));
    const message = `x: the filters of  in stripe 0 is damaged: their number is 2, for ${Math.ceil(rows / 5)} row groups`;
    expect(() => column?.find()).toThrow(message);
  });

  test('may have 2 GiB, and not more', async () => {
    const inner = Buffer.concat([message([1, 3]), tag(3, 2), varint(2 ** 28)]);
    const head = Buffer.concat([tag(1, 2), varint(inner.length + 2 ** 28), inner]);
    // Its bytes are never written, so that it needs no memory.
    const large = new Uint8Array(head.length + 2 ** 28);
    large.set(head);
    const small = new Uint8Array(99);
    const withLarge = (stripes: number) => {
      const file = withStream(small, { rows: 5, stripes });
      const read = (position: number, length: number) => (length === 99 ? large : file.read(position, length));
      return columnsIn({ ...file, read });
    };
    expect((await withLarge(8))[0]?.find()).toHaveLength(8);
    const [column] = await withLarge(9);
    expect(() => column?.find()).toThrow('x has more than 2 GiB of filters of , which is the limit');
  });
});
