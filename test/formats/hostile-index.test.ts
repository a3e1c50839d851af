// Indexes of files with correct checksums and wrong numbers. They give a one-line error and no answer, in the program and in browsers.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { decodeGroups } from '../../src/formats/index-file/entries.ts';
import { openIndex } from '../../src/web/file-index/index.ts';
import { scratch } from '../cli/run.ts';
import { xxh64 } from '../reference/xxh64.ts';

const { path, within } = scratch();

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(path(name), `${name}\nall\n`);
  await within(['index', '-q', '--checksum', 'a', 'b', 'c', '-o', 'small.index']);
});

const MASK = 2n ** 64n - 1n;

/** Writes an index with one changed number and the checksums of its header and page; all content is in one page. */
function forge(change: (bytes: Buffer) => void): void {
  const bytes = Buffer.from(readFileSync(path('small.index')));
  change(bytes);
  const header = xxh64(bytes.subarray(0, 120), 0n);
  bytes.writeBigUInt64LE(header, 120);
  const end = bytes.length - 8;
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(128, end), header & MASK), end);
  writeFileSync(path('forged.index'), bytes);
}

/** The offset of the tables, after the rows of the only group. */
const tables = () => 128 + Number(readFileSync(path('small.index')).readBigUInt64LE(56));
const COLUMNS = 24;
const ENTRIES = COLUMNS + 3 * 4;

const LARGE = [2n ** 31n, 2n ** 32n - 1n, 2n ** 40n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];

test.each([
  ['files', 40],
  ['groups', 48],
  ['bytes of rows', 56],
  ['bytes of names', 64],
])('a header with a wrong number of %s', async (_, at) => {
  const stated = readFileSync(path('small.index')).readBigUInt64LE(at);
  for (const number of [0n, stated - 1n, stated + 1n, ...LARGE]) {
    forge((bytes) => bytes.writeBigUInt64LE(number, at));
    await refused();
  }
});

test.each([
  ['the beginning of a group', 0, 8],
  ['rows', 8, 8],
  ['files of a group', 16, 4],
  ['the first column', 20, 4],
  ['a column', COLUMNS + 4, 4],
  ['the end of a name', ENTRIES, 8],
  ['the end of the last name', ENTRIES + 80, 8],
])('a table with a wrong number: %s', async (_, offset, length) => {
  const at = tables() + offset;
  const stated = readFileSync(path('small.index')).readUInt32LE(at);
  const limit = 2n ** BigInt(8 * length);
  for (const number of [BigInt(stated) + 9n, ...LARGE].filter((one) => one < limit)) {
    forge((bytes) => (length === 8 ? bytes.writeBigUInt64LE(number, at) : bytes.writeUInt32LE(Number(number), at)));
    await refused();
  }
});

test('a table that names the file after the last one', async () => {
  const at = tables() + COLUMNS;
  forge((bytes) => bytes.writeUInt32LE(2, at));
  expect(await within(['query', 'forged.index', '-e', 'all'])).toMatchObject({ status: 0 });
  expect(await inBrowsers()).toEqual(['b', 'c', 'c']);
  forge((bytes) => bytes.writeUInt32LE(3, at));
  expect(await refused()).toContain('it names a file that it does not have');
});

test.each([
  ['version', (bytes: Buffer) => bytes.writeUInt16LE(2, 8), /version 2/],
  ['hash', (bytes: Buffer) => bytes.writeUInt16LE(99, 12), /hash number 99/],
  ['flag', (bytes: Buffer) => bytes.writeUInt16LE(16, 14), /flags 0x10/],
  ['page', (bytes: Buffer) => bytes.writeUInt32LE(512, 20), /impossible numbers/],
  ['number of hash functions', (bytes: Buffer) => bytes.writeUInt32LE(65, 16), /impossible numbers/],
  ['flag of case', (bytes: Buffer) => bytes.writeUInt16LE(1 | 4, 14), /flags 0x5/],
  ['length of the header', (bytes: Buffer) => bytes.writeUInt16LE(129, 10), /impossible numbers/],
  ['number of hash functions, 0', (bytes: Buffer) => bytes.writeUInt32LE(0, 16), /impossible numbers/],
  ['rate', (bytes: Buffer) => bytes.writeDoubleLE(Number.NaN, 32), /impossible numbers/],
  ['rate of 0', (bytes: Buffer) => bytes.writeDoubleLE(0, 32), /impossible numbers/],
  ['rate of 1', (bytes: Buffer) => bytes.writeDoubleLE(1, 32), /impossible numbers/],
])('an unknown %s', async (_, change, message) => {
  forge(change);
  expect(await refused()).toMatch(message);
});

/** The files that the reader for browsers names. */
const inBrowsers = async () => (await openIndex(Uint8Array.from(readFileSync(path('forged.index'))))).filesWith('all');

async function refused(): Promise<string> {
  const { stdout, stderr, status } = await within(['query', 'forged.index', '-e', 'all']);
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toMatch(/^bloom: forged.index (is damaged: |has )[^\n]*\n$/);
  // The program adds what to do, and says where it read a length.
  const [reason = ''] = stderr.slice('bloom: forged.index '.length).split(/;| of its header/);
  await expect(inBrowsers()).rejects.toMatchObject({
    code: 'format',
    message: `the file ${reason.replace('instead of the', 'instead of')}`,
  });
  expect(await within(['merge', 'forged.index', 'small.index', '--dry-run'])).toMatchObject({ stdout: '', status: 2 });
  return stderr;
}

/** Groups as four numbers each: where its rows begin, their number, its files, and the first of its files. */
test.each([
  ['two groups', '0 8 1 0, 1 8 2 1', true],
  ['a group without files', '0 8 0 0, 0 8 3 0', false],
  ['a group without rows', '0 0 1 0, 0 12 2 1', false],
  ['2^32 rows', '0 8 1 0, 1 4294967296 2 1', false],
  ['a group that begins late', '0 8 1 0, 2 8 2 1', false],
  ['a group that leaves out a file', '0 8 1 0, 1 8 1 2', false],
])('a table with %s', (_, table, isAccepted) => {
  const groups = table.split(', ').map((group) => group.split(' ').map(Number));
  const bytes = new Uint8Array(groups.length * COLUMNS);
  const view = new DataView(bytes.buffer);
  for (const [i, [start = 0, rows = 0, files = 0, first = 0]] of groups.entries()) {
    view.setBigUint64(COLUMNS * i, BigInt(start), true);
    view.setBigUint64(COLUMNS * i + 8, BigInt(rows), true);
    view.setUint32(COLUMNS * i + 16, files, true);
    view.setUint32(COLUMNS * i + 20, first, true);
  }
  expect(decodeGroups(bytes, 3, 3) !== undefined).toBe(isAccepted);
});
