// Only a whole, unchanged file of a known version is accepted as a filter.

import { describe, expect, test } from 'vitest';
import { openSegments } from '../../../src/engine/store/shared-segments.ts';
import { headerOf } from '../../../src/formats/bloomery/bloomery.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { bitsOf } from '../../engine/alone.ts';
import { loadFilter } from '../../engine/loading.ts';
import { inLongRuns } from '../../long.ts';
import { fileOf } from '../../reference/bloom-file.ts';
import { HEADER, oracleFile, outcome, placed, reading, readingHeader, withField } from './files.ts';
import { headerIn, openedFile, openedFilter } from './opened.ts';

const FILE = oracleFile(HEADER, ['alpha', 'beta', 'gamma', 'delta']);
const PAYLOAD = 128;
const SEGMENT = 64;
const ENTRY = 16;
const TABLE = PAYLOAD + 3 * SEGMENT;

/** A copy in which two ranges of equal length are swapped. */
function swapped(file: Uint8Array, a: number, b: number, length: number): Uint8Array {
  const copy = file.slice();
  copy.set(file.subarray(a, a + length), b);
  copy.set(file.subarray(b, b + length), a);
  return copy;
}

test('the file of the oracle is accepted', async () => {
  expect(await reading(FILE)).toBe('accepted');
  expect(await headerIn(placed(FILE))).toEqual(HEADER);
});

describe('refused', () => {
  test.each(inLongRuns([0x01, 0x80, 0xff], [0x01]))('any one byte, changed by %d', async (change) => {
    for (let at = 0; at < FILE.length; at++) {
      const damaged = FILE.map((byte, i) => (i === at ? byte ^ change : byte));
      expect(await reading(damaged), `byte ${at}`).toBe('format');
    }
  });

  test('any truncation', async () => {
    for (let length = 0; length < FILE.length; length++) {
      expect(await reading(FILE.subarray(0, length)), `${length} bytes`).toBe('format');
    }
  });

  test('appended bytes', async () => {
    expect(await reading(Uint8Array.of(...FILE, 0))).toBe('format');
    expect(await reading(Uint8Array.of(...FILE, ...FILE))).toBe('format');
  });

  test.each([
    ['two segments', swapped(FILE, PAYLOAD, PAYLOAD + SEGMENT, SEGMENT)],
    ['two entries of the table', swapped(FILE, TABLE, TABLE + ENTRY, ENTRY)],
    [
      'two segments and their entries',
      swapped(swapped(FILE, PAYLOAD, PAYLOAD + SEGMENT, SEGMENT), TABLE, TABLE + ENTRY, ENTRY),
    ],
  ])('%s swapped', async (_, file) => {
    expect(Buffer.compare(file, FILE)).not.toBe(0);
    expect(await reading(file)).toBe('format');
  });

  test.each([
    ['seed', { ...HEADER, seed: 7n }],
    ['k', { ...HEADER, k: 2 }],
    ['normalisation', { ...HEADER, trim: true }],
    ['count of keys', { ...HEADER, inserted: 124 }],
  ])('the header of a filter of another %s', async (_, other) => {
    const header = oracleFile(other, []).subarray(0, PAYLOAD);
    expect(await reading(Uint8Array.of(...header, ...FILE.subarray(PAYLOAD)))).toBe('format');
  });

  test('a text-mode transfer', async () => {
    const text = Buffer.from(FILE).toString('latin1');
    expect(await reading(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'))).toBe('format');
    expect(await reading(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'))).toBe('format');
    expect(await reading(FILE.map((byte) => byte & 0x7f))).toBe('format');
  });
});

describe('of a file with tags', () => {
  const TAGGED = oracleFile({ ...HEADER, isTagged: true }, ['alpha', 'beta', 'gamma', 'delta']);
  const STRIDE = SEGMENT + 8;
  const END = PAYLOAD + 3 * STRIDE;
  const kernel = loadKernel();
  const room = kernel.reserve(STRIDE);

  /** The outcome of reading a file in order, as from a pipe. */
  async function inOrder(bytes: Uint8Array): Promise<string> {
    const file = await openedFile(placed(bytes), kernel).catch(() => undefined);
    if (file === undefined) return 'format';
    const { readSegment, finish, close } = file;
    const read = async () => {
      for (let i = 0; i < HEADER.segments; i++) await readSegment(kernel, room);
      await finish(kernel);
    };
    return outcome(read()).finally(close);
  }

  /** The outcome of reading the table, which only reports need. */
  async function ofTable(bytes: Uint8Array): Promise<string> {
    const { fills, close } = await openedFilter(kernel, placed(bytes));
    return outcome((async () => fills())()).finally(close);
  }

  const forEachByte = async (work: (damaged: Uint8Array, at: number) => Promise<void>) => {
    for (let at = 0; at < TAGGED.length; at++)
      await work(new Uint8Array(TAGGED.map((byte, i) => (i === at ? byte ^ 1 : byte))), at);
  };

  test('the oracle and the program write the same bytes', async () => {
    expect([await reading(TAGGED), await inOrder(TAGGED), await ofTable(TAGGED)]).toEqual(Array(3).fill('accepted'));
    expect(await headerIn(placed(TAGGED))).toEqual({ ...HEADER, isTagged: true });
    expect(TAGGED.length).toBe(END + 3 * ENTRY + 8);
  });

  test('any changed byte is noticed by a reader in order, and by the reader of its section', async () => {
    await forEachByte(async (damaged, at) => {
      expect(await inOrder(damaged), `byte ${at}`).toBe('format');
      if (at < END) expect(await reading(damaged), `byte ${at}`).toBe('format');
      else expect([await reading(damaged), await ofTable(damaged)], `byte ${at}`).toEqual(['accepted', 'format']);
    });
  });

  test('a truncation is noticed', async () => {
    for (let length = 0; length < TAGGED.length; length += 5)
      expect(await inOrder(TAGGED.subarray(0, length)), `${length} bytes`).toBe('format');
  });

  test.each([
    ['two segments with their tags', swapped(TAGGED, PAYLOAD, PAYLOAD + STRIDE, STRIDE)],
    ['two tags', swapped(TAGGED, PAYLOAD + SEGMENT, PAYLOAD + STRIDE + SEGMENT, 8)],
  ])('%s cannot be swapped', async (_, file) => {
    expect([await reading(file), await inOrder(file)]).toEqual(['format', 'format']);
  });

  test('a segment of another filter is refused, even with its tag', async () => {
    const other = oracleFile({ ...HEADER, inserted: 124, isTagged: true }, ['alpha', 'beta', 'gamma', 'delta']);
    const [from, to] = [PAYLOAD + STRIDE, PAYLOAD + 2 * STRIDE];
    expect(Buffer.compare(other.subarray(from, to - 8), TAGGED.subarray(from, to - 8))).toBe(0);
    const mixed = Uint8Array.of(...TAGGED.subarray(0, from), ...other.subarray(from, to), ...TAGGED.subarray(to));
    expect([await reading(mixed), await inOrder(mixed)]).toEqual(['format', 'format']);
  });
});

describe('refused although its checksum is right, a header with', () => {
  const big = BigInt(Number.MAX_SAFE_INTEGER) + 1n;
  test.each<[string, (header: DataView) => void]>([
    ['version 0', (header) => header.setUint16(8, 0, true)],
    ['version 2', (header) => header.setUint16(8, 2, true)],
    ['another length', (header) => header.setUint16(10, 136, true)],
    ['hash 0', (header) => header.setUint16(14, 0, true)],
    ['hash 999', (header) => header.setUint16(14, 999, true)],
    ['flag 4', (header) => header.setUint32(16, 5, true)],
    ['the highest flag', (header) => header.setUint32(16, 2 ** 31, true)],
    ['k = 0', (header) => header.setUint32(20, 0, true)],
    ['k = 65', (header) => header.setUint32(20, 65, true)],
    ['more bits than its segments', (header) => header.setBigUint64(32, 2048n, true)],
    ['2^53 bits', (header) => header.setBigUint64(32, big, true)],
    ['no segments', (header) => header.setUint32(40, 0, true)],
    ['two segments', (header) => header.setUint32(40, 2, true)],
    ['2^32 - 1 segments', (header) => header.setUint32(40, 2 ** 32 - 1, true)],
    ['segments of no bits', (header) => header.setUint32(44, 0, true)],
    ['segments of half a line', (header) => header.setUint32(44, 256, true)],
    ['a capacity of 2^53', (header) => header.setBigUint64(48, big, true)],
    ['a rate of 0', (header) => header.setFloat64(56, 0, true)],
    ['a rate of 1', (header) => header.setFloat64(56, 1, true)],
    ['a rate below 0', (header) => header.setFloat64(56, -0.01, true)],
    ['no number for a rate', (header) => header.setFloat64(56, Number.NaN, true)],
    ['2^53 keys', (header) => header.setBigUint64(64, big, true)],
    ['another payload length', (header) => header.setBigUint64(72, 191n, true)],
    ['a first parameter', (header) => header.setUint8(80, 1)],
    ['a last parameter', (header) => header.setUint8(119, 1)],
  ])('%s', async (_, write) => {
    const file = withField(FILE, write);
    expect(await readingHeader(file)).toBe('format');
    expect(await reading(file)).toBe('format');
  });

  test('segments that fit each other but not the file', async () => {
    const larger = withField(FILE, (header) => {
      header.setBigUint64(32, 512n * 2n ** 31n, true);
      header.setUint32(40, 2 ** 31, true);
      header.setBigUint64(72, 64n * 2n ** 31n, true);
    });
    expect(await readingHeader(larger)).toBe('format');
    expect(await reading(larger)).toBe('format');
  });
});

test('the largest segment is read back bit for bit', async () => {
  const payload = new Uint8Array(2 ** 19).fill(0x5a);
  const shape = { segments: 1, segmentBits: 2 ** 22, bits: 2 ** 22 };
  const file = fileOf({ ...HEADER, ...shape, payload });
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, placed(file), 1, 'query');
  expect(headerOf(loaded.description)).toEqual({ ...HEADER, ...shape });
  expect(Buffer.compare(bitsOf(openSegments(loaded.store, kernel, 0), loaded.description.shape), payload)).toBe(0);
  loaded.close();
});
