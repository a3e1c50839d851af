// The characters that separate words: every character before, after and between letters.

import { expect, test } from 'vitest';
import { IS_LONG } from '../long.ts';
import { expectedScan, SCAN, scanned } from './scanning.ts';

/** The separators of the kernel's table, and its Unicode version. */
const UNICODE = '17.0';
const SEPARATOR = /[^\p{L}\p{N}\p{M}\p{Cf}\p{Cn}\p{Co}\p{Cs}]|[\p{Bidi_Control}\u200b\u2060\ufeff]/u;
const UNASSIGNED = /\p{Cn}/u;

/** From this code point on, Unicode has letters but no separators yet. */
const LETTERS = 0x20000;

/** The characters beyond ASCII without surrogates, which have no UTF-8. Only every 101st of the letters is here. */
const CHARACTERS = Array.from({ length: 0x10ffff - 0x7f }, (_, i) => i + 0x80)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .filter((code) => code < LETTERS || IS_LONG || code % 101 === 0)
  .map((code) => String.fromCodePoint(code));

/** The kernel's number of words in each record. */
async function wordCounts(records: readonly string[]): Promise<number[]> {
  const scan = { ...SCAN, selection: { nullTerminated: false, keys: { type: 'words' as const } } };
  const found = await scanned([Buffer.from(`${records.join('\n')}\n`)], scan);
  return found.map(({ digests }) => digests.length);
}

test('each character of Unicode is a part of words, or a separator', async () => {
  const counts = await wordCounts(CHARACTERS.map((character) => `a${character}b`));
  const isSeparating = (i: number) => counts[i] === 2;
  const wrong = CHARACTERS.filter((character, i) => isSeparating(i) !== SEPARATOR.test(character));
  const [ours = 0, theirs = 0] = [UNICODE, process.versions.unicode].map(Number);
  // Only the newer of two Unicode versions knows the new characters.
  const isNews = (character: string) => (theirs < ours ? UNASSIGNED.test(character) : theirs > ours);
  expect(wrong.filter((character) => !isNews(character))).toEqual([]);
  expect(wrong.length).toBeLessThan(200);
  expect(new Set(counts)).toEqual(new Set([1, 2]));
}, 60_000);

test.each([
  ['2 bytes', '\u00a0'],
  ['3 bytes', '\u201c'],
  ['4 bytes', '\u{1f600}'],
])('a separator of %s lies anywhere in a block, or in two', async (_, separator) => {
  for (let before = 0; before < 70; before++) {
    const word = 'x'.repeat(before);
    const expected = before === 0 ? 1 : 2;
    expect(await wordCounts([`${word}${separator}y`, `${word}${separator}`])).toEqual([expected, expected - 1]);
  }
});

test('an address in a longer word is a separate key, at any position of a block', async () => {
  const records = Array.from({ length: 140 }, (_, before) => `${'x'.repeat(before)} from-192.0.2.7-port`);
  const counts = await wordCounts(records);
  // The keys are the word, its address, and the letters before them.
  expect(counts).toEqual(records.map((_, before) => (before === 0 ? 2 : 3)));
});

test.each([
  ['a byte that goes on', [0x80]],
  ['a character that is cut off', [0xe2, 0x80]],
  ['too long a form of a space', [0xc0, 0xa0]],
  ['too long a form of U+00A0', [0xe0, 0x82, 0xa0]],
  ['too long a form of U+2013', [0xf0, 0x82, 0x80, 0x93]],
  ['more than Unicode has', [0xf5, 0x80, 0x80, 0x80]],
  ['much more than Unicode has', [0xf8, 0x80, 0x80, 0xa0]],
  ['a space of four bytes with a wrong lead', [0xf7, 0x9f, 0x98, 0x80]],
  ['Latin-1', [0xa0]],
])('%s is a part of words', async (_, bytes) => {
  const record = Buffer.concat([Buffer.from('a'), Buffer.from(bytes), Buffer.from('b\n')]);
  const scan = { ...SCAN, selection: { nullTerminated: false, keys: { type: 'words' as const } } };
  const [found] = await scanned([record], scan);
  expect(found?.digests).toHaveLength(1);
});

test('a character of four bytes that is cut off, before any byte, is a part of words', async () => {
  const cut = [[0xf0], [0xf0, 0x9f], [0xf0, 0x9f, 0x98], [0xf1, 0x80, 0x80]];
  const after = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 10);
  const records = cut.flatMap((bytes) => after.map((byte) => Buffer.from([0x61, ...bytes, byte, 0x62, 0x0a])));
  const scan = { ...SCAN, selection: { nullTerminated: false, keys: { type: 'words' as const } } };
  const input = [new Uint8Array(Buffer.concat(records))];
  expect(await scanned(input, scan)).toEqual(expectedScan(input, scan));
});
