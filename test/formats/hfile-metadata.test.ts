// The metadata of the filter of an HFile, and the headers of its blocks, against a model of CompoundBloomFilterWriter.java,
// WritableUtils.java and HFileBlock.java (Apache HBase and Hadoop).

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockHeader } from '../../src/formats/hbase/block.ts';
import { readFilterMeta } from '../../src/formats/hbase/filter-meta.ts';
import { inLongRuns } from '../long.ts';
import { joined } from '../reference/formats/table.ts';

/** `WritableUtils.writeVLong`. */
function vlong(value: bigint): Uint8Array {
  if (value >= -112n && value <= 127n) return Uint8Array.of(Number(value) & 255);
  const digits = (value < 0n ? ~value : value).toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Uint8Array.of(((value < 0n ? -120 : -112) - bytes.length) & 255, ...bytes);
}

const texts = (text: Uint8Array) => joined([vlong(BigInt(text.length)), text]);

function longs(...values: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (const [i, value] of values.entries()) view.setBigInt64(8 * i, value);
  return new Uint8Array(view.buffer);
}

function ints(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setInt32(4 * i, value);
  return new Uint8Array(view.buffer);
}

interface Meta {
  readonly version?: number;
  readonly k?: number;
  readonly hash?: number;
  readonly keys?: bigint;
  readonly comparator?: Uint8Array;
  readonly chunks: readonly { readonly offset: bigint; readonly firstKey: Uint8Array }[];
}

function encoded({ version = 3, k = 7, hash = 1, keys = 0n, comparator = new Uint8Array(), chunks }: Meta): Uint8Array {
  const head = joined([ints(version), longs(999n), ints(k, hash), longs(keys, 77n), ints(chunks.length)]);
  const each = chunks.map(({ offset, firstKey }) => joined([longs(offset), ints(55), texts(firstKey)]));
  return joined([head, texts(comparator), ...each]);
}

const HASHES = ['hbase-jenkins', 'hbase-murmur2', 'hbase-murmur3'];
const LENGTHS = [0, 1, 100, 127, 128, 143, 144, 255, 256, 300, 65_535, 65_536, 100_000];

test('the metadata of a filter is what the model says, and its beginnings are refused', () => {
  const firstKey = fc.constantFrom(...LENGTHS).map((length) => new Uint8Array(length).fill(length % 251));
  const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const offset = fc.oneof(fc.bigInt(0n, 2n ** 53n - 1n), fc.constantFrom(0n, 2n ** 53n - 1n));
  const property = fc.property(
    fc.record({
      k: int,
      hash: fc.nat(2),
      keys: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
      comparator: firstKey,
      chunks: fc.array(fc.record({ offset, firstKey }), { maxLength: 4 }),
    }),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    (meta, share) => {
      const bytes = encoded(meta);
      // A view that does not begin where its buffer does.
      const view = joined([Uint8Array.of(1, 2, 3), bytes]).subarray(3);
      const found = readFilterMeta(view, 'x');
      expect(found).toMatchObject({ k: meta.k, hash: HASHES[meta.hash], keys: meta.keys });
      expect(found.chunks.map(({ offset }) => offset)).toEqual(meta.chunks.map((chunk) => Number(chunk.offset)));
      for (const [i, { firstKey }] of meta.chunks.entries())
        expect(Buffer.compare(found.chunks[i]?.firstKey ?? Buffer.of(), firstKey)).toBe(0);
      for (const end of [Math.floor(share * bytes.length), 39, bytes.length - 1])
        expect(() => readFilterMeta(bytes.subarray(0, end), 'x')).toThrow('x is damaged: it ends early');
    },
  );
  fc.assert(property, { numRuns: inLongRuns(500, 50) });
});

describe('the metadata of a filter is refused', () => {
  const withLength = (length: bigint) => joined([encoded({ chunks: [] }).subarray(0, 40), vlong(length)]);
  test.each([
    ['with a hash to come', encoded({ hash: 3, chunks: [] }), 'has version 3 and hash 3, which this bloom does not'],
    ['with no hash', encoded({ hash: -1, chunks: [] }), 'has version 3 and hash -1, which this bloom does not know'],
    ['of version 2', encoded({ version: 2, chunks: [] }), 'has version 2 and hash 1, which this bloom does not know'],
    ['of version 4', encoded({ version: 4, chunks: [] }), 'has version 4 and hash 1, which this bloom does not know'],
    ['with a text of -1 bytes', withLength(-1n), 'it ends early'],
    ['with a text of -112 bytes', withLength(-112n), 'it ends early'],
    ['with a text of -113 bytes', withLength(-113n), 'it has an impossible length'],
    ['with a text of -2^40 bytes', withLength(-(2n ** 40n)), 'it has an impossible length'],
    ['with a text of 2^31 - 1 bytes', withLength(2n ** 31n - 1n), 'it ends early'],
    ['with a text of 2^31 bytes', withLength(2n ** 31n), 'it has an impossible length'],
    ['with a text of 2^63 - 1 bytes', withLength(2n ** 63n - 1n), 'it has an impossible length'],
  ])('%s', (_, bytes, message) => expect(() => readFilterMeta(bytes, 'x')).toThrow(message));
});

describe('the header of a block', () => {
  const MAGIC = 'BLMFBLK2';
  const header = (afterHeader: number, content: number, summed: number) =>
    new DataView(
      joined([Buffer.from(MAGIC), ints(afterHeader, content), longs(-1n), Uint8Array.of(2), ints(512, summed)]).buffer,
    );

  test('has the numbers of the model', () => {
    expect(blockHeader(header(108, 100, 133), 'none', 141, 'x')).toEqual({
      magic: MAGIC,
      bytes: 141,
      contentBytes: 100,
      summedBytes: 133,
      checksum: 2,
      bytesEach: 512,
    });
  });

  // Bytes after the header, bytes of the content, bytes before the checksums, and the largest size of the block.
  test.each([
    ['none', 0, 0, 33, 33, true],
    ['none', 100, 100, 133, 133, true],
    ['none', 100, 100, 133, 132, false],
    ['none', 99, 100, 133, 140, false],
    ['none', 100, 99, 133, 133, false],
    ['none', 100, 101, 133, 133, false],
    ['none', 100, -1, 32, 133, false],
    ['none', -1, -1, 32, 133, false],
    ['gzip', 100, 1032 * 100, 133, 133, true],
    ['gzip', 100, 1032 * 100 + 1, 133, 133, false],
    ['gzip', 100, 0, 133, 133, true],
    ['gzip', 100, -1, 133, 133, false],
    ['gzip', 100, -2000, 32, 133, false],
  ] as const)('of a block of %s: %d, %d and %d within %d', (codec, after, content, summed, most, isPossible) => {
    const read = () => blockHeader(header(after, content, summed), codec, most, 'x');
    const message = `x is damaged: its header states ${content} bytes of ${summed - 33}, and ${33 + after} in total`;
    if (isPossible) expect(read().bytes).toBe(33 + after);
    else expect(read).toThrow(message);
  });
});
