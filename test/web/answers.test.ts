// The reader for browsers gives the same answers as the command, for every kind and hash.

import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { kernelCode } from '../../src/kernel/kernel.ts';
import { bulk } from '../../src/web/bulk.ts';
import { openFilter } from '../../src/web/index.ts';
import { domain, hashes, keyHashes, letters, network } from '../../src/web/parts/index.ts';
import { fixture, scratch } from '../cli/run.ts';
import { inLongRuns, sampled } from '../long.ts';
import { foldedBytes } from '../reference/case-folding.ts';
import { createHost, URL_OF_HOST } from './host.ts';

const { path, within } = scratch();

const WORDS = readFileSync(fixture('words.txt'), 'utf8').trimEnd().split('\n');
const FEW = WORDS.filter((_, i) => i % inLongRuns(1, 29) === 0);
const KEYS = [
  ...FEW,
  ...FEW.map((word) => `${word}?`),
  '',
  ' padded\t',
  'UPPER',
  'x'.repeat(300),
  '*.Walk.',
  'www.walk',
  'a.b.the. ',
  '..',
  '*.',
  `${'y.'.repeat(150)}walk`,
  // The longest name, and a longer one.
  `yy.${'y.'.repeat(123)}walk`,
  `yy.${'y.'.repeat(123)}.walk`,
  // Long keys for the blocks of key hashes, and letters of all lengths in UTF-8.
  ...Array.from({ length: 130 }, (_, i) => 'k'.repeat(i)),
  ...['WALK', 'ÜBER', 'ΣΊΣΥΦΟΣ', 'Ⱥ', 'Ꭰ', '\ufeffwalk', '𞤀', 'ﬅ', 'ſ', 'İ'],
];

/** Addresses and blocks in all their forms, and texts that are neither. */
const NETWORKS = [
  ...[
    '10.1.2.3',
    '10.1.2.3/32',
    ' 192.0.2.77\t',
    '192.0.2.0/24',
    '192.0.2.0/23',
    '0.0.0.0/0',
    '198.51.100.255',
    '::1',
    '::',
  ],
  ...[
    '2001:db8::1',
    '2001:DB8:0:0::ffff',
    '2001:db8::/31',
    '2001:db8:1:2:3:4:5:6',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
  ],
  ...[
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '::ffff:10.1.2.3/120',
    '::ffff:10.1.2.3/95',
    'fe80::1%eth0',
    'fe80::1%eth0/64',
    '::10.1.2.3',
  ],
  ...[
    '64:ff9b::10.1.2.3',
    '10.1.2',
    '10.1.2.3.4',
    '010.1.2.3',
    '10.1.2.256',
    '10.1.2.3/33',
    '10.1.2.3/08',
    '10.1.2.3%eth0',
    '',
    ':',
    ':::',
  ],
  ...[
    '1:::2',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    ':1::2',
    '1::2:',
    '12345::',
    '::g',
    '::1/129',
    '::1%',
    '::1%a%b',
    '::1/',
  ],
  ...[
    '::1.2.3.4.5',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.400',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::ffff:1.2.3.4/96',
    'fe80::1%a/b',
    '::ffff:0:0/96',
  ],
];
const BLOCKS = [
  '10.0.0.0/8',
  '192.0.2.77',
  '198.51.100.0/25',
  '2001:db8::/32',
  '::1',
  'fe80::/10',
  '2001:db8:8000::/33',
  '64:ff9b::/96',
];

/** The keys that the command selects. */
async function selected(filter: string, keys: readonly string[]): Promise<string[]> {
  const { stdout } = await within(['query', filter], { stdin: keys.map((key) => `${key}\n`).join('') });
  return stdout.split('\n').slice(0, -1);
}

/** The same for the reader: all keys at once, and a few keys one by one. */
async function selectedByReader(
  source: Parameters<typeof openFilter>[0],
  options: Parameters<typeof openFilter>[1],
  keys: readonly string[],
): Promise<string[]> {
  const filter = await openFilter(source, options);
  const answers = await filter.hasMany(keys);
  const few = keys.filter((_, i) => i % 97 === 0);
  expect(await Promise.all(few.map(filter.has))).toEqual(answers.filter((_, i) => i % 97 === 0));
  filter.close();
  return keys.filter((_, i) => answers[i]);
}

const BUILDS: readonly (readonly [string, readonly string[]])[] = [
  ...KINDS.flatMap(({ name }, i) =>
    HASH_NAMES.filter((_, j) => inLongRuns(true, i % HASH_NAMES.length === j)).map(
      (hash) => [`${name}, ${hash}`, ['--kind', name, '--hash', hash]] as const,
    ),
  ),
  ...sampled<readonly [string, readonly string[]]>([
    ['several segments', ['-n', '2M', '--seed', '77']],
    ['small segments', ['-n', '300k', '--segment-size', '4KiB']],
    ['small segments of a ribbon', ['--kind', 'ribbon', '-n', '300k', '--segment-size', '4KiB', '-p', '3%']],
    ['small segments of fuse', ['--kind', 'fuse', '-n', '900k', '--segment-size', '4KiB', '--hash', 'farm64']],
    ['large segments of a ribbon', ['--kind', 'ribbon', '-n', '2M']],
    ['large segments of fuse', ['--kind', 'fuse', '-n', '2M']],
    ['a quotient filter of several segments', ['--kind', 'quotient', '-n', '1M']],
    ['protected keys of a ribbon', ['--kind', 'ribbon', '--never', fixture('packages.txt')]],
    ['protected keys of fuse', ['--kind', 'fuse', '--never', fixture('packages.txt'), '-p', '20%']],
    ['a universe', ['--kind', 'ribbon', '--universe', fixture('words.txt')]],
    ['rules', ['--ignore-case', '--trim', '--note', 'a note', '-p', '5%']],
    ['domain names', ['--suffixes']],
    ['the case of all letters', ['--ignore-case-unicode', '--trim']],
    ['SHA-1', ['--key-hash', 'sha1', '--trim']],
    ['SHA-256', ['--key-hash', 'sha256:upper', '--ignore-case']],
    ['MD5', ['--key-hash', 'md5', '--kind', 'ribbon']],
    ['many hash functions', ['-k', '64', '-p', '1e-9', '--hash', 'murmur3']],
    ['protected keys of a ribbon of one bit', ['--kind', 'ribbon', '--never', fixture('packages.txt'), '-p', '60%']],
  ]),
];

const RULES = [domain, keyHashes, letters, network];
const PARTS = { with: [hashes, ...RULES] };

/** Compares the reader with the command, for a filter in each form that the reader takes. */
async function expectAnswersOf(name: string): Promise<void> {
  const bytes = Uint8Array.from(readFileSync(path(name)));
  const expected = await selected(name, KEYS);
  const { fetch } = createHost(bytes);
  const kernel = await bulk(kernelCode());
  expect(await selectedByReader(URL_OF_HOST, { fetch, ...PARTS }, KEYS)).toEqual(expected);
  expect(await selectedByReader(URL_OF_HOST, { fetch, whole: true, cacheBytes: 0, ...PARTS }, KEYS)).toEqual(expected);
  expect(await selectedByReader(new Blob([bytes]), PARTS, KEYS)).toEqual(expected);
  expect(await selectedByReader(bytes.buffer, { with: [...RULES, kernel] }, KEYS)).toEqual(expected);
}

test.each(BUILDS)(
  '%s: the answers of the command, by range, whole, as a Blob, in memory, and with the kernel',
  async (_, flags) => {
    const half = flags.includes('--universe') ? [fixture('packages.txt')] : [fixture('words.txt')];
    const built = await within(['build', ...flags, ...half, '--force', '-o', 'f.bloom']);
    expect(built.status, built.stderr).toBe(0);
    await expectAnswersOf('f.bloom');
  },
);

test('several slices have the answers of the command', async () => {
  await within(['build', '--kind', 'scalable', '-n', '100', '-o', 'slices.bloom'], {
    stdin: WORDS.slice(0, 99).join('\n'),
  });
  await within(['add', 'slices.bloom', fixture('words.txt')]);
  expect(readFileSync(path('slices.bloom'))[80]).toBe(3);
  await expectAnswersOf('slices.bloom');
});

test.each(inLongRuns(['bloom', 'blocked', 'ribbon', 'cuckoo'], ['bloom']))(
  'networks in a filter of kind %s have the answers of the command',
  async (kind) => {
    const stdin = BLOCKS.join('\n');
    expect(
      (await within(['build', '--prefixes', '--kind', kind, '-p', '1e-6', '-o', 'n.bloom', '--force'], { stdin }))
        .status,
    ).toBe(0);
    const bytes = Uint8Array.from(readFileSync(path('n.bloom')));
    const expected = await selected('n.bloom', NETWORKS);
    expect(expected.length).toBeGreaterThan(10);
    expect(await selectedByReader(bytes, PARTS, NETWORKS)).toEqual(expected);
    const kernel = await bulk(kernelCode());
    expect(await selectedByReader(bytes, { with: [network, kernel] }, NETWORKS)).toEqual(expected);
  },
);

test('names of domains with stars and dots have the answers of the command', async () => {
  const names = ['a.example', '*.b.example', 'c', '*d.example', '*.e'];
  await within(['build', '--suffixes', '-p', '1e-9', '-', '-o', 'd.bloom'], { stdin: names.join('\n') });
  const around = ['', '*', '.', '*.', '*.*.', '.*.', '* .', 'x.', '*x.', ' ', '**.', '*a.', 'a.*.'];
  const asked = ['a.example', 'b.example', 'c', 'd.example', 'e', 'example', '*', '.'].flatMap((name) =>
    around.flatMap((some) => [`${some}${name}`, `${name}${some}`, `${some}${name}.`]),
  );
  const expected = await selected('d.bloom', asked);
  expect(expected.length).toBeGreaterThan(50);
  expect(await selectedByReader(Uint8Array.from(readFileSync(path('d.bloom'))), PARTS, asked)).toEqual(expected);
});

test('40,000 keys at once, and keys of more than 256 KiB among them, have the same answers with the kernel', async () => {
  const keys = Array.from({ length: 40_000 }, (_, i) => `${i}`);
  for (const [at, bytes] of [
    [0, 300_000],
    [3, 100_000],
    [4, 200_000],
    [20_000, 262_144],
    [39_999, 700_000],
  ] as const)
    keys[at] = `${at}`.padEnd(bytes, 'x');
  const members = keys.filter((_, i) => i % 3 === 0);
  await within(['build', '-p', '1e-9', '-', '-o', 'many.bloom', '--force'], { stdin: members.join('\n') });
  const filter = await openFilter(Uint8Array.from(readFileSync(path('many.bloom'))), {
    with: [await bulk(kernelCode())],
  });
  const found = await filter.hasMany(keys);
  expect(found.flatMap((has, i) => (has === (i % 3 === 0) ? [] : [i]))).toEqual([]);
});

test('the kernel is fetched from an address, and its absence is said', async () => {
  const bytes = readFileSync(new URL('../../dist/kernel.wasm', import.meta.url));
  const asked: string[] = [];
  const answer = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    asked.push(`${address}`);
    return address === 'https://host/kernel.wasm' ? new Response(bytes) : new Response('', { status: 404 });
  });
  expect((await bulk('https://host/kernel.wasm')).kernel).toBeTypeOf('function');
  await expect(bulk(new URL('https://host/none'))).rejects.toThrow(
    'cannot read the kernel: the server answered with status 404',
  );
  expect(asked).toEqual(['https://host/kernel.wasm', 'https://host/none']);
  answer.mockRestore();
});

const GOLDEN = new URL('../formats/bloomery/golden/', import.meta.url);

test.each(readdirSync(GOLDEN))('%s has the answers of the command, as it was written', async (name) => {
  copyFileSync(new URL(name, GOLDEN), path('golden.bloom'));
  const keys = [
    'alpha',
    'Alpha',
    'beta',
    ' gamma ',
    'no newline',
    'GAMMA',
    'a.www.example.org',
    'b.Example',
    'c.b.example',
    ...KEYS,
    ...NETWORKS,
  ];
  const expected = await selected('golden.bloom', keys);
  expect(expected.length).toBeGreaterThan(2);
  expect(await selectedByReader(Uint8Array.from(readFileSync(path('golden.bloom'))), PARTS, keys)).toEqual(expected);
});

const ALL_LENGTHS = Array.from({ length: 129 }, (_, length) => length);
const V6_LENGTHS = inLongRuns(ALL_LENGTHS, [0, 63, 64, 65, 66, 67, 128]);
const V4_LENGTHS = inLongRuns(ALL_LENGTHS.slice(0, 33), [0, 31, 32]);

test.each([
  ...V6_LENGTHS.map((length) => ['2001:db8:a5a5:5a5a:1234:abcd:9876:fedc', length]),
  ...V4_LENGTHS.map((length) => ['165.90.171.205', length]),
])('a block of %s of length %d alone is found', async (address, length) => {
  await within(['build', '--prefixes', '-p', '1e-9', '-', '-o', 'l.bloom', '--force'], {
    stdin: `${address}/${length}`,
  });
  const bytes = Uint8Array.from(readFileSync(path('l.bloom')));
  expect(await (await openFilter(bytes, { with: [network] })).has(`${address}`)).toBe(true);
});

test('only A to Z become lower case in a filter that ignores their case', async () => {
  await within(['build', '-i', '-p', '1e-12', '-', '-o', 'i.bloom'], { stdin: 'a@b\na[b\naz\n' });
  const filter = await openFilter(Uint8Array.from(readFileSync(path('i.bloom'))));
  expect(await filter.hasMany(['A@B', 'A[B', 'AZ', 'a`b', 'a{b'])).toEqual([true, true, true, false, false]);
});

test.each([
  ['hashes', hashes, ['--hash', 'xxh3']],
  ['letters', letters, ['--ignore-case-unicode']],
  ['keyHashes', keyHashes, ['--key-hash', 'md5']],
  ['domain', domain, ['--suffixes']],
] as const)('the error of a filter that needs the part %s names it', async (name, part, flags) => {
  await within(['build', ...flags, fixture('packages.txt'), '-o', 'part.bloom', '--force']);
  const bytes = Uint8Array.from(readFileSync(path('part.bloom')));
  await expect(openFilter(bytes)).rejects.toMatchObject({ code: 'usage', hint: `open it with { with: [${name}] }` });
  expect((await openFilter(bytes, { with: [part] })).info().bits).toBeGreaterThan(0);
});

test('the table of letters folds every character as the oracle does, and keeps bytes that are not UTF-8', () => {
  const fold = letters.letters ?? ((bytes) => bytes);
  const step = inLongRuns(1, 61);
  const wrong: string[] = [];
  for (let code = 0; code < 0x20000; code += code < 0x600 ? 1 : step) {
    const bytes = new Uint8Array(
      // A letter follows, so that the length of the character matters.
      Buffer.from(code < 0xd800 || code > 0xdfff ? `${String.fromCodePoint(code)}A` : [0xed, 0xa0, 0x80, 0x41]),
    );
    if (Buffer.compare(fold(bytes), foldedBytes(bytes)) !== 0) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  const broken = Uint8Array.from([0xc3, 0x41, 0xff, 0xe1, 0xba, 0xf0, 0x9f, 0xc3, 0x9c, 0x80]);
  expect(fold(broken)).toEqual(Uint8Array.from([0xc3, 0x61, 0xff, 0xe1, 0xba, 0xf0, 0x9f, 0xc3, 0xbc, 0x80]));
});
