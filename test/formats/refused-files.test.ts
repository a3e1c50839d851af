// Files of other systems that are damaged, or too large, where no bytes of a fixture show it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hudiColumn, withRecordKeys } from '../../src/formats/hadoop/hudi.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { readBuckets } from '../../src/formats/poppy/stored.ts';
import { payloadOf } from '../../src/formats/redisbloom/dump.ts';
import { memorySource } from '../../src/io/source.ts';
import { placed } from './bloomery/files.ts';

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/formats/${name}`, import.meta.url)));

/** A copy with other bytes. */
function changed(name: string, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(fixture(name));
  write(bytes);
  return bytes;
}

const followed = (name: string, bytes: number) => Buffer.concat([fixture(name), Buffer.alloc(bytes)]);
const marcan = gunzipSync(fixture('marcan/m1917.bloom.gz'));

test.each<[string, Buffer, Opening, string]>([
  [
    'an Ethereum bloom of 257 bytes',
    Buffer.alloc(257),
    { format: 'ethereum-raw' },
    'it has 257 bytes, and an Ethereum logsBloom has 256',
  ],
  [
    'an object of Guava with more than 1 MiB after its words',
    followed('guava/k1.ser', 2 ** 20 + 1),
    {},
    'bytes after its words, which are too many',
  ],
  [
    'an object of Guava with 256 hash functions',
    changed('guava/k1.ser', (bytes) => bytes.writeInt32BE(256, bytes.indexOf('7870', 'hex') + 2)),
    {},
    'impossible number of hash functions, 256',
  ],
  [
    'a filter of marcan whose first line has no end',
    Buffer.concat([marcan.subarray(0, marcan.indexOf('}')), Buffer.alloc(2 ** 21, ' ')]),
    { format: 'marcan' },
    'its first line has no end',
  ],
  [
    'a bloom index with more rows than a page',
    // The page after the first, whose number of rows is eight bytes before its end.
    changed('postgres-bloom/text.bloomidx', (bytes) => bytes.writeUInt16LE(0xffff, 2 * 8192 - 8)),
    {},
    'page 1 is damaged: it is too small for 65535 rows',
  ],
  [
    'a scalable filter of pybloom with a byte more',
    followed('pybloom/scalable.pybloom-4', 1),
    { format: 'pybloom-4' },
    'of its filters',
  ],
])('%s is refused', async (_, bytes, opening, message) => {
  await expect(openFilterFile(placed(bytes), 'query', opening)).rejects.toMatchObject({
    code: 'format',
    message: expect.stringContaining(message),
  });
});

test.each([
  [0, 8, 9],
  [0, 7, undefined],
  [3, 11, 9],
  [3, 10, undefined],
  [2 ** 16 + 1, 2 ** 16 + 9, 9],
  [2 ** 16 + 1, 2 ** 16, undefined],
])(
  'a filter of poppy has a cache of %d bytes and the number of its buckets in %d bytes',
  async (cache, bytes, buckets) => {
    const content = Buffer.alloc(bytes, 1);
    if (buckets !== undefined) content.writeBigUInt64LE(BigInt(buckets), cache);
    const read = () => readBuckets({ ...memorySource('x', content), size: undefined }, 'x', cache);
    if (buckets === undefined) await expect(read()).rejects.toMatchObject({ code: 'format' });
    else expect(await read()).toEqual({ buckets, cache: new Uint8Array(content.subarray(0, cache)) });
  },
);

test.each([
  [2 ** 31, 'it ends within its cache'],
  [2 ** 31 + 1, 'x has a cache of 2147483649 bytes, too large to be read from a pipe'],
])('a cache of poppy of %d bytes in a short pipe', async (bytes, message) => {
  const source = { ...memorySource('x', new Uint8Array(10)), size: undefined };
  await expect(readBuckets(source, 'x', bytes)).rejects.toThrow(message);
});

test('the output of DUMP is refused at any length below its shortest', () => {
  for (let length = 0; length < 30; length++)
    expect(() => payloadOf(new Uint8Array(length).fill(7), 'x')).toThrow('x is damaged: its checksum does not match');
});

describe('the record keys of Hudi', () => {
  const properties = (file: string, name = 'org.apache.hudi.bloomfilter') =>
    new Map([[name, fixture(`hadoop/${file}`).toString(file.endsWith('.b64') ? 'latin1' : 'base64')]]);

  test.each(['org.apache.hudi.bloomfilter', 'com.uber.hoodie.bloomfilter'])(
    'are a column beside others: %s',
    (name) => {
      const of = properties('hudi-simple.b64', name);
      const column = hudiColumn(of, 'x');
      if (column === undefined) throw new Error('there is no column');
      expect(column.find().map(({ part }) => part?.label)).toEqual(['footer']);
      const other = { ...column, name: 'other' };
      expect(withRecordKeys([other], of, 'x').map((one) => one.name)).toEqual(['_hoodie_record_key', 'other']);
      // The table has a filter of that column itself.
      expect(withRecordKeys([other, column], of, 'x')).toEqual([other, column]);
      expect(withRecordKeys([other], new Map(), 'x')).toEqual([other]);
    },
  );

  test('have rows in a dynamic filter', () => {
    const labels = hudiColumn(properties('hudi-dynamic.b64'), 'x')
      ?.find()
      .map(({ part }) => part?.label);
    expect(labels).toEqual(['footer, row 0', 'footer, row 1', 'footer, row 2']);
  });

  test.each([
    ['counting.bin', 'counting'],
    ['retouched.bin', 'retouched'],
  ])('are not in %s', (file, sort) => {
    expect(() => hudiColumn(properties(file), 'x')).toThrow(
      `x: its filter of record keys is damaged: it is a ${sort} filter, which Hudi does not write`,
    );
  });
});
