// Addresses in logs, beside each character of Unicode's basic plane. A query of words finds each address that grep -w finds beside a
// separator.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratch } from './run.ts';

const { path, within } = scratch();
const ADDRESS = '192.0.2.7';
const UTF8 = { LC_ALL: 'C.UTF-8' };

/** Characters that separate words, by their categories. */
const SEPARATOR = /[\p{P}\p{S}\p{Z}\p{Cc}]/u;
const CHARACTERS = Array.from({ length: 0xffff - 0x20 }, (_, i) => String.fromCharCode(i + 0x21)).filter(
  (character) => !/[\p{Cs}\p{Cn}]/u.test(character),
);

/** Lines with a number and an address: after a character, before it, and between two. */
const LINES = CHARACTERS.flatMap((character, i) => [
  `${i} ${character}${ADDRESS}`,
  `${i} ${ADDRESS}${character} x`,
  `${i} x${character}${ADDRESS}${character}`,
]);

/** What grep finds in a UTF-8 locale; undefined if grep or such a locale is missing. */
function grepped(): Set<string> | undefined {
  const isUtf8 = spawnSync('grep', ['-c', '^.$'], { input: 'é\n', env: { ...process.env, ...UTF8 } }).status === 0;
  if (!isUtf8) return undefined;
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, ...UTF8 } } as const;
  return new Set(spawnSync('grep', ['-aFw', ADDRESS, path('lines')], options).stdout.split('\n'));
}

test('an address beside any separator is found, as grep -Fw finds it', async () => {
  writeFileSync(path('address'), `${ADDRESS}\n`);
  writeFileSync(path('lines'), `${LINES.join('\n')}\n`);
  await within(['build', '-p', '1e-9', 'address', '-o', 'a.bloom']);
  const { stdout } = await within(['query', 'a.bloom', '--tokens', 'words', 'lines']);
  const found = new Set(stdout.split('\n'));
  const isBeside = (line: string) => SEPARATOR.test(line.replace(ADDRESS, '').replace(/[\dx ]/g, ''));
  const theirs = grepped();
  if (theirs === undefined)
    console.warn('without grep in a UTF-8 locale only the categories of characters are compared');
  // ASCII joiners are a part of words.
  const missed = LINES.filter((line) => isBeside(line) && !/[\w.-]192|7[\w.-]/.test(line) && !found.has(line));
  expect(missed).toEqual([]);
  expect(LINES.filter((line) => isBeside(line) && theirs?.has(line) && !found.has(line))).toEqual([]);
  const letters = LINES.filter((line) => /\p{L}192/u.test(line));
  expect(letters.length).toBeGreaterThan(10_000);
  expect(letters.filter((line) => found.has(line))).toEqual([]);
});
