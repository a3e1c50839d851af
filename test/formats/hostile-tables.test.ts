// Malicious metadata. It is rejected before it costs much memory or time.

import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { lz4, snappy } from '../../src/formats/compressed-blocks.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { writeNewFile } from '../new-file.ts';
import { encodeTable } from '../reference/formats/parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The error message for a file with these bytes. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'x');
  writeNewFile(file, bytes);
  try {
    const { close } = await openFilterFile(file, 'query');
    close();
    return 'accepted';
  } catch (error) {
    if (error instanceof BloomError) return `${error.code}: ${error.message.replace(file, 'x')}`;
    throw error;
  }
}

const length = (bytes: number) => new Uint8Array(Uint32Array.of(bytes).buffer);

/** A Parquet file with this metadata. */
const parquet = (...metadata: readonly (readonly number[])[]) => {
  const footer = Uint8Array.from(metadata.flat());
  return Buffer.concat([Buffer.from('PAR1\x15'), footer, length(footer.length), Buffer.from('PAR1')]);
};

/** An uncompressed ORC file with this footer. */
const orc = (...footer: readonly number[]) =>
  Uint8Array.from([
    ...Buffer.from('ORC'),
    ...footer,
    0x08,
    footer.length,
    0x82,
    0xf4,
    0x03,
    3,
    ...Buffer.from('ORC'),
    9,
  ]);

const times = (count: number, ...bytes: readonly number[]) => Array.from({ length: count }, () => bytes).flat();
const damaged = (what: string) => `format: x is damaged: its metadata ${what}`;

describe('Parquet', () => {
  test.each([
    ['structs in each other', parquet(times(5000, 0x1c)), damaged('is nested too deeply')],
    ['lists in each other', parquet(times(5000, 0x19)), damaged('is nested too deeply')],
    ['maps in each other', parquet([0x1b], times(5000, 1, 0xbb)), damaged('is nested too deeply')],
    ['a list of 2^62', parquet([0x29, 0xfc, ...times(8, 0xff), 0x3f, 0]), damaged('states a length beyond its end')],
    ['a map of 2^62', parquet([0x1b, ...times(8, 0xff), 0x3f, 0xbb]), damaged('states a length beyond its end')],
    ['a text of 2^62 bytes', parquet([0x68, ...times(8, 0xff), 0x3f]), damaged('states a length beyond its end')],
    ['a number of many bits', parquet([0x16, ...times(20, 0xff)]), damaged('has a number of more than 64 bits')],
    ['a type that there is not', parquet([0x1e]), damaged('has a value of the unknown type 14')],
    ['a text for a list', parquet([0x28, 0]), damaged('has a value of type 8 instead of a list')],
    ['columns without names', parquet([0x29, 0x1c, 0]), 'format: x is damaged: its schema has a column without a name'],
    ['chunks without names', parquet([0x49, 0x1c, 0x19, 0x1c, 0, 0, 0]), damaged('has a column without a name')],
    [
      'fewer columns than it says',
      parquet([0x29, 0x1c, 0x48, 1, 0x72, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0]),
      'format: x is damaged: its schema is not a tree',
    ],
    ['no end', parquet([0x15]), damaged('ends early')],
  ])('%s', async (_, file, expected) => expect(await refusal(file)).toBe(expected));

  test('a file is refused for its size, and for metadata that is longer than the file or than 128 MiB', async () => {
    const body = (bytes: number) => Buffer.concat([Buffer.from('PAR1'), new Uint8Array(bytes)]);
    const whole = (bytes: number, metadata: number) =>
      Buffer.concat([body(bytes), length(metadata), Buffer.from('PAR1')]);
    expect(await refusal(body(7))).toBe('format: x is damaged: it has only 11 bytes');
    expect(await refusal(whole(0, 0))).toBe(damaged('ends early'));
    expect(await refusal(whole(1, 1))).toBe('format: x has no Bloom filter, so any key may be present');
    expect(await refusal(whole(1, 2))).toBe('format: x is damaged: it has 13 bytes, too few for 2 bytes of metadata');
    // The large part of the file has no blocks on the disk.
    const file = join(folder, 'x');
    writeNewFile(file, body(0));
    truncateSync(file, 4 + 2 ** 27 + 1);
    appendFileSync(file, Buffer.concat([length(2 ** 27 + 1), Buffer.from('PAR1')]));
    await expect(openFilterFile(file, 'query')).rejects.toThrow(
      'x has 134217729 bytes of metadata, which is too large',
    );
  });

  test('an encrypted file is refused as such', async () => {
    const table = Buffer.from(encodeTable([{ name: 'a', groups: [[Buffer.from('k')]] }]));
    const encrypted = Buffer.from(table);
    encrypted.write('PARE', 0);
    encrypted.write('PARE', encrypted.length - 4);
    expect(await refusal(encrypted)).toBe('format: x is an encrypted Parquet file (PARE)');
  });
});

describe('ORC', () => {
  test.each([
    ['a message longer than all', orc(0x1a, 0xff, 0x7f), damaged('states a length beyond its end')],
    ['a group', orc(0x0b), damaged('has a value of the unknown type 3')],
    ['a number for a message', orc(0x18, 1), damaged('has a number instead of a message')],
    [
      'a stripe behind the file',
      orc(0x1a, 3, 0x08, 0xff, 0x7f),
      /^format: x is damaged: its footer states an impossible stripe/,
    ],
    ['a schema that leads back', orc(0x22, 5, 0x08, 12, 0x12, 1, 0), 'format: x is damaged: its schema is not a tree'],
    ['no end', orc(0x08), damaged('ends early')],
  ])('%s', async (_, file, expected) => {
    const found = await refusal(file);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });
});

describe('blocks', () => {
  const bytes = (...values: readonly number[]) => Uint8Array.from(values);
  const text = (block: Uint8Array) => Buffer.from(block).toString();

  test('of Snappy: literals of all lengths, and copies that overlap', () => {
    expect(text(snappy(bytes(3, 0x08, 97, 98, 99), 100))).toBe('abc');
    expect(text(snappy(bytes(8, 0x04, 97, 98, 0x09, 2), 100))).toBe('abababab');
    expect(text(snappy(bytes(8, 0x04, 97, 98, 0x16, 2, 0), 100))).toBe('abababab');
    expect(text(snappy(bytes(8, 0x04, 97, 98, 0x17, 2, 0, 0, 0), 100))).toBe('abababab');
    const long = 'x'.repeat(300);
    expect(text(snappy(bytes(0xac, 2, 0xf4, 0x2b, 1, ...Buffer.from(long)), 300))).toBe(long);
    expect(() => snappy(bytes(0xac, 2, 0xf4, 0x2b, 1), 299)).toThrow('it is too long');
    expect(() => snappy(bytes(2, 0x08, 97, 98, 99), 100)).toThrow('it is too long');
    expect(() => snappy(bytes(9, 0x00, 97, 0x09, 2), 100)).toThrow('it refers to bytes before its start');
    expect(() => snappy(bytes(9, 0x00, 97, 0x09, 0), 100)).toThrow('it refers to bytes before its start');
    expect(() => snappy(bytes(9, 0x20, 97), 100)).toThrow('states a length beyond its end');
  });

  test('of LZ4: literals, lengths beyond 15, and matches', () => {
    expect(text(lz4(bytes(0x30, 97, 98, 99), 100))).toBe('abc');
    expect(text(lz4(bytes(0x22, 97, 98, 2, 0, 0x10, 99), 100))).toBe('ababababc');
    expect(text(lz4(bytes(0x1f, 97, 1, 0, 0, 0x10, 98), 100))).toBe(`${'a'.repeat(20)}b`);
    const long = 'x'.repeat(15 + 255 + 30);
    expect(text(lz4(bytes(0xf0, 255, 30, ...Buffer.from(long)), 300))).toBe(long);
    expect(() => lz4(bytes(0xf0, 255, 30, ...Buffer.from(long)), 299)).toThrow('it is too long');
    expect(() => lz4(bytes(0x1f, 97, 1, 0, ...times(50, 255), 0), 1000)).toThrow('it is too long');
    expect(() => lz4(bytes(0x10, 97, 2, 0), 100)).toThrow('it refers to bytes before its start');
    expect(() => lz4(bytes(0x50, 97), 100)).toThrow('states a length beyond its end');
  });
});
