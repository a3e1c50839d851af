// Tables, whose blocks have checksums: what is read of a filter is compared, whoever asks.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inLongRuns, sampled } from '../long.ts';
import { rocksdb } from '../reference/formats/rocksdb.ts';
import { answersTo, withAsked } from './asking.ts';
import { outcome, placed } from './bloomery/files.ts';

const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/formats/${name}`, import.meta.url)));

/** Keys of which some are in every part of the table in a fixture, and others. */
const KEYS = Array.from({ length: 64 }, (_, i) => Uint8Array.of(4 * i, 7 * i));

/** What becomes of asking a filter: its answers, or the code of the error. */
async function asking(file: string): Promise<boolean[] | string> {
  let answers: boolean[] = [];
  const code = await outcome(
    withAsked(file, 1, async (loaded) => {
      answers = await answersTo(loaded, KEYS);
      await loaded.verify?.({});
    }),
  );
  return code === 'accepted' ? answers : code;
}

/** A table of an oracle that has a few keys. */
function made(vessel: string): Uint8Array {
  const { filter } = rocksdb.vessels[vessel]?.() ?? { filter: undefined };
  for (const key of KEYS.slice(0, 20)) filter?.add(key);
  return filter?.encode() ?? new Uint8Array();
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
    expect(expected).not.toBe('format');
    const step = inLongRuns(1, Math.ceil(whole.length / 30));
    let refused = 0;
    for (let at = whole.length - 1; at >= 0; at -= at > whole.length - 120 ? inLongRuns(1, 4) : step) {
      const spoilt = whole.slice();
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      const answer = await asking(placed(spoilt));
      if (answer === 'format') refused++;
      else expect(answer, `byte ${at}`).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(20);
  });
});

test('a table that was taken in under a number, written into it later, is what it was', async () => {
  const whole = made('a line, version 5');
  const expected = await asking(placed(whole));
  const at = Buffer.from(whole).indexOf('global_seqno') + 'global_seqno'.length;
  const numbered = whole.slice();
  numbered[at] = 9;
  expect(await asking(placed(numbered))).toEqual(expected);
  numbered[at + 8] = 99;
  expect(await asking(placed(numbered))).toBe('format');
});
