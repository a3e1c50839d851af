import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { sampled } from '../long.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, within } = scratch();

beforeAll(async () => {
  await within(['build', fixture('words.txt'), '-o', 'words.bloom']);
  writeFileSync(path('text'), 'just text\n');
  writeFileSync(path('empty'), '');
  writeFileSync(path('one'), 'one\n');
  writeFileSync(path('nul'), 'text\0one\0');
  writeFileSync(path('lines'), 'text\none\n');
  await within(['build', 'text', '--part', '1/2', '-n', '1M', '-o', 'part.bloom']);
  await within(['build', 'text', '--never', 'one', '--kind', 'ribbon', '-o', 'never.bloom']);
  await within(['build', 'text', '-i', '-o', 'domains.bloom']);
  const damaged = readFileSync(path('words.bloom'));
  damaged[3000] = (damaged[3000] ?? 0) ^ 1;
  writeFileSync(path('damaged.bloom'), damaged);
  writeFileSync(path('words.gz'), gzipSync(damaged));
  writeFileSync(path('short.bloom'), damaged.subarray(0, 2000));
  writeFileSync(path('cut.gz'), readFileSync(fixture('formats/dcso/a.bloom.gz')).subarray(0, 200));
});

describe('an error is one line with the fault and the remedy', () => {
  test.each([
    [['query', 'nowhere.bloom', '-e', 'x'], 'cannot read nowhere.bloom: no such file or folder'],
    [
      ['query', 'text', '-e', 'x'],
      'text is not a filter of bloom: it does not begin with the signature of one; try bloom build text -o text.bloom',
    ],
    [['query', 'text', 'words.bloom'], 'text is not a filter of bloom'],
    [
      ['stats', 'words.gz'],
      'words.gz is compressed with gzip, and bloom cannot query it compressed; decompress it first',
    ],
    [['query', 'words.gz', '-e', 'x'], 'words.gz is compressed with gzip'],
    [
      ['query', 'cut.gz', '-e', 'x'],
      'cannot read cut.gz to its end: as gzip it is cut off or corrupt (unexpected end of file); download it again',
    ],
    [['query', 'empty', '-e', 'x'], 'empty is empty, not a filter; make one with bloom build'],
    [
      ['query', 'damaged.bloom', '-e', 'x'],
      'damaged.bloom is damaged: segment 1 of 1 does not match its checksum (header and table are intact); restore a copy',
    ],
    [['stats', 'short.bloom'], 'short.bloom is damaged: it has 2000 bytes instead of the'],
    [['query'], 'no filter is named; name it before the records, or with -F'],
    [['build', 'text'], "required option '-o, --output <file>' not specified"],
    [['build', 'text', '-o', 'new/'], 'cannot write new/: it names a folder; name a file, in a folder that exists'],
    [['build', 'text', '-o', '.'], 'cannot write .: it is a directory; name a file in it'],
    [
      ['build', 'text', '-o', 'no/such/folder/x.bloom'],
      'cannot write no/such/folder/x.bloom: there is no folder no/such/folder',
    ],
    [['merge', 'words.bloom'], 'no output is named; try bloom merge words.bloom -o merged.bloom'],
    [
      ['build', 'text', '-n', '-p', '1%', '-o', 'x'],
      "option '-n, --items <count>' argument '-p' is invalid: expected a whole number from 1 to 2^53 - 1, such as 10k, 1M, 1e6 or 1,000,000; give -n a value: it took -p as its value",
    ],
    [
      ['build', 'text', '-d', '-f', '2', '-o', 'x'],
      '--delimiter separates fields, but no field is selected; give -d a value: it took -f as its value',
    ],
    [
      ['query', '-D', '-f', '2', 'words.bloom'],
      'cannot read 2: no such file or folder; give -D a value: it took -f as its value',
    ],
    [['query', 'words.bloom', '--state', 'x'], "unknown option '--state'; leave it out: it is a flag of dedup"],
    [['size', '--summary'], "unknown option '--summary'; leave it out: it is a flag of query, dedup"],
    // Another command has a flag of this name, but this one has one with the same meaning.
    [['build', '-o', 'x', '--column', '2', 'text'], "unknown option '--column'; try bloom build -o x --field 2 text"],
    [['query', 'words.bloom', '--cout'], "unknown option '--cout'; try bloom query words.bloom --count"],
    [['qeury', 'words.bloom'], "unknown command 'qeury'; try bloom query words.bloom"],
    [
      ['query', 'words.bloom', '-d', ','],
      '--delimiter separates fields, but no field is selected; add -f NUMBER, or -f 1- for every field',
    ],
    [['query', 'words.bloom', '--tag', '--json'], '--tag and --json ask for different outputs'],
    [['query', 'words.bloom', '-f', '2', '-e', 'x'], '--field has no effect: a key of -e is used whole; leave it'],
    [['query', 'words.bloom', '-d', ',', '-e', 'x'], '--delimiter has no effect: a key of -e is used whole; leave'],
    [
      ['size', '--json', '--key-size', '3'],
      '--key-size has no effect: --json does not compare with stored keys; leave it',
    ],
    [['size', '--csv', '--key-size', '3'], '--key-size has no effect: --csv does not compare with stored keys'],
    [['merge', 'words.bloom', '--dry-run', '--force'], '--force has no effect: --dry-run writes nothing; leave it out'],
    [['merge', 'words.bloom', '--dry-run', '-o', 'x'], '--output has no effect: --dry-run writes nothing'],
    [['size', '10M'], "too many arguments for 'size'. Expected 0 arguments but got 1; try bloom size -n 10M"],
    [
      ['size', '--kind', 'cuckoo', '-n', '9', '-k', '33'],
      'this kind of filter has at most 32 hash functions, not 33; lower -k',
    ],
    [['query', 'words.bloom', '-qc', '-e', 'x'], '--count has no effect: --quiet prints nothing'],
    [['query', 'words.bloom', '-q', '--line-buffered', 'text'], '--line-buffered has no effect: --quiet prints'],
    [['query', 'words.bloom', '-cn', 'text'], '--line-number has no effect: --count prints no records'],
    [
      ['query', 'words.bloom', '-F', 'text', '-q', '--which', 'text'],
      '--which has no effect: --quiet prints no records',
    ],
    [['query', 'words.bloom', '-q', '--first-only', '--summary', 'text'], '--first-only has no effect: --quiet prints'],
    [['query', 'words.bloom', '-q', '--which', '--first-only'], '--first-only has no effect: --quiet prints nothing'],
    [['query', 'words.bloom', '-q', '--which', '--json'], '--json has no effect: --quiet prints nothing'],
    [
      ['query', 'words.bloom', '-F', 'text', '--all', '--which', '-c', 'text'],
      '--all needs all filters, --which with --count counts for each filter; leave out one of them, or add --json',
    ],
    [
      ['dedup', '-d', ',', 'text'],
      '--delimiter separates fields, but no field is selected; add -f NUMBER, or several fields that are one key together, such as -f 1,3',
    ],
    [['dedup', '-d', 'text'], '--delimiter separates fields, but no field is selected; add -f NUMBER, or several'],
    [
      ['dedup', '--state', 'text'],
      'text is not a filter of bloom: it does not begin with the signature of one; try bloom dedup --state text.bloom text',
    ],
    [
      ['dedup', '--state=text', '-c', 'empty'],
      'text is not a filter of bloom: it does not begin with the signature of one; try bloom dedup -c empty --state text.bloom text',
    ],
    [['dedup', '-m', '1', 'text'], '--bits is too small: 1 bit holds no key at a rate of 0.000100 %; state more'],
    [
      ['query', 'words.bloom', '--which', 'text', '-e', 'x'],
      'text is not a filter, and without -F all arguments of --which are filters; try bloom query -F words.bloom --which text -e x',
    ],
    [
      ['query', 'words.bloom', '--json-key', '$.a.b', 'text'],
      "option '--json-key <path>' argument '$.a.b' is invalid: expected names with dots between them, such as user.id or \"a.b\".c; try bloom query words.bloom --json-key a.b text",
    ],
    [
      ['dedup', '-D', ',', 'text'],
      '--delimiters separates fields, but no field is selected; add -f NUMBER, or several',
    ],
    [['dedup', '--csv', 'text'], '--csv separates fields, but no field is selected; add -f NUMBER, or several'],
    [
      ['dedup', '--csv', '--json-key', 'a', 'text'],
      '--csv has no effect: --json-key already selects the key of a line',
    ],
    [['dedup', '--any-token', 'text'], "unknown option '--any-token'; a record has one key here; several fields"],
    [['dedup', '--tokens', 'words', 'text'], "unknown option '--tokens'; a record has one key here; several fields"],
    [
      ['query', 'words.bloom', '--json', '-H', 'text'],
      '--with-filename has no effect: --json prints the file and the line',
    ],
    [['stats', 'words.bloom', '-f', '2'], '--field has no effect: no records are read without --absent or --present'],
    [['stats', 'words.bloom', '-0'], '--null has no effect: no records are read without --absent or --present'],
    [['query', '-', '-'], 'standard input can be read only once'],
    [['build', '--like', '-', '-o', 'x'], 'standard input can be read only once'],
    [['merge', '-', '-', '-o', 'x'], 'standard input can be read only once'],
    [['build', '-n', '1k', '-n', '2k', '-o', 'x'], '--items is given twice; leave out one of them'],
    [['build', '-o', 'x', '--output', 'y'], '--output is given twice; leave out one of them'],
    [['build', '--kind', 'bloom', '--kind', 'cuckoo', '-o', 'x'], '--kind is given twice'],
    [['size', '--growth', '2', '--growth', '2'], '--growth is given twice'],
    [['stats', 'words.bloom', '--present', 'text', '--present', 'text'], '--present is given twice'],
    [['stats', 'words.bloom', '--absent', 'text', '--absent', 'text'], '--absent is given twice'],
    [['stats', 'words.bloom', '-o', 'x', '-o', 'y'], '--output is given twice'],
    [['stats', 'a', 'b', '--present', '-'], 'standard input can be read only once'],
    [
      ['build', '--kind', 'ribbon', '-n', '1k', '-p', '1e-12', '-o', 'x'],
      'a ribbon filter for 1,000 keys has a rate of 2.33e-8 % at best',
    ],
    [
      ['build', 'text', '-o', 'x', '--hash', 'md5'],
      `option '--hash <name>' argument 'md5' is invalid. Allowed choices are ${HASH_NAMES.join(', ')}`,
    ],
    [['build', 'text', '--json', '-o', '-'], 'the filter and --json cannot both go to standard output'],
    [
      ['build', 'text', '--never', 'one', '--kind', 'ribbon', '--segment-size', '16KiB', '-o', 'x'],
      '--segment-size is not supported by filters with protected keys; leave out --segment-size',
    ],
    [
      ['build', 'text', '--kind', 'cuckoo', '--segment-size', '16KiB', '-o', 'x'],
      '--segment-size is not supported by cuckoo',
    ],
    [
      ['build', 'text', '--key-type', 'int64', '-o', 'x'],
      'filters of the format bloomery have keys of text, not of type int64; choose a --format that has this type',
    ],
    [
      ['build', 'text', '--like', 'part.bloom', '--passes', '2', '-o', 'x'],
      '--passes builds a whole filter, and --like names a part of one; leave out --passes or --like',
    ],
    [
      ['build', 'text', '--like', 'words.bloom', '--never', 'one', '-o', 'x'],
      'words.bloom has no protected keys; leave out the file, or --like',
    ],
    [
      ['build', 'text', '--like', 'never.bloom', '-o', 'x'],
      'never.bloom has protected keys, and a filter like it needs some; name their file with --never or --universe',
    ],
    [
      ['build', 'text', '--format', 'guava', '--key-type', 'int64', '--key-hash', 'md5', '-o', 'x'],
      '--key-hash makes text of keys, and --key-type states another type; leave out one of them',
    ],
    [
      ['build', 'text', '--format', 'spark', '--seed', 'random', '-o', 'x'],
      '--format spark does not accept a random seed; state a number',
    ],
    [
      ['build', 'text', '--format', 'spark', '--seed', '2147483648', '-o', 'x'],
      'a seed of --format spark is from 0 to 2147483647, not 2147483648; state another one',
    ],
    [['build', 'text', '--headroom', '30%', '-m', '1k', '-o', 'x'], '--headroom adds to --items, which is not stated'],
    [
      ['build', 'text', '--kind', 'scalable', '--growth', '3', '-o', 'x'],
      '--growth of the format bloomery is 2, 4, 8, 16, not 3; state another one',
    ],
    [['build', '--files-from', 'nul', '-o', 'x'], 'the names in nul end with NUL; use --files0-from'],
    [['build', '--files0-from', 'lines', '-o', 'x'], 'the names in lines end with newlines; use --files-from'],
    [
      ['dedup', 'text', '--kind', 'fuse', '-n', '9'],
      'a fuse filter is made of all its keys at once, so it cannot tell new keys from known ones; choose another --kind',
    ],
    [['dedup', 'text', '--json'], '--json prints the counts of --count and --summary; add one of them'],
    [
      ['digest', 'text', '--kind', 'scalable', '--parts', '2', '-o', 'x-%d'],
      'a scalable filter grows, so it has no parts; name another --kind',
    ],
    [['index', '--update', 'text', '-o', '-'], '--update needs an index that it can read; name a file after -o'],
    [['stats', 'words.bloom', '--json', '--prometheus'], '--json and --prometheus ask for different outputs'],
    [['size', '--csv', '--json'], '--json and --csv contradict each other; leave out one of them'],
    [['size', '--csv', '--overfill', '-n', '9'], '--csv cannot print --overfill; use --json'],
    [
      ['size', '-n', '9', '--protected', '9', '--format', 'guava'],
      '--format has no effect: only the format bloomery has protected keys; leave it out',
    ],
    [
      ['size', '--bits-per-key', '0'],
      "option '--bits-per-key <number>' argument '0' is invalid: expected a number above 0, such as 9.6",
    ],
    [
      ['size', '--tightening', '0.12345'],
      "option '--tightening <ratio>' argument '0.12345' is invalid: expected a number between 0 and 1 with at most four digits, such as 0.85",
    ],
    [
      ['query', 'https://example.org/x.bloom', '--http-header', '@empty', '-e', 'x'],
      'there is no header in empty; write it as NAME: VALUE, such as Authorization: Bearer TOKEN',
    ],
    [
      ['compare', ...Array.from({ length: 257 }, () => 'words.bloom')],
      '257 filters are too many; compare at most 256 at once',
    ],
    [
      ['query', 'domains.bloom', '--fold', '-co', '--tokens', 'words', 'text'],
      '--only-matching and --count together count the keys that matched, and each is looked up in several forms here',
    ],
  ])('%j', async (args, message) => {
    const { stdout, stderr, status } = await within(args);
    expect(stderr).toContain(`bloom: ${message}`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test.each(sampled([...Object.keys(COMMANDS), 'qeury']))('of a process: %s --cout', async (name) => {
    const { stdout, stderr, status } = await within([name, '--cout']);
    expect(stderr).toMatch(/^bloom: [^\n]+; [^\n]+\n$/);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  test('are not what an alias and a command line say of colour and threads: the last one holds', async () => {
    const twice = ['--color', 'never', '--color', 'always', '--threads', '2', '--threads', '1'];
    const { stderr, status } = await within(['query', 'words.bloom', 'gone', ...twice]);
    expect(stderr.startsWith('\u001b[31mbloom:')).toBe(true);
    expect(status).toBe(2);
  });

  test('refuses arguments whose bytes were lost', async () => {
    const { stderr, status } = shell("$BLOOM query words.bloom -e $'\\xff\\xfe'");
    expect(stderr).toContain('is not UTF-8; pass such keys on standard input');
    // A key may contain U+FFFD, which programs write in the place of such bytes.
    await within(['build', '-o', 'replaced.bloom'], { stdin: 'a\uFFFD\n' });
    expect((await within(['query', 'replaced.bloom', '-e', 'a\uFFFD'])).stdout).toBe('a\uFFFD\n');
    expect(status).toBe(2);
  });

  test('refuses an output that is a link to nowhere', async () => {
    symlinkSync(path('nowhere'), path('dangling'));
    expect((await within(['build', 'text', '--force', '-o', 'dangling'])).stderr).toContain(
      'is a symbolic link to a missing file',
    );
  });

  test('escapes what could drive a terminal', async () => {
    const { stderr } = await within(['query', 'evil\u001b[31m', '-e', 'x']);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toContain('\\u001b');
    for (const args of [['build', '--kind', 'x\n\u001b[31m'], ['q\n\u001b[31m'], ['stats', '--fo\n\u001b[31m', 'x']]) {
      const told = (await within(args)).stderr;
      expect(told).not.toContain('\u001b');
      expect(told.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

describe('the intended name is suggested', () => {
  // Flags of grep and uniq.
  test.each([
    ['query', '-E', 'leave it out: keys are not patterns, they are compared byte by byte'],
    ['query', '--perl-regexp', 'leave it out: keys are not patterns, they are compared byte by byte'],
    ['query', '-x', 'leave it out: a whole record is compared, or the field that -f names'],
    ['query', '-w', 'try bloom query --tokens=words text'],
    ['query', '-C3', 'leave it out: only selected records are printed; -n prints their numbers'],
    ['query', '--no-filename', 'leave it out: file names are printed only with -H'],
    ['query', '--pattern', 'try bloom query --key text'],
    ['query', '--json-path', 'try bloom query --json-key text'],
    [
      'dedup',
      '--unique',
      'leave it out: dedup prints each key once; to print only keys that never repeat, use sort | uniq -u',
    ],
    ['dedup', '-w', 'the key is the whole record, or the fields that -f names'],
  ])('%s %s', async (command, flag, hint) => {
    const { stderr } = await within([command, flag, 'text']);
    expect(stderr).toBe(`bloom: unknown option '${flag}'; ${hint}\n`);
  });

  test.each([
    ['check', 'query'],
    ['contains', 'query'],
    ['info', 'stats'],
    ['insert', 'add'],
    ['create', 'build'],
    ['delete', 'remove'],
    ['del', 'remove'],
    ['uniq', 'dedup'],
    ['unique', 'dedup'],
    ['hash', 'digest'],
    ['list', 'stats'],
    ['dump', 'stats'],
    ['union', 'merge'],
    ['plan', 'size'],
    ['buld', 'build'],
  ])('%s, or the help of it: %s', async (name, meant) => {
    const told = (line: string) => ({
      stdout: '',
      stderr: `bloom: unknown command '${name}'; try bloom ${line}\n`,
      status: 2,
    });
    expect(await within([name, 'words.bloom'])).toEqual(told(`${meant} words.bloom`));
    expect(await within(['help', name])).toEqual(told(`help ${meant}`));
  });

  test('a command that resembles no other', async () => {
    const told = { stdout: '', stderr: "bloom: unknown command 'zzzzzz'; see bloom --help\n", status: 2 };
    expect(await within(['help', 'zzzzzz'])).toEqual(told);
    expect(await within(['zzzzzz'])).toEqual(told);
  });

  test.each(['build', 'add', 'remove'])('%s --wrong', async (command) => {
    const output = command === 'build' ? ['-o', 'x'] : [];
    const { stderr } = await within([command, 'words.bloom', '--wrong', ...output]);
    expect(stderr).toBe(`bloom: unknown option '--wrong'; see bloom ${command} --help\n`);
  });
});

test('gives the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect((await within(['--version'])).stdout).toBe(`${version}\n`);
});

describe('colour', () => {
  const red = '\u001b[31mbloom: \u001b[39m';
  test.each([
    [['--color', 'always'], { NO_COLOR: '1' }, true],
    [['--color=never'], { FORCE_COLOR: '1' }, false],
    [[], { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [[], { FORCE_COLOR: '1', TERM: 'dumb' }, true],
    [[], { FORCE_COLOR: '0' }, false],
    [[], {}, false],
  ])('%j with %j: %s', async (args, env, coloured) => {
    expect((await within(['query', 'nowhere', '-e', 'x', ...args], { env })).stderr.startsWith(red)).toBe(coloured);
  });

  test('tables stay plain in a pipe', async () => {
    expect((await within(['size'])).stdout).not.toContain('\u001b');
    expect(bloom(['size', '--color', 'always']).stdout).toContain('\u001b[1m');
  });
});
