// Database files of Redis, and what they may contain besides the queried filter.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { openEachFilter, openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { filterKeysIn } from '../../src/formats/redisbloom/database-keys.ts';
import { inLongRuns } from '../long.ts';
import { length } from '../reference/formats/redis-dump.ts';
import { databaseOf, filterKey, keyOf, select, text } from '../reference/formats/redis-rdb.ts';
import { redisbloom } from '../reference/formats/redisbloom.ts';
import { answersTo, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/formats/${name}`, import.meta.url)));
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** The output of DUMP for a filter with one key. */
function dumpOf(key: string): Uint8Array {
  const { filter } = redisbloom.vessels['what DUMP gives']?.() ?? { filter: undefined };
  filter?.add(Buffer.from(key));
  return filter?.encode() ?? new Uint8Array();
}

const [ANNE, BOB] = [dumpOf('anne'), dumpOf('bob')];

/** The answers of a file's filter for the keys anne and bob. */
const asked = (file: Uint8Array, opening: Opening = {}) =>
  withLoaded(placed(file), 1, (loaded) => answersTo(loaded, [Buffer.from('anne'), Buffer.from('bob')]), opening);

/** The message and the hint for a rejected file. */
async function refusal(file: Uint8Array, opening: Opening = {}): Promise<string> {
  try {
    (await openFilterFile(placed(file), 'query', opening)).close();
  } catch (error) {
    if (error instanceof BloomError && ['format', 'usage'].includes(error.code))
      return `${error.message}; ${error.hint}`;
    throw error;
  }
  return 'none';
}

describe('the key', () => {
  const several = databaseOf([filterKey('anne', ANNE), select(2), filterKey('bob', BOB)]);

  test('is selected with --column if several are filters', async () => {
    expect(await refusal(several)).toMatch(
      /filters of several keys: "anne", "bob" in database 2; choose one with --column KEY/,
    );
    expect(await asked(several, { column: 'anne' })).toEqual([true, false]);
    expect(await asked(several, { column: 'bob' })).toEqual([false, true]);
    expect(await refusal(several, { column: 'carl' })).toMatch(
      /no filter under the key "carl"; it has filters of "anne", "bob"/,
    );
  });

  test('of each filter is in the report', async () => {
    const files = await openEachFilter(placed(several), 'report');
    const remarks = files.map(({ description }) => description.remarks);
    expect(remarks).toEqual([['it is the key "anne" of database 0'], ['it is the key "bob" of database 2']]);
    for (const { close } of files) close();
  });

  test('is one of 20 keys that a message lists, and of the number of the others', async () => {
    const many = (count: number) =>
      databaseOf(Array.from({ length: count }, (_, i) => filterKey(`k${i}`, i === 0 ? ANNE : BOB)));
    expect(await refusal(many(20))).toMatch(/"k18", "k19"; choose/);
    expect(await refusal(many(22))).toMatch(/"k18", "k19", 2 more; choose/);
    expect(await refusal(several, { column: 'carl' })).toContain('it has filters of "anne", "bob" in database 2');
    expect(await asked(many(22), { column: 'k0' })).toEqual([true, false]);
  });

  test('in several databases is not selected', async () => {
    const file = databaseOf([filterKey('anne', ANNE), select(2), filterKey('anne', BOB)]);
    expect(await refusal(file, { column: 'anne' })).toContain('redis-cli -n DATABASE --raw DUMP KEY');
  });

  test('may be a number, or compressed', async () => {
    // 300 in 16 bits; 40 times the letter a, as a literal and a copy of 39.
    for (const [name, stored] of [
      ['300', 'c12c01'],
      ['a'.repeat(40), 'c3 05 28 0061 e01e00'],
    ] as const) {
      const value = filterKey('', ANNE).subarray(2);
      const file = databaseOf([Uint8Array.of(7), bytesOf(stored), value, filterKey('bob', BOB)]);
      expect(await asked(file, { column: name })).toEqual([true, false]);
    }
  });

  test('is named in a remark, and the file is verified', async () => {
    await withLoaded(placed(databaseOf([select(3), filterKey('anne', ANNE)])), 1, async ({ description, verify }) => {
      expect(description).toMatchObject({
        remarks: ['it is the key "anne" of database 3'],
        format: { name: 'redis-rdb' },
      });
      await expect(verify?.({})).resolves.toBeUndefined();
    });
  });
});

test('a report on a file with a part that nobody knows, or without a filter, is refused', async () => {
  const unknown = databaseOf([filterKey('anne', ANNE), keyOf('a', 99, text('b'))]);
  await expect(openEachFilter(placed(unknown), 'report')).rejects.toThrow('has the key "a" of type 99');
  await expect(openEachFilter(placed(databaseOf([])), 'report')).rejects.toThrow('has no filter of RedisBloom');
});

test.each([
  ['of other keys', databaseOf([keyOf('a', 0, text('b'))])],
  ['of no keys', databaseOf([])],
  ['of another module', databaseOf([keyOf('a', 7, bytesOf('81 2016e5a289bef804 00'))])],
])('a file %s has no filter, but is not damaged', async (_, file) => {
  expect(await refusal(file)).toMatch(/^\S+ has no filter of RedisBloom;/);
});

/** A string of 200 bytes, whose length needs two bytes. */
const BLOB = text('b'.repeat(200));
const ID = bytesOf('0000000000000001 0000000000000002');
const TIME = Buffer.alloc(8, 1);
const STREAM_BEGIN = [length(1), text(ID), BLOB, length(1), length(1), length(2)];
const STREAM_ADDED = [1, 2, 3, 4, 20_000].map(length);
const PENDING = [length(1), ID, TIME, length(7)];

/** The groups of a stream: one group, with one consumer that has one entry. */
const groups = (read: readonly Buffer[], active: readonly Buffer[]) => [
  length(1),
  text('group'),
  length(1),
  length(2),
  ...read,
  ...PENDING,
  length(1),
  text('consumer'),
  TIME,
  ...active,
  length(1),
  ID,
];

// rdb.h of Redis 7.4 has the types, and rdbSaveObject in rdb.c writes each of them.
describe('other values are skipped:', () => {
  test.each([
    ['a string', 0, [text('text')]],
    ['a number of 8 bits', 0, [bytesOf('c0ff')]],
    ['a number of 16 bits', 0, [bytesOf('c1ffff')]],
    ['a number of 32 bits', 0, [bytesOf('c2ffffffff')]],
    ['a compressed string', 0, [bytesOf('c3 05 28 0061 e01e00')]],
    ['a string whose length has 32 bits', 0, [bytesOf('80 00000003 616263')]],
    ['a string whose length has 64 bits', 0, [bytesOf('81 0000000000000003 616263')]],
    ['a list', 1, [length(2), text('a'), BLOB]],
    ['a set', 2, [length(2), text('a'), BLOB]],
    [
      'old scores',
      3,
      [length(4), text('a'), text('1.5'), ...[253, 254, 255].flatMap((of) => [BLOB, Uint8Array.of(of)])],
    ],
    ['a hash', 4, [length(2), text('a'), BLOB, text('b'), BLOB]],
    ['scores', 5, [length(2), text('a'), TIME, text('b'), TIME]],
    [
      'another module',
      7,
      [bytesOf('81 2016e5a289bef804 0105 0201 0300000000 04 0000000000000000'), length(5), BLOB, length(0)],
    ],
    ...[9, 10, 11, 12, 13, 16, 17, 20].map((type): [string, number, Uint8Array[]] => [`type ${type}`, type, [BLOB]]),
    ['a quicklist', 14, [length(2), BLOB, BLOB]],
    ['a stream', 15, [...STREAM_BEGIN, ...groups([], [])]],
    ['a second quicklist', 18, [length(2), length(1), BLOB, length(2), BLOB]],
    ['a second stream', 19, [...STREAM_BEGIN, ...STREAM_ADDED, ...groups([length(300)], [])]],
    ['a third stream', 21, [...STREAM_BEGIN, ...STREAM_ADDED, ...groups([length(300)], [TIME])]],
    ['a hash of fields that expire', 24, [TIME, length(1), length(70_000), text('a'), BLOB]],
    ['a packed hash of fields that expire', 25, [TIME, BLOB]],
  ])('%s', async (_, type, value) => {
    const file = databaseOf([
      select(0),
      keyOf('other', type, ...value),
      filterKey('anne', ANNE),
      keyOf('behind', type, ...value),
    ]);
    expect(await asked(file)).toEqual([true, false]);
  });

  test.each([
    ['a library of functions', Buffer.concat([bytesOf('f5'), BLOB])],
    ['a slot', bytesOf('f4 01 02 03')],
    ['sizes', bytesOf('fb 01 02')],
    ['when it expires, in seconds', bytesOf('fd 01020304')],
    ['when it expires, in milliseconds', bytesOf('fc 0102030405060708')],
    ['how long it was idle', bytesOf('f8 41ff')],
    ['how often it was used', bytesOf('f9 ff')],
    ['what a module says', Buffer.concat([bytesOf('f7 81 2016e5a289bef804 0202 05'), BLOB, bytesOf('00')])],
  ])('%s', async (_, part) => {
    expect(await asked(databaseOf([part, part, filterKey('anne', ANNE)]))).toEqual([true, false]);
  });
});

describe('a part of an unknown type', () => {
  const unknown = [keyOf('later', 26, bytesOf('00ff02')), filterKey('bob', BOB)];
  const before = databaseOf([...unknown]);
  const behind = databaseOf([filterKey('anne', ANNE), ...unknown]);

  test('is refused with its key and type, except after the selected key', async () => {
    for (const opening of [{}, { column: 'bob' }])
      expect(await refusal(before, opening)).toMatch(
        /has the key "later" of type 26, which this bloom does not know; write the key to a file with redis-cli --raw DUMP/,
      );
    expect(await refusal(behind)).toContain('or choose one before it with --column: "anne"');
    expect(await refusal(behind, { column: 'bob' })).toContain('type 26');
    expect(await asked(behind, { column: 'anne' })).toEqual([true, false]);
  });

  test('may not be a key', async () => {
    expect(await refusal(databaseOf([bytesOf('f3'), filterKey('anne', ANNE)]))).toContain('has a part of type 243');
  });

  test('is covered by the checksum', async () => {
    const spoilt = behind.slice();
    spoilt[spoilt.length - 20] = (spoilt[spoilt.length - 20] ?? 0) ^ 1;
    expect(await refusal(spoilt, { column: 'anne' })).toContain('type 26');
  });
});

describe('the checksum', () => {
  const whole = fixture('redis-rdb/bloom.rdb');

  test('covers every byte', async () => {
    expect(await refusal(whole)).toBe('none');
    for (let at = 9; at < whole.length; at += inLongRuns(1, 17)) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      expect(await refusal(spoilt), `byte ${at}`).not.toBe('none');
    }
  });

  test('may be 0, and then the file is not verified', async () => {
    const old = databaseOf([filterKey('anne', ANNE)], '0004').slice(0, -8);
    for (const file of [databaseOf([filterKey('anne', ANNE)], '0011', 0n), old])
      await withLoaded(placed(file), 1, async (loaded) => {
        expect(loaded.verify).toBeUndefined();
        expect(await answersTo(loaded, [Buffer.from('anne')])).toEqual([true]);
      });
  });
});

describe('commands after the database', () => {
  const database = databaseOf([filterKey('anne', ANNE)]);
  const command = (...strings: readonly string[]) =>
    `*${strings.length}\r\n${strings.map((one) => `$${one.length}\r\n${one}\r\n`).join('')}`;
  const followed = (...commands: readonly string[]) => Buffer.concat([database, Buffer.from(commands.join(''))]);

  test('of other keys are skipped', async () => {
    const file = followed(command('SELECT', '0'), '#TS:1700000000\r\n', command('set', 'else', 'x'.repeat(999)));
    expect(await asked(file)).toEqual([true, false]);
  });

  test.each([
    ['of its key', command('BF.ADD', 'anne', 'x'), 'BF.ADD'],
    ['that remove it', command('unlink', 'a', 'anne'), 'UNLINK'],
    ['of all keys', command('FLUSHALL'), 'FLUSHALL'],
    ['of a script', command('EVAL', 'return 1', '0'), 'EVAL'],
    ['that make another filter', command('CF.ADD', 'else', 'x'), 'CF.ADD'],
  ])('%s are refused', async (_, commands, named) => {
    expect(await refusal(followed(command('SELECT', '0'), commands))).toMatch(
      new RegExp(`such as ${named}; rewrite the file with redis-cli BGREWRITEAOF`),
    );
  });

  test('of another filter are skipped if the key is selected', async () => {
    const file = followed(command('BF.ADD', 'else', 'x'));
    expect(await asked(file, { column: 'anne' })).toEqual([true, false]);
  });

  test.each([
    'no command',
    '*1\r\n$4\r\nPI',
    '*1\r\n$4\r\nPING',
    '*1\r\n$9999999999\r\nPING\r\n',
    '*1\r\n$3\r\nPING\r\n',
    `*${'1'.repeat(99)}`,
  ])('%j is not a command', async (more) => {
    expect(await refusal(followed(more))).toMatch(/is damaged: /);
  });

  test.each([
    '$1\r\n',
    '*x\r\n',
    '*1x\r\n',
    '*\r\n',
    '*1\r\n*4\r\nPING\r\n',
    `*1\r\n$${'0'.repeat(15)}4\r\nPING\r\n`,
    `#${'.'.repeat(62)}\r\n`,
  ])('%j is none, and the file is damaged', async (more) => {
    expect(await refusal(followed(more))).toMatch(/the bytes after its database are not commands/);
  });

  test.each([
    `*1\r\n$${'0'.repeat(14)}4\r\nPING\r\n`,
    `#${'.'.repeat(61)}\r\n`,
    `*1\r\n$65\r\n${'FLUSHALL'.padEnd(65, 'x')}\r\n`,
    `*1\r\n$64\r\n${'PING'.padEnd(64, 'x')}\r\n`,
  ])('%j is skipped', async (more) => expect(await refusal(followed(more))).toBe('none'));
});

test('skipped values are read in pieces', () => {
  const bytes = databaseOf([keyOf('large', 0, text(Buffer.alloc(2 ** 21, 7))), filterKey('anne', ANNE)]);
  const read: number[] = [];
  const { filters } = filterKeysIn(
    {
      size: bytes.length,
      file: undefined,
      read(position, length) {
        read.push(length);
        return bytes.subarray(position, position + length);
      },
    },
    'large.rdb',
  );
  expect(filters).toHaveLength(1);
  expect(Math.max(...read)).toBeLessThanOrEqual(2 ** 18);
});
