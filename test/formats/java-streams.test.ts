// Serialized Java objects against a model of the Java Object Serialization Specification, chapter 6.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockData, leastBytes } from '../../src/formats/java/block-data.ts';
import { createJavaStream } from '../../src/formats/java/objects.ts';
import { type ByteSource, memorySource } from '../../src/io/source.ts';
import { inLongRuns } from '../long.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const word = (text: string) => Buffer.concat([Buffer.of(text.length >> 8, text.length & 255), latin1(text)]);

/** Data in blocks of these lengths, and its end. */
function inBlocks(data: Uint8Array, lengths: readonly number[]): Buffer {
  const blocks: Uint8Array[] = [];
  for (let at = 0, i = 0; at < data.length; i++) {
    const part = data.subarray(at, at + (lengths[i % lengths.length] ?? 1));
    const { length } = part;
    const head =
      length < 256 ? [0x77, length] : [0x7a, length >> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255];
    blocks.push(Buffer.of(...head), part);
    at += length;
  }
  return Buffer.concat([...blocks, Buffer.of(0x78)]);
}

/** A source that gives at most this many bytes at once. */
function inPieces(bytes: Uint8Array, most: number): ByteSource {
  const whole = memorySource('x', bytes);
  const wait = (into: Uint8Array) => whole.wait(into.subarray(0, most));
  return { ...whole, read: () => undefined, wait };
}

async function all(source: ByteSource, step: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const into = new Uint8Array(step);
    const bytes = await source.wait(into);
    pieces.push(into.subarray(0, bytes));
    if (bytes < step) return Buffer.concat(pieces);
  }
}

test('the data of an object is what its blocks have, and a cut stream or more bytes are refused', async () => {
  const size = fc.oneof(fc.nat(2000), fc.constantFrom(0, 1, 255, 256, 1024, 65_535, 65_536, 70_000));
  const property = fc.asyncProperty(
    size,
    fc.array(fc.oneof(fc.integer({ min: 1, max: 600 }), fc.constantFrom(255, 256, 1024, 66_000)), { minLength: 1 }),
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: 70_000 }),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    async (length, lengths, step, most, share) => {
      const data = Uint8Array.from({ length }, (_, i) => i ^ (i >> 8));
      const stream = inBlocks(data, lengths);
      expect((await all(blockData(inPieces(stream, most), 'x'), step)).equals(data)).toBe(true);
      const cut = stream.subarray(0, Math.floor(share * stream.length));
      await expect(all(blockData(inPieces(cut, most), 'x'), step)).rejects.toThrow(
        'x is damaged: it ends within its Java object',
      );
      await expect(all(blockData(inPieces(Buffer.concat([stream, Buffer.of(0)]), most), 'x'), step)).rejects.toThrow(
        'x is damaged: it has more bytes after its Java object',
      );
    },
  );
  await fc.assert(property, { numRuns: inLongRuns(300, 20) });
  await expect(all(blockData(memorySource('x', Buffer.of(0x77, 1, 9, 0x79)), 'x'), 9)).rejects.toThrow(
    'x is damaged: its Java object has other data instead of bytes',
  );
});

// Java writes blocks of 1,024 bytes, and the rest in a block of its own.
test.each([0, 1, 255, 256, 1023, 1024, 1025, 1279, 1280, 2048, 5000, 10_240])(
  '%d bytes in the blocks of Java',
  (bytes) => {
    expect(leastBytes(bytes)).toBe(inBlocks(new Uint8Array(bytes), [1024]).length);
  },
);

interface Class {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly kind: string; readonly type: string | undefined }[];
}

/** The description of a class, and of its parents. */
function described({ name, fields }: Class, parents: readonly Class[]): Buffer {
  const [parent, ...others] = parents;
  const each = fields.map(({ name: field, kind, type }) => {
    const object = type === undefined ? Buffer.of(0x71, 0, 0x7e, 0, 1) : Buffer.concat([Buffer.of(0x74), word(type)]);
    return Buffer.concat([latin1(kind), word(field), ...('[L'.includes(kind) ? [object] : [])]);
  });
  const count = Buffer.of(fields.length >> 8, fields.length & 255);
  const above = parent === undefined ? Buffer.of(0x70) : described(parent, others);
  return Buffer.concat([
    Buffer.of(0x72),
    word(name),
    Buffer.alloc(8, 7),
    Buffer.of(2),
    count,
    ...each,
    Buffer.of(0x78),
    above,
  ]);
}

const name = fc.string({ unit: 'grapheme-ascii', maxLength: 300 });
const field = fc.record({ name, kind: fc.constantFrom(...'BCDFIJSZL['), type: fc.option(name, { nil: undefined }) });
const javaClass = fc.record({ name, fields: fc.array(field, { maxLength: 4 }) });

test('an object, its class and the parents of it are read to their ends', async () => {
  const property = fc.asyncProperty(
    javaClass,
    fc.array(javaClass, { maxLength: 3 }),
    fc.boolean(),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    async (of, parents, isConstant, share) => {
      const object = Buffer.concat([Buffer.of(isConstant ? 0x7e : 0x73), described(of, parents)]);
      const bytes = Buffer.concat([latin1('\xac\xed\0\x05'), object]);
      const read = async (content: Uint8Array) => {
        const stream = createJavaStream(memorySource('x', content), 'x');
        await stream.begin();
        return { found: await stream.object(), position: stream.position(), after: await stream.text() };
      };
      const text = Buffer.concat([bytes, Buffer.of(0x74), word('after')]);
      const expected = { name: of.name, fields: of.fields.map((one) => one.name) };
      expect(await read(text)).toEqual({ found: expected, position: bytes.length, after: 'after' });
      expect((await read(Buffer.concat([bytes, Buffer.of(0x71, 0, 0x7e, 0, 1)]))).after).toBe('');
      await expect(read(bytes.subarray(0, Math.floor(share * bytes.length)))).rejects.toMatchObject({ code: 'format' });
    },
  );
  await fc.assert(property, { numRuns: inLongRuns(500, 30) });
});

const NOTHING: Class = { name: 'a', fields: [] };

test.each([
  [
    'a class without an end',
    Buffer.of(0x73, 0x72, 0, 1, 97, ...Buffer.alloc(11), 0x77),
    'has unknown content before byte 17',
  ],
  ['a class that is none', Buffer.of(0x73, 0x73), 'has unknown content before byte 2'],
  ['an object that is none', Buffer.of(0x72), 'has unknown content before byte 1'],
  [
    '10 parents',
    Buffer.concat([Buffer.of(0x73), described(NOTHING, Array(10).fill(NOTHING))]),
    'too many parent classes',
  ],
])('%s', async (_, bytes, message) => {
  await expect(createJavaStream(memorySource('x', bytes), 'x').object()).rejects.toThrow(message);
});

test('9 classes in one line, and an object of a class that was described before', async () => {
  const read = (bytes: Uint8Array) => createJavaStream(memorySource('x', bytes), 'x').object();
  const line = described(NOTHING, Array(8).fill(NOTHING));
  expect(await read(Buffer.concat([Buffer.of(0x73), line]))).toEqual({ name: 'a', fields: [] });
  const known = Buffer.of(0x7e, 0x71, 0, 0x7e, 0, 0);
  expect(await read(known)).toBeUndefined();
  await expect(read(known.subarray(0, 5))).rejects.toMatchObject({ code: 'format' });
});
