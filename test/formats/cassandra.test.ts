// The version of Cassandra that wrote a filter, from the name of its file or from a flag.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { writeNewFile } from '../new-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-cassandra-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILTER = readFileSync(new URL('../../fixtures/formats/cassandra/nb.cassandra-4', import.meta.url));

const OLD = { rule: 'cassandra-2', order: 'be64' };
const THIRD = { rule: 'cassandra', order: 'be64' };
const NEW = { rule: 'cassandra', order: 'bytes' };

async function opened(name: string, format?: string, bytes: Uint8Array = FILTER) {
  const file = join(folder, name);
  writeNewFile(file, bytes);
  const opened = await openFilterFile(file, 'query', { format });
  opened.close();
  if (opened.layout !== 'arrays') throw new Error('it has segments');
  return opened;
}

// BigFormat.java and BtiFormat.java: `hasOldBfFormat` and `hasOldBfHashOrder`; the names are those of Descriptor.java.
describe('the version follows from the name of the file', () => {
  test.each([
    ['Keyspace1-Standard1-ic-1-Filter.db', OLD],
    ['ks-my-table-jb-12-Filter.db', OLD],
    ['ks-table-ka-1-Filter.db', OLD],
    ['ks-table-tmp-ka-1-Filter.db', OLD],
    ['la-1-big-Filter.db', OLD],
    ['lb-17-big-Filter.db', OLD],
    ['ma-1-big-Filter.db', THIRD],
    ['me-3g8q_0yvi_3ml1s2vvxzb3v7mdyr-big-Filter.db', THIRD],
    ['ms-1-big-Filter.db', THIRD],
    ['na-1-big-Filter.db', NEW],
    ['nb-1-big-Filter.db', NEW],
    ['copy_of_nb-1-big-Filter.db', NEW],
    ['oa-3gqp_0wkn_3fq6p2hk2nkcbh5r6z-big-Filter.db', NEW],
    ['da-1-bti-Filter.db', NEW],
  ])('%s', async (name, expected) => {
    expect((await opened(name)).arrays).toMatchObject([{ shape: { bits: 2048, k: 5, ...expected } }]);
  });

  test.each([
    ['Filter.db'],
    ['nb-1-big-Filter.db.copy'],
    ['nb-1-big-Data.db'],
    ['zz-1-big-Filter.db'],
    ['table-1-Filter.db'],
  ])('%s has no version', async (name) => {
    await expect(opened(name)).rejects.toMatchObject({
      code: 'format',
      message: `${join(folder, name)} is a filter of Cassandra, and its name does not show the version`,
      hint: expect.stringMatching(/--format cassandra-2, cassandra-3 or cassandra-4: the right version finds/),
    });
  });
});

test.each([
  ['cassandra-2', OLD],
  ['cassandra-3', THIRD],
  ['cassandra-4', NEW],
  ['cassandra', THIRD],
])('a stated version has precedence over the name: %s', async (format, expected) => {
  expect((await opened('mc-1-big-Filter.db', format)).arrays).toMatchObject([{ shape: expected }]);
});

test('a filter of one word calls nearly every key maybe present, and a remark says so', async () => {
  const one = Buffer.from('0000000500000001ffffffffffffffff', 'hex');
  const { description } = await opened('nb-2-big-Filter.db', undefined, one);
  expect(description.remarks).toEqual([
    expect.stringMatching(/^it has only one word, .*; it accepts nearly every key/),
  ]);
  expect((await opened('nb-2-big-Filter.db')).description.remarks).toEqual([]);
});
