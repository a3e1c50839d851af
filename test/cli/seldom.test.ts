// What reports and refusals state of files, flags and inputs that few users have.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { encodeTable } from '../reference/formats/parquet.ts';
import { fixture, scratch } from './run.ts';

const { path, within } = scratch();

beforeAll(async () => {
  writeFileSync(path('empty'), '');
  writeFileSync(path('abc'), 'a\nb\nc\n');
  writeFileSync(path('words'), 'a b\nc d\n');
  writeFileSync(path('xy'), 'x,y\n1,2\n');
  writeFileSync(path('yx'), 'y,x\n1,2\n');
  writeFileSync(path('many'), Array.from({ length: 5000 }, (_, i) => `${i}\n`).join(''));
  writeFileSync(path('header'), 'x,y');
  writeFileSync(path('null'), 'a\0');
  copyFileSync(fixture('formats/guava/k1.guava'), path('guava'));
  for (const name of ['none', 'zlib', 'old']) copyFileSync(fixture(`formats/orc/${name}.orc`), path(`${name}.orc`));
  copyFileSync(fixture('formats/rocksdb/v6.sst'), path('v6.sst'));
  copyFileSync(fixture('formats/postgres-bloom/text.bloomidx'), path('rows.bloomidx'));
  for (const line of [
    'build abc -o abc.bloom',
    'build --suffixes abc -o domains.bloom',
    'build -n 1M --segment-size 256KiB --part 1/4 abc -o part.bloom',
    'build -n 1000 -p 1e-15 abc -o exact.bloom',
    'build -n 1000 many -o overfull.bloom',
    'build -q -n 1 many -o full.bloom',
    'build -q -n 1 abc -o small.bloom',
    'build -q --format spark -n 1k abc -o 1k.spark',
    'build -q --format spark -n 2k abc -o 2k.spark',
    'build -q --kind ribbon --never many words -o never.bloom',
    ...[3, 7].map((part) => `build -n 10M --segment-size 256KiB --part ${part}/40 abc -o part-${part}.bloom`),
    'index --trim --checksum words -o words.index',
    'index empty -o empty.index',
    'index words abc -o fields.index',
    'index -d , -f 2- xy -o from-2.index',
    'index --header -d , -f y header -o header.index',
  ])
    expect(await within(line.split(' ')), line).toMatchObject({ stdout: '', status: 0 });
});

const parsed = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each([
  // A filter of Guava does not state how many keys it has.
  [
    'build empty --force -o guava',
    'guava was left as it was: the input has no keys, and this filter may have some; check the input',
  ],
  ['build empty --force -o abc.bloom', 'the input has no keys, and this filter has 3 keys; check the input'],
  ['digest --seed random abc -o x', 'digest does not accept a random seed, because build needs the same one'],
  ['build --format bip37 --seed random abc -o x', '--format bip37 does not accept a random seed; state a number'],
  [
    'build --format bip37 --seed 4294967296 abc -o x',
    'a seed of --format bip37 is from 0 to 4294967295, not 4294967296',
  ],
  ['build --passes 2 -n 1M -o x', '--passes reads its inputs 2 times, and standard input can be read only once'],
  ['stats --verify guava', 'guava is a filter of Guava, which has no checksum; leave out --verify'],
  ['query --which abc words', 'abc, words are not filters, and without -F all arguments of --which are filters'],
  ['query --which abc', 'abc is not a filter, and without -F all arguments of --which are filters'],
  [
    'query fields.index --header -d , -f x xy yx',
    'cannot read yx: its columns are in other places than in the input before',
  ],
  ['compare part.bloom abc.bloom', 'part.bloom is a part of a filter; join all parts first: bloom merge PART...'],
  [
    'compare full.bloom small.bloom',
    'from which no number of keys follows; build each of them with the same size: bloom build -n 10 LIST -o LIST.bloom',
  ],
  ['compare 1k.spark 2k.spark', 'do not fit together: bits is 19200 in 2k.spark, 9600 in 1k.spark'],
  ['dedup --state part.bloom abc', 'part.bloom is a part of a filter; state the flags that made it'],
  ['build --like abc.bloom --never many abc -o x', 'abc.bloom has no protected keys; leave out the file, or --like'],
  ['build --like never.bloom words -o x', 'never.bloom has protected keys, and a filter like it needs some'],
  ['build --kind ribbon -0 --never null null -o x', '1 key is both to be added and protected by --never: a; add'],
  [
    'merge part-3.bloom part-7.bloom -o x',
    'some of the 40 parts of the filter are missing: 1 to 2, 4 to 6, 8 to 40; name',
  ],
  ['size -n 1k --protected 10 --format guava', 'only the format bloomery has protected keys'],
])('bloom %s is refused', async (line, message) => {
  const { stdout, stderr, status } = await within(line.split(' '));
  expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  expect(stderr).toContain(message);
});

test.each([0, 2 ** 32 - 1])('a filter of BIP37 has the seed that is stated, %d', async (seed) => {
  const line = `build -q --format bip37 -n 3 --seed ${seed} abc --force -o seed.bip37`;
  expect(await within(line.split(' '))).toMatchObject({ stderr: '', status: 0 });
  // The last bytes are k, the tweak and the flags.
  expect(readFileSync(path('seed.bip37')).readUInt32LE(readFileSync(path('seed.bip37')).length - 5)).toBe(seed);
});

test.each([
  ['domains.bloom', 'kind            bloom, xxh64, seed 0, domain names\n'],
  ['part.bloom', 'part            part 1 of 4: segment 1 of 5\n'],
  ['words.index', 'kind         index of files, xxh64, seed 0, trimmed, checksums of files\n'],
  ['empty.index', 'size         217 B in 1 group, k = 7\n  files        1 with 0 distinct keys\n'],
  ['exact.bloom', 'predicted rate  1.62e-17 %, 1.62e-17 % of it from equal digests\n'],
  ['--max-rate 1e-14 --probes 0 abc.bloom', 'rebuild with a smaller -p or a larger -n\n'],
  ['--max-rate 1% --probes 0 overfull.bloom', 'is over 1.00 %: rebuild with -n 7.'],
  ['--probes 1000 v6.sst', ' of 1,000 random keys\n'],
  ['--probes 1000 rows.bloomidx', ' of 1,000 random keys\n'],
])('bloom stats %s', async (line, told) => {
  const { stdout, stderr } = await within([
    'stats',
    ...(line.includes(' ') ? [] : ['--probes', '0']),
    ...line.split(' '),
  ]);
  expect(stderr).toBe('');
  expect(stdout).toContain(told);
});

test.each([
  ['fields.index -e a', 'abc\n'],
  ['from-2.index -e 2 -e y -v', ''],
  ['from-2.index -e 1', ''],
])('bloom query %s', async (line, found) => {
  expect((await within(['query', ...line.split(' ')])).stdout).toBe(found);
});

test('a record that is larger than a buffer is one line of JSON', async () => {
  const long = 'é'.repeat(400_000);
  for (const flags of [[], ['-v']]) {
    const { stdout } = await within(['query', '--json', ...flags, 'abc.bloom'], { stdin: `${long}\na\n` });
    const absent = { record: long, match: false, file: '-', line: 1 };
    const present = { record: 'a', match: true, file: '-', line: 2 };
    expect(parsed(stdout)).toEqual(flags.length === 0 ? [absent, present] : [absent]);
  }
});

test.each([
  [1, 'x.parquet has no filter of row group 1: every key may be there'],
  [2, 'x.parquet has no filter of row group 1 and 1 other part: every key may be there'],
  [5, 'x.parquet has no filter of row group 1 and 4 other parts: every key may be there'],
])('a warning counts the parts of a file that have no filter: %d', async (without, warning) => {
  const keys = [new Uint8Array(Buffer.from('a'))];
  const groups = [keys, ...Array.from({ length: without }, () => undefined)];
  writeFileSync(path('x.parquet'), encodeTable([{ name: 'n', groups }], 1));
  const { stdout, stderr } = await within(['query', 'x.parquet', '-e', 'a', '-e', 'b']);
  expect(stdout).toBe('a\nb\n');
  expect(stderr).toContain(warning);
});

test.each([
  [['-f', '2'], 'a\nb\n', '2 records have no field 2,'],
  [['-f', '2-4'], 'a\nb\n', '2 records have no fields 2-4,'],
  [['-f', '3-'], 'a\nb\n', '2 records have no fields 3-,'],
  [['-f', '2,4-5'], 'a\n', '1 record has no fields 2,4-5,'],
  [['-f', '1-'], ' \n', '1 record has no fields,'],
  [['--csv', '--header', '-f', 'x'], 'id,x\na\nb\n', '2 records have no field x,'],
  [['--json-key', 'a.b'], 'a\n', '1 record has no value of a.b,'],
  [['--tokens', 'words'], '...\n', '1 record has no words,'],
])('a warning names the keys that no record has: %j', async (flags, stdin, warning) => {
  const { stdout, stderr } = await within(['query', 'abc.bloom', ...flags], { stdin });
  expect(stdout).toBe('');
  expect(stderr).toBe(`bloom: warning: ${warning} so there are no keys: none can be in the set\n`);
});

test('a warning counts the files that have no filter', async () => {
  const { stderr } = await within('query --which none.orc zlib.orc old.orc -e k --column nope'.split(' '));
  expect(stderr).toBe(
    'bloom: warning: none.orc and 2 other files have no Bloom filter of nope, so any key may be present\n',
  );
});

test.each([
  ['--bits-per-key 10', '--kind bloom', [[1_000_000, 10.000896]]],
  ['-n 1k --false-positives 100 --records 1M', '--kind bloom', [[1000, 19.456]]],
] as const)('bloom size %s', async (line, kind, expected) => {
  const { stdout, stderr } = await within(`size --json ${line} ${kind}`.split(' '));
  expect(stderr).toBe('');
  const rows = parsed(stdout).map(({ capacity, bitsPerKey }) => [capacity, bitsPerKey]);
  expect(rows).toEqual(expected);
});

test('sizes of protected keys are of all kinds that protect them', async () => {
  const { stdout } = await within(['size', '-n', '1k', '-p', '1%', '--protected', '10', '--kind', 'all', '--json']);
  expect(parsed(stdout).map(({ kind }) => kind)).toEqual(['ribbon', 'fuse']);
});
