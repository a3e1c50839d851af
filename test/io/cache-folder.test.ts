// The folders used for data that can be fetched again: only those in which no other user can put anything.

import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolder, userCacheFolder } from '../../src/io/cache-folder.ts';
import { codeCacheIn } from '../../src/io/code-cache.ts';
import { copiesIn } from '../../src/io/remote/copies.ts';

const base = mkdtempSync(join(tmpdir(), 'bloom-cache-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const root = join(base, 'root');
const below = ['bloom', 'things'];
const folder = join(root, ...below);
const others = join(base, 'others');
beforeEach(() => {
  for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true });
  mkdirSync(others);
});

const BYTES = Buffer.from('what can be had again');
const STOLEN = Buffer.from('what somebody else wrote');
const NAME = `${'0'.repeat(16)}-cli.cjs-query-v20.0.0-x64`;
const keptBytes = () => {
  cacheFolder(root, below).keep('file', [BYTES.subarray(0, 5), BYTES.subarray(5)]);
  return cacheFolder(root, below).read('file');
};
const isRoot = process.getuid?.() === 0;

test.skipIf(process.platform === 'win32')(
  'the folder of a user follows XDG_CACHE_HOME, with precedence over the variables of Windows',
  () => {
    mkdirSync(root, { mode: 0o700 });
    userCacheFolder('code', { XDG_CACHE_HOME: root, LOCALAPPDATA: others })?.keep('file', [BYTES]);
    expect(readdirSync(join(root, 'bloom', 'code'))).toEqual(['file']);
    expect(readdirSync(others)).toEqual([]);
  },
);

test('a file is kept and read again', () => {
  expect(cacheFolder(root, below).read('file')).toBeUndefined();
  expect(keptBytes()).toEqual(BYTES);
  expect(readdirSync(folder)).toEqual(['file']);
});

test('code that was kept is found, unless one of its halves was changed or cut off', () => {
  const kept = cacheFolder(root, below);
  const codes = codeCacheIn(kept);
  expect(codes.find(NAME)).toBeUndefined();
  codes.keep(NAME, BYTES);
  expect(codes.find(NAME)?.toString()).toBe(BYTES.toString());
  const twice = readFileSync(join(folder, NAME));
  for (const damaged of [twice.subarray(1), twice.subarray(0, -1), Buffer.from(twice).fill(1, 3, 4)]) {
    kept.keep(NAME, [damaged]);
    expect(codes.find(NAME)).toBeUndefined();
  }
});

/** Changes with which others can write into a folder. */
const unsafe: readonly (readonly [string, (name: string) => void])[] = [
  ['in which all can write', (name) => chmodSync(name, 0o777)],
  ['in which its group can write', (name) => chmodSync(name, 0o720)],
  ['in which others can write', (name) => chmodSync(name, 0o702)],
  ['of another user', (name) => chownSync(name, 1, 1)],
];

describe.each([
  ['the root', root],
  ['a folder below', join(root, 'bloom')],
  ['the folder itself', folder],
])('%s', (_, name) => {
  test.each(isRoot ? unsafe : unsafe.slice(0, -1))('%s is neither read nor written', (_, spoil) => {
    keptBytes();
    spoil(name);
    writeFileSync(join(folder, 'file'), STOLEN);
    expect(keptBytes()).toBeUndefined();
    expect(readFileSync(join(folder, 'file'))).toEqual(STOLEN);
    expect(cacheFolder(root, below).files(/./)).toEqual([]);
    cacheFolder(root, below).remove('file');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

describe.each([
  ['a folder below', join(root, 'bloom')],
  ['the folder itself', folder],
])('%s that is a symbolic link', (_, name) => {
  test('is neither read nor written, whosever folder it leads to', () => {
    keptBytes();
    rmSync(name, { recursive: true });
    mkdirSync(join(others, 'things'));
    for (const place of [others, join(others, 'things')]) writeFileSync(join(place, 'file'), STOLEN);
    symlinkSync(others, name);
    expect(keptBytes()).toBeUndefined();
    for (const place of [others, join(others, 'things')]) expect(readFileSync(join(place, 'file'))).toEqual(STOLEN);
  });
});

test('nothing is created in a folder of other users', () => {
  chmodSync(base, 0o777);
  try {
    expect(keptBytes()).toBeUndefined();
    expect(existsSync(root)).toBe(false);
  } finally {
    chmodSync(base, 0o700);
  }
});

describe('a file', () => {
  const spoilt: readonly (readonly [string, () => void])[] = [
    ['that is a symbolic link', () => symlinkSync(join(others, 'file'), join(folder, 'file'))],
    ['that all can write', () => writeFileSync(join(folder, 'file'), STOLEN, { mode: 0o666 })],
    ['that is a folder', () => mkdirSync(join(folder, 'file'))],
  ];
  test.each(spoilt)('%s is not read', (_, put) => {
    keptBytes();
    rmSync(join(folder, 'file'));
    writeFileSync(join(others, 'file'), STOLEN);
    const umask = process.umask(0);
    put();
    process.umask(umask);
    expect(cacheFolder(root, below).read('file')).toBeUndefined();
  });

  test.runIf(isRoot)('of another user is not read, also through a hard link', () => {
    keptBytes();
    rmSync(join(folder, 'file'));
    writeFileSync(join(others, 'file'), STOLEN);
    chownSync(join(others, 'file'), 1, 1);
    linkSync(join(others, 'file'), join(folder, 'file'));
    expect(cacheFolder(root, below).read('file')).toBeUndefined();
  });

  test('is not written through a link with the name of the unfinished file', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(others, 'file'), STOLEN);
    symlinkSync(join(others, 'file'), join(folder, `file.${process.pid}.part`));
    keptBytes();
    expect(readFileSync(join(others, 'file'))).toEqual(STOLEN);
  });
});

test('in a full folder only the cache’s own files are removed: other names and the targets of links stay', () => {
  keptBytes();
  const stays = ['notes.txt', `${NAME}.txt`, `a${NAME}`, `${'f'.repeat(64)}.copy.txt`, 'file'].sort();
  for (const name of stays) writeFileSync(join(folder, name), '');
  for (let i = 0; i < 64; i++) writeFileSync(join(folder, NAME.replace(/0{3}/, String(i).padStart(3, '0'))), '');
  codeCacheIn(cacheFolder(root, below)).keep(NAME, BYTES);
  expect(readdirSync(folder).sort()).toEqual([NAME, ...stays].sort());

  writeFileSync(join(others, 'file'), STOLEN);
  symlinkSync(join(others, 'file'), join(folder, `${'e'.repeat(64)}.copy`));
  const version = { etag: '"a"', modified: undefined, size: 1 };
  copiesIn(cacheFolder(root, below), 'http://host/', 1).keep({ version, pieces: [] });
  expect(readdirSync(folder).sort()).toEqual([NAME, `${'e'.repeat(64)}.copy`, ...stays].sort());
  expect(readFileSync(join(others, 'file'))).toEqual(STOLEN);
});
