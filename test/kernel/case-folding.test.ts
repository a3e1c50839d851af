// Simple case folding of every character, against Node's regular expressions, and of arbitrary bytes.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEncoding } from '../../src/engine/input/key-encoding.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { areAlike, foldedBytes, single } from '../reference/case-folding.ts';
import { PLAIN_RULES } from './scanning.ts';
import { anyCharacter } from './texts.ts';

/** The Unicode version of the kernel's table. */
const UNICODE = '17.0';

/** The keys after the kernel has folded them. */
function folded(keys: readonly Uint8Array[], kernel: Kernel = loadKernel()): Uint8Array[] {
  const encode = createEncoding(kernel, { ...PLAIN_RULES, ignoreCase: 'unicode' });
  const bytes = Buffer.concat(keys);
  const at = kernel.reserve(bytes.length + 64);
  kernel.bytes(at, bytes.length).set(bytes);
  const spans = kernel.reserve(8 * keys.length + 8);
  const words = new Uint32Array(kernel.memory.buffer, spans, 2 * keys.length);
  let start = at;
  for (const [i, { length }] of keys.entries()) {
    words.set([start, length], 2 * i);
    start += length;
  }
  encode(spans, keys.length, bytes.length);
  const made = new Uint32Array(kernel.memory.buffer, spans, 2 * keys.length);
  return keys.map((_, i) => kernel.bytes(made[2 * i] ?? 0, made[2 * i + 1] ?? 0).slice());
}

/** Texts are compared far more quickly than arrays of bytes. */
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The first ideograph. No character from here on folds, so the default run tests only some of them. */
const IDEOGRAPHS = 0x20000;
const STEP = inLongRuns(1, 997);

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .filter((code) => code < IDEOGRAPHS || code % STEP === 0)
  .map((code) => String.fromCodePoint(code));

test('each character folds to one that Node treats as equal, and others are unchanged', () => {
  const kernel = loadKernel();
  const found = folded(
    CHARACTERS.map((character) => Buffer.from(character)),
    kernel,
  ).map((bytes) => Buffer.from(bytes).toString());
  const foldOf = new Map(CHARACTERS.map((character, i) => [character, found[i] ?? '']));
  const [ours = 0, theirs = 0] = [UNICODE, process.versions.unicode].map(Number);
  const isNews = (character: string) => theirs < ours && /\p{Cn}/u.test(character);
  let changed = 0;
  for (const [character, to] of foldOf) {
    if (to !== character) {
      changed++;
      expect(foldOf.get(to), character).toBe(to);
      if (!isNews(character)) expect(areAlike(character, to), character).toBe(true);
    }
    if (theirs > ours) continue;
    for (const other of [character.toUpperCase(), character.toLowerCase()])
      if (single(other) && other !== character && areAlike(character, other) !== (foldOf.get(other) === to))
        expect(other, character).toBe('folded alike where Node finds them alike');
  }
  expect(changed).toBe(1512);
});

test.skipIf(!IS_LONG || process.versions.unicode !== UNICODE)('the table is the output of its generator', () => {
  const kernel = new URL('../../src/kernel/assembly/', import.meta.url);
  const written = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('folding-runs.js', kernel)), ...args]).stdout.toString();
  expect(written()).toBe(readFileSync(new URL('encodings/folding-runs.ts', kernel), 'utf8'));
  expect(written('web')).toBe(readFileSync(new URL('../../web/folding-runs.ts', kernel), 'utf8'));
});

test('bytes are folded if they are UTF-8, and otherwise unchanged', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'Ä',
      'ß',
      'ẞ',
      'K',
      'ſ',
      'Ⱥ',
      'Σ',
      'ς',
      'Ꭰ',
      'ꭰ',
      'İ',
      'ı',
      '𐐀',
      'ﬅ',
      'Ὰ',
      'A',
      'z'.repeat(15),
      'É'.repeat(9),
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
  const cut = fc.constantFrom(
    [0xc3],
    [0x84],
    [0xc1, 0x81],
    [0xe0, 0x81, 0x81],
    [0xed, 0xa0, 0x80],
    [0xe1, 0xbc],
    [0xf0, 0x90, 0x90],
    [0xf4, 0x90, 0x80, 0x80],
    [0xff],
  );
  const key = fc
    .array(
      fc.oneof(
        piece.map((text) => Buffer.from(text)),
        cut.map((bytes) => Buffer.from(bytes)),
      ),
      { maxLength: 8 },
    )
    .map((parts) => new Uint8Array(Buffer.concat(parts)));
  const kernel = loadKernel();
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 20 }), (keys) => {
      expect(folded(keys, kernel).map(hex)).toEqual(keys.map((key) => hex(foldedBytes(key))));
    }),
    { numRuns: inLongRuns(100, 30) },
  );
});

test('all keys of a batch may become longer by half', () => {
  const keys = Array.from({ length: 300 }, (_, i) => Buffer.from('Ⱥ'.repeat(i)));
  expect(folded(keys).map((bytes) => Buffer.from(bytes).toString())).toEqual(keys.map((_, i) => 'ⱥ'.repeat(i)));
});
