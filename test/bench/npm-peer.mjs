// A thin driver for the two packages of the registry: node npm-peer.mjs PACKAGE build|count MEMBERS LINES N
// `count` builds first, as neither has files of its own; the benchmark says so.

import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [folder, work, members, lines, n] = process.argv.slice(2);
const module = await import(resolve(folder, basename(folder) === 'bloomfilter' ? 'bloomfilter.js' : 'dist/api.js'));
const { BloomFilter } = module.default ?? module;

const filter =
  basename(folder) === 'bloomfilter'
    ? new BloomFilter(Math.ceil((-n * Math.log(0.01)) / Math.LN2 ** 2), 7)
    : BloomFilter.create(Number(n), 0.01);
const has = (line) => (filter.has === undefined ? filter.test(line) : filter.has(line));
for await (const line of createInterface({ input: createReadStream(members) })) filter.add(line);
let found = 0;
if (work === 'count') for await (const line of createInterface({ input: createReadStream(lines) })) found += has(line);
console.log(work === 'count' ? found : n);
