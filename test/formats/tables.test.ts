// Tables, whose blocks have checksums. Every query verifies the blocks that it reads.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { cursorOf } from '../../src/formats/tables/entries.ts';
import { tableChecksum } from '../../src/formats/tables/table-block.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { inLongRuns, sampled } from '../long.ts';
import { rocksdb } from '../reference/formats/rocksdb.ts';
import { tableSum, varint } from '../reference/formats/table.ts';
import { answersTo, withLoaded } from './asking.ts';
import { outcome, placed } from './bloomery/files.ts';

const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/formats/${name}`, import.meta.url)));

/** Keys of the tables of oracles and of fixtures, and absent keys. */
const OWN_KEYS = Array.from({ length: 64 }, (_, i) => Uint8Array.of(4 * i, 7 * i));
const ASKED = Buffer.from(fixture('asked.txt')).toString().split('\n').slice(0, -1);
const KEYS = [...OWN_KEYS, ...ASKED.filter((_, i) => i % 7 === 0).map((key) => new Uint8Array(Buffer.from(key)))];

/** The outcome of queries: one digit per answer, or the code of the error. */
async function asking(file: string): Promise<string> {
  let answers = '';
  const code = await outcome(
    withLoaded(file, 1, async (loaded) => {
      answers = (await answersTo(loaded, KEYS)).map(Number).join('');
      await loaded.verify?.({});
    }),
  );
  return code === 'accepted' ? answers : code;
}

/** A table of the oracle with a few keys. */
function made(vessel: string): Uint8Array {
  const { filter } = rocksdb.vessels[vessel]?.() ?? { filter: undefined };
  for (const key of OWN_KEYS.slice(0, 20)) filter?.add(key);
  return filter?.encode() ?? new Uint8Array();
}

test('numbers of any length are those of the oracle', () => {
  for (const number of [0, 1, 127, 128, 129, 255, 256, 2 ** 14 - 1, 2 ** 14, 2 ** 32, 2 ** 53 - 1])
    expect(cursorOf(varint(number), 'a block').varint()).toBe(number);
  const larger = Uint8Array.of(...Array.from({ length: 7 }, () => 0x80), 0x10);
  expect(() => cursorOf(larger, 'a block').varint()).toThrow('wrong lengths');
});

test.each(['crc32c', 'xxh32', 'xxh64', 'xxh3'] as const)('the %s of a block is that of the oracle', (checksum) => {
  const kernel = loadKernel();
  for (const length of [1, 2, 17, 129, 1000]) {
    const address = kernel.reserve(length + 1);
    const block = { kernel, address, bytes: kernel.bytes(address, length + 1) };
    block.bytes.set(Buffer.from(fixture('asked.txt')).subarray(length, 2 * length + 1));
    expect(tableChecksum(block, checksum, length)).toBe(tableSum(block.bytes.slice(0, length), checksum));
  }
});

/** The number of bytes changed together. If a reader notices, every STEP-th of them is changed alone. */
const RANGE = inLongRuns(128, 256);
const STEP = inLongRuns(7, 9);

/** A copy in which one bit of each of some bytes is flipped. */
function flipped(whole: Uint8Array, places: readonly number[]): Uint8Array {
  const spoilt = whole.slice();
  for (const at of places) spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
  return spoilt;
}

describe.each(
  sampled([
    ['bits10.ldb', fixture('leveldb/bits10.ldb')],
    ['row.hfile', fixture('hbase/row.hfile')],
    ['gz-jenkins.hfile', fixture('hbase/gz-jenkins.hfile')],
    ['bits12.ldb', fixture('leveldb/bits12.ldb')],
    ['v6.sst', fixture('rocksdb/v6.sst')],
    ['v6-partitions.sst', fixture('rocksdb/v6-partitions.sst')],
    ['a line, version 5', made('a line, version 5')],
    ['older parts, not plain', made('older parts, not plain')],
  ]),
)('of a table, %s,', (_, whole) => {
  test('no flipped bit changes an answer', async () => {
    const expected = await asking(placed(whole));
    expect(expected).toMatch(/1/);
    let refused = 0;
    for (let first = 0; first < whole.length; first += RANGE) {
      const range = Array.from({ length: Math.min(RANGE, whole.length - first) }, (_, i) => first + i);
      // Most of a table is rows, which no query reads. Changes there are not noticed.
      if ((await asking(placed(flipped(whole, range)))) === expected) continue;
      for (const at of range.filter((at) => at % STEP === 0)) {
        const answer = await asking(placed(flipped(whole, [at])));
        if (answer === 'format') refused++;
        else expect(answer, `byte ${at}`).toBe(expected);
      }
    }
    expect(refused).toBeGreaterThan(inLongRuns(25, 20));
  });
});

test('an ingested table is read although its number was written later', async () => {
  const whole = made('a line, version 5');
  const expected = await asking(placed(whole));
  const at = Buffer.from(whole).indexOf('global_seqno') + 'global_seqno'.length;
  const numbered = whole.slice();
  numbered[at] = 9;
  expect(await asking(placed(numbered))).toBe(expected);
  numbered[at + 8] = 99;
  expect(await asking(placed(numbered))).toBe('format');
});

// util/hash.cc of LevelDB 1.18 made bytes unsigned, and util/bloom.cc gave the policy another name.
test('a table with the old name of the policy counts as goleveldb’s, with a warning unless its system is stated', async () => {
  const described = async (name: string, format?: string) => {
    const file = fileURLToPath(new URL(`../../fixtures/formats/leveldb/${name}`, import.meta.url));
    const { description, close } = await openFilterFile(file, 'query', { format });
    close();
    return { hash: description.rules.hash, doubt: description.doubt };
  };
  const doubt = expect.stringMatching(/--format goleveldb or --format leveldb-1\.17/);
  expect(await described('goleveldb.ldb')).toEqual({ hash: 'leveldb', doubt });
  expect(await described('goleveldb.ldb', 'leveldb')).toEqual({ hash: 'leveldb', doubt });
  expect(await described('goleveldb.ldb', 'leveldb-1.17')).toEqual({ hash: 'rocksdb', doubt: undefined });
  expect(await described('goleveldb.ldb', 'goleveldb')).toEqual({ hash: 'leveldb', doubt: undefined });
  expect(await described('bits10.ldb')).toEqual({ hash: 'leveldb', doubt: undefined });
});
