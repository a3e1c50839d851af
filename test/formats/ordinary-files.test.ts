// Files that are not filters must not be detected as filters. Some begin or end like filters; others are files of this machine.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formatOf, likelyFormat } from '../../src/formats/registry.ts';
import { headOf } from '../../src/io/positioned.ts';
import { IS_LONG } from '../long.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const wide = (text: string, encoding: 'utf16le' | 'utf32le') =>
  encoding === 'utf16le'
    ? Buffer.from(text, encoding)
    : Buffer.concat([...text].map((letter) => Buffer.concat([Buffer.from(letter), Buffer.alloc(3)])));

/** The head, the size in bytes and the end of each file. */
const FILES: Readonly<Record<string, [head: Uint8Array, size: number, end?: Uint8Array]>> = {
  'a font': [bytes('00010000 00130100 00040030 44534947'), 104_196],
  'text in UTF-16, big-endian': [wide('<!DOCTYPE html>', 'utf16le').swap16(), 3000],
  'text in UTF-32': [wide('<!DOCTYPE HTML PUBLIC "-//W3C//DTD', 'utf32le'), 2048],
  'a folder of a Macintosh': [bytes('00000001 42756431 00001000 00000800'), 15_364],
  'a compiled module of Python': [bytes('cb0d0d0a 00000000'), 2053, bytes('0df10416 01410172 10000000')],
  'a checksum in hexadecimal': [Buffer.from('0a2f8ee3d4ae7a5a3a0b2ee0b1e0c8aa7a3b5d0e'), 40],
  digits: [Buffer.from('012345670123456701234567'), 24],
  'many digits': [Buffer.from('0'.repeat(73)), 65_536, Buffer.from('0'.repeat(64))],
  'text that begins with the letters of an encrypted Parquet file': [
    Buffer.from(`PARENT_DIRECTORY\n${'-'.repeat(60)}`),
    300,
  ],
  'text that begins with those of ORC': [Buffer.from(`ORC\n---\n\n${'Optimised columns. '.repeat(5)}`), 300],
  'eight zeros': [new Uint8Array(8), 8],
  nothing: [new Uint8Array(0), 0],
};

test.each(Object.entries(FILES))('%s', (_, [head, size, end = new Uint8Array(0)]) => {
  const whole = Buffer.alloc(Math.min(size, 4096));
  whole.set(head.subarray(0, size));
  whole.set(end, whole.length - end.length);
  const tail = () => new Uint8Array(Buffer.concat([Buffer.alloc(64), whole]).subarray(-64));
  const begin = whole.subarray(0, 128);
  expect(formatOf(begin, size, tail)?.system).toBeUndefined();
  expect(likelyFormat(begin, size, tail)?.system).toBeUndefined();
});

/** The files in a folder and its subfolders, without .cache, where packages keep filters of other systems. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const name = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.cache') yield* filesIn(name);
    else if (entry.isFile()) yield name;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It may not be read.
    return [];
  }
}

test.runIf(IS_LONG)('files of packages and of the system', () => {
  const taken: string[] = [];
  let files = 0;
  for (const folder of ['node_modules', 'src', '/usr/share', '/etc']) {
    for (const name of filesIn(resolve(folder))) {
      try {
        const file = headOf(name, 'filter');
        const format = file && likelyFormat(file.head, file.size, file.tail);
        files++;
        if (format !== undefined) taken.push(`${name}: ${format.system}`);
      } catch {
        // It may not be read.
      }
    }
  }
  expect(files).toBeGreaterThan(500);
  expect(taken).toEqual([]);
});
