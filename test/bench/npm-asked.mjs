// Nanoseconds in which a package looks up a key in a program: node npm-asked.mjs PACKAGE has|hasMany KEYS MEMBERS LINES N ASKED.
// PACKAGE is its folder. KEYS is the form of a line: a text, a slice of the file's text, a url or bytes. N is the capacity of the
// filter. ASKED is the number of lines to look up in each pass. The fastest pass counts, as the first ones compile and others are
// disturbed.

import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const [folder, work, sort, members, lines, n, asked] = process.argv.slice(2);
const ENTRIES = { bloomfilter: 'bloomfilter.js', 'bloom-filters': 'dist/api.js' };
const PASSES = 7;
const RATE = 0.01;

const name = basename(folder);
const module = await import(resolve(folder, ENTRIES[name] ?? 'dist/js/library.mjs'));
const { BloomFilter } = module.default ?? module;

/** Copies texts: a text that was split off is a slice, and a concatenated text is a tree. */
const ownTexts = (texts) => JSON.parse(JSON.stringify(texts));

const KEYS_OF = {
  slice: (lines) => lines,
  text: ownTexts,
  url: (lines) => ownTexts(lines.map((line) => `https://www.example.org/articles/${line}`)),
  bytes: (lines) => lines.map((line) => new TextEncoder().encode(line)),
};
const keysIn = (file, limit) => KEYS_OF[sort](readFileSync(file, 'latin1').trimEnd().split('\n').slice(0, limit));

/** A filter with the members, made by its package for this many keys. */
async function built() {
  const keys = keysIn(members);
  if (module.buildFilter !== undefined) return module.buildFilter(keys, { items: Number(n), fpr: RATE });
  const filter =
    name === 'bloomfilter'
      ? new BloomFilter(Math.ceil((-n * Math.log(RATE)) / Math.LN2 ** 2), 7)
      : BloomFilter.create(Number(n), RATE);
  for (const key of keys) filter.add(key);
  return filter;
}

const filter = await built();
const keys = keysIn(lines, Number(asked));

/** Each package runs in its own process, so that its calls are compiled as in a program that uses it alone. */
function found() {
  let count = 0;
  if (work === 'hasMany') for (const answer of filter.hasMany(keys)) count += answer;
  else if (name === 'bloomfilter') for (const key of keys) count += filter.test(key);
  else for (const key of keys) count += filter.has(key);
  return count;
}

let fastest = Number.POSITIVE_INFINITY;
for (let pass = 0; pass < PASSES; pass++) {
  const start = process.hrtime.bigint();
  if (found() < keys.length / 2) throw new Error('a member is missing');
  fastest = Math.min(fastest, Number(process.hrtime.bigint() - start) / keys.length);
}
console.log(fastest);
