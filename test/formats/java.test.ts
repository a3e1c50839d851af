// Filters of Guava and Spark that Java serialized, and other serialized objects.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { classNameIn } from '../../src/formats/java/signatures.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { withPipes } from '../engine/threads/worker-pools.ts';
import { writeNewFile } from '../new-file.ts';
import { guava } from '../reference/formats/guava.ts';
import { charsetFunnel, constantFunnel, guavaObject, sparkObject } from '../reference/formats/java-objects.ts';
import { spark } from '../reference/formats/spark.ts';
import type { System } from '../reference/formats/system.ts';
import { answersTo, withLoaded } from './asking.ts';
import { outcome } from './bloomery/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-java-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function placed(bytes: Uint8Array): string {
  writeNewFile(join(folder, 'filter.ser'), bytes);
  return join(folder, 'filter.ser');
}

const HASH = 'com.google.common.hash';
const UTF_8 = charsetFunnel('UTF-8');

/** A filter of a system with some keys, and a list of these keys and others. */
function filled(system: System, vessel: string) {
  const { filter, keys: count } = system.vessels[vessel]?.() ?? {};
  if (filter === undefined || count === undefined) throw new Error(`there is no filter with ${vessel}`);
  const keys = Array.from({ length: 2 * count }, (_, i) => new Uint8Array(Buffer.from(`key ${i}`)));
  for (const key of keys.slice(0, count)) filter.add(key);
  return { file: filter.encode(), keys, expected: keys.map(filter.has) };
}

const OBJECTS = [
  ['Guava', filled(guava, 'many words'), (file: Uint8Array) => guavaObject(file, UTF_8)],
  ['Guava, the older strategy', filled(guava, 'few words, 32 bits'), (file: Uint8Array) => guavaObject(file, UTF_8)],
  ['Spark', filled(spark, 'many words'), (file: Uint8Array) => sparkObject(file)],
  [
    'Spark 2 in pieces of any length',
    filled(spark, 'many words, version 2, a seed'),
    (file: Uint8Array) => sparkObject(file, 777),
  ],
  ['Spark in short pieces', filled(spark, 'few words'), (file: Uint8Array) => sparkObject(file, 7)],
] as const;

describe.each(OBJECTS)('an object of %s', (_, { file, keys, expected }, wrap) => {
  test('has the keys of the filter, as a file and in order', async () => {
    const object = placed(wrap(file));
    const check = (name: string) =>
      withLoaded(name, 1, async (loaded) => expect(await answersTo(loaded, keys)).toEqual(expected));
    await check(object);
    await withPipes([object], ([pipe = '']) => check(pipe));
  });

  test('is refused with more bytes after it, and with more or fewer words', async () => {
    const object = Buffer.from(wrap(file));
    expect(await outcome(withLoaded(placed(Buffer.concat([object, Buffer.of(0)])), 1, () => {}))).toBe('format');
    const at = object.indexOf(file.subarray(2, 6));
    for (const words of [0, -1, 2 ** 31 - 1, object.readInt32BE(at) + 1]) {
      const spoilt = Buffer.from(object);
      spoilt.writeInt32BE(words, at);
      expect(await outcome(withLoaded(placed(spoilt), 1, () => {})), String(words)).toBe('format');
    }
  });
});

test('an object of Spark may have the length of a piece on both sides of what is read at once', async () => {
  const filter = spark.makes?.spark?.(60_000, 0.01);
  if (filter === undefined) throw new Error('the oracle makes no filter');
  const keys = Array.from({ length: 200 }, (_, i) => new Uint8Array(Buffer.from(`key ${i}`)));
  for (const key of keys.slice(0, 100)) filter.add(key);
  // 86 pieces, each with five bytes before it, and one byte of the next are 2^16 - 3 bytes.
  const object = placed(sparkObject(filter.encode(), (2 ** 16 - 4) / 86 - 5));
  await withLoaded(object, 1, async (loaded) => expect(await answersTo(loaded, keys)).toEqual(keys.map(filter.has)));
});

describe('the funnel of an object of Guava', () => {
  const { file } = filled(guava, 'few words');
  const keyTypeOf = async (funnel: Uint8Array, opening: Opening = {}) => {
    const { description, close } = await openFilterFile(placed(guavaObject(file, funnel)), 'query', opening);
    close();
    return description.keyType;
  };

  test.each([
    [charsetFunnel('UTF-8'), 'text'],
    [charsetFunnel('UTF-16LE'), 'utf16'],
    [constantFunnel(`${HASH}.Funnels$UnencodedCharsFunnel`), 'utf16'],
    [constantFunnel(`${HASH}.Funnels$StringFunnel`), 'utf16'],
    [constantFunnel(`${HASH}.Funnels$ByteArrayFunnel`), 'text'],
    [constantFunnel(`${HASH}.Funnels$IntegerFunnel`), 'int32'],
    [constantFunnel(`${HASH}.Funnels$LongFunnel`), 'int64'],
  ])('states the type of keys', async (funnel, keyType) => expect(await keyTypeOf(funnel)).toBe(keyType));

  test.each([
    [charsetFunnel('UTF-16'), 'stringFunnel of UTF-16'],
    [constantFunnel('com.example.Users'), 'com.example.Users'],
    [constantFunnel(`${HASH}.Funnels$NewFunnel`), 'NewFunnel'],
  ])('that is unknown requires a stated type, except for a report', async (funnel, by) => {
    await expect(keyTypeOf(funnel)).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining(`were converted by ${by}, which`),
    });
    expect(await keyTypeOf(funnel, { keyType: 'int64' })).toBe('int64');
    const report = await openFilterFile(placed(guavaObject(file, funnel)), 'report');
    report.close();
  });
});

describe('other objects', () => {
  const refusal = (bytes: Uint8Array | string) =>
    openFilterFile(placed(Buffer.from(bytes as string, 'latin1')), 'query');

  test('are refused by their class', async () => {
    await expect(
      refusal('\xac\xed\0\x05sr\0\x11java.util.HashMap\x05\x07\xda\xc1\xc3\x16`\xd1\x03\0\x02F\0'),
    ).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('is a serialized Java object of the class java.util.HashMap'),
    });
    await expect(refusal('\xac\xed\0\x05t\0\x05hello')).rejects.toMatchObject({
      message: expect.stringContaining('is a serialized Java object'),
    });
  });

  test('are not filters although their names say so', async () => {
    const { file } = filled(guava, 'few words');
    const object = Buffer.from(guavaObject(file, UTF_8)).toString('latin1');
    for (const [from, to] of [
      ['numHashFunctions', 'numHushFunctions'],
      ['MURMUR128_MITZ_64', 'MURMUR128_MITZ_65'],
      ['ur\0\x02[J', 'vr\0\x02[J'],
    ] as const) {
      const spoilt =
        object.slice(0, object.lastIndexOf(from)) + to + object.slice(object.lastIndexOf(from) + from.length);
      await expect(refusal(spoilt), to).rejects.toMatchObject({ code: 'format' });
    }
  });

  test.each([
    [8, true],
    [9, false],
  ])('with %d parent classes', async (parents, isFilter) => {
    const [head = '', ...body] = Buffer.from(sparkObject(filled(spark, 'few words').file))
      .toString('latin1')
      .split('xp');
    const object = `${head}${'xr\0\x01aVERSION!\x03\0\0'.repeat(parents)}xp${body.join('xp')}`;
    if (isFilter) (await refusal(object)).close();
    else await expect(refusal(object)).rejects.toThrow('too many parent classes');
  });

  test('with endless classes are not filters', async () => {
    const begin = Buffer.from(sparkObject(filled(spark, 'few words').file))
      .toString('latin1')
      .split('xp')[0];
    await expect(refusal(`${begin}${'xr\0\x01aVERSION!\x03\0\0'.repeat(100_000)}`)).rejects.toMatchObject({
      code: 'format',
    });
  });
});

test('the class of an object is recognised only by its whole name', () => {
  const stream = (type: number, name: string) =>
    Buffer.concat([Buffer.of(0xac, 0xed, 0, 5, 0x73, type, 0, 4), Buffer.from(name)]);
  expect(classNameIn(stream(0x72, 'a.Bc and more'))).toBe('a.Bc');
  expect(classNameIn(stream(0x72, 'a.B'))).toBeUndefined();
  // A dynamic proxy has no name.
  expect(classNameIn(stream(0x7d, 'a.Bc and more'))).toBeUndefined();
});
