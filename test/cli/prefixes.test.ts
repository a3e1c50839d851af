// --prefixes: a query finds an address by any block that contains it, according to Python's ipaddress.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test as tested } from 'vitest';
import { IS_LONG, inLongRuns } from '../long.ts';
import { PYTHON } from '../python/python.ts';
import { below, createRandom } from '../reference/random.ts';
import { outcomeOf } from '../starter.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();

/** The oracle needs Python. */
const test = tested.skipIf(!PYTHON);
const longTest = tested.skipIf(!PYTHON || !IS_LONG);
const python = PYTHON ?? '';

/**
 * The oracle: writes blocks, addresses in many forms, and the addresses in a block. It finds the blocks of an address by their numbers,
 * and ipaddress reads the addresses.
 */
const ORACLE = `
import ipaddress, random, sys
random.seed(5)
blocks, addresses = int(sys.argv[1]), int(sys.argv[2])
sizes = {4: 32, 6: 128}
known = set()
def version(): return 4 if random.random() < 0.7 else 6
def text(v, n): return str(ipaddress.IPv4Address(n) if v == 4 else ipaddress.IPv6Address(n))
def form(v, n):
    if v == 4: return random.choice(["", "", "", "::ffff:", "::FFFF:0:"[:7], "0:0:0:0:0:ffff:"]) + text(v, n)
    groups = [n >> 16 * i & 0xFFFF for i in range(7, -1, -1)]
    return random.choice([text(v, n), text(v, n).upper(), ipaddress.IPv6Address(n).exploded, ":".join("%x" % g for g in groups), text(v, n) + "%eth0"])
with open("blocks", "w") as out:
    listed = []
    for i in range(blocks):
        v = version()
        length = random.choice([8, 16, 20, 24, 31, 32, 32, 32] if v == 4 else [16, 29, 32, 48, 64, 65, 72, 127, 128])
        n = random.getrandbits(sizes[v])
        network = ipaddress.ip_network((n, length), strict=False)
        known.add((v, length, int(network.network_address)))
        listed.append((v, length, int(network.network_address)))
        out.write(form(v, n).split("%")[0].replace("::ffff:", "").replace("::FFFF:", "").replace("0:0:0:0:0:ffff:", "") + ("" if length == sizes[v] and random.random() < 0.5 else "/%d" % length) + "\\n")
lengths = {v: sorted({length for version, length, _ in known if version == v}) for v in (4, 6)}
with open("addresses", "w") as out, open("expected", "w") as found:
    for i in range(addresses):
        v, length, n = random.choice(listed)
        if random.random() < 0.7: v = version(); length, n = 0, 0
        n |= random.getrandbits(sizes[v] - length) if length < sizes[v] else 0
        line = form(v, n)
        read = ipaddress.ip_address(line)
        read = getattr(read, "ipv4_mapped", None) or read
        v, n = read.version, int(read)
        out.write(line + "\\n")
        if any((v, length, n >> sizes[v] - length << sizes[v] - length) in known for length in lengths[v]): found.write(line + "\\n")
`;

const BLOCKS = inLongRuns(20_000, 200);
const ADDRESSES = inLongRuns(100_000, 1500);
let expected = '';

beforeAll(async () => {
  const { status, stderr } = outcomeOf(python, ['-c', ORACLE, `${BLOCKS}`, `${ADDRESSES}`], {
    input: '',
    cwd: path('.'),
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expected = readFileSync(path('expected'), 'utf8');
  await built(['-p', '1e-12', 'blocks'], 'nets.bloom');
});

async function built(args: readonly string[], name: string) {
  const outcome = await within(['build', '--prefixes', ...args, '-o', name, '--force']);
  expect(outcome).toMatchObject({ status: 0 });
  return outcome;
}

async function printed(args: readonly string[], options = {}) {
  const { stdout, status } = await within(['query', ...args], options);
  expect(status).toBeLessThan(2);
  return stdout;
}

describe('addresses are found by the blocks around them', () => {
  test('as ipaddress finds them, in files, pipes and fields', async () => {
    expect(expected.split('\n').length).toBeGreaterThan(0.2 * ADDRESSES);
    expect(await printed(['nets.bloom', 'addresses'])).toBe(expected);
    const stdin = readFileSync(path('addresses'));
    expect(await printed(['nets.bloom'], { stdin, isPiped: true })).toBe(expected);
    writeFileSync(path('fields'), readFileSync(path('addresses'), 'utf8').replace(/.+/g, 'x $& y'));
    expect(await printed(['-f', '2', '-o', 'nets.bloom', 'fields'])).toBe(expected);
  });

  test.each(inLongRuns([2, 3, 4, 8, 16], [3]))(
    'by %i threads, in a filter that as many threads have built',
    async (threads) => {
      const flags = ['--threads', `${threads}`];
      await within(['build', '--prefixes', '-p', '1e-12', ...flags, 'blocks', '-o', 'threads.bloom', '--force'], {
        chunk: 2000,
      });
      expect(readFileSync(path('threads.bloom')).equals(readFileSync(path('nets.bloom')))).toBe(true);
      await printed([...flags, 'nets.bloom', 'addresses', '--output', 'found', '--force'], { chunk: 30_000 });
      expect(readFileSync(path('found'), 'utf8')).toBe(expected);
    },
  );

  test.each(inLongRuns(['blocked', 'counting', 'cuckoo', 'quotient', 'fuse', 'ribbon'], ['cuckoo', 'ribbon']))(
    'in a %s filter',
    async (kind) => {
      await built(['-p', '1e-7', '--kind', kind, 'blocks'], 'kind.bloom');
      const found = (await printed(['kind.bloom', 'addresses'])).split('\n');
      const wanted = new Set(expected.split('\n'));
      expect(found.filter((line) => wanted.has(line)).length).toBe(expected.split('\n').length);
      expect(found.length - expected.split('\n').length).toBeLessThan(inLongRuns(10, 2));
    },
  );

  longTest('in several filters, in one that does not fit in the memory, and in a part-wise built one', async () => {
    const blocks = readFileSync(path('blocks'), 'utf8').trimEnd().split('\n');
    writeFileSync(path('half1'), blocks.filter((_, i) => i % 2 === 0).join('\n'));
    writeFileSync(path('half2'), blocks.filter((block) => !block.includes('/')).join('\n'));
    writeFileSync(path('half3'), blocks.filter((block, i) => i % 2 === 1 && block.includes('/')).join('\n'));
    for (const half of [1, 2, 3]) await built(['-n', '200k', '-p', '1e-12', `half${half}`], `half${half}.bloom`);
    const halves = ['half1.bloom', '-F', 'half2.bloom', '-F', 'half3.bloom'];
    expect(await printed([...halves, 'addresses'])).toBe(expected);
    await within(['merge', ...halves.filter((name) => name !== '-F'), '-o', 'union.bloom', '--force']);
    expect(await printed(['--memory', '800KB', 'union.bloom', 'addresses'])).toBe(expected);
    for (const part of [1, 2])
      await built(['-n', '200k', '--part', `${part}/2`, '-p', '1e-12', 'blocks'], `part${part}.bloom`);
    await within(['merge', 'part1.bloom', 'part2.bloom', '-o', 'joined.bloom', '--force']);
    expect(await printed(['joined.bloom', 'addresses'])).toBe(expected);
  });

  longTest('as the reader in Python finds them', async () => {
    await built(['-p', '20%', 'blocks'], 'read.bloom');
    const reader = fileURLToPath(new URL('../python/reader.py', import.meta.url));
    const some = [
      '::1',
      '1.2.3',
      '10.0.0.0/7',
      '::/0',
      '1.2.3.4%eth0',
      'fe80::1%eth0/64',
      '::ffff:1.2.3.4/120',
      ...readFileSync(path('addresses'), 'utf8').split('\n').slice(0, 300),
    ];
    writeFileSync(path('some'), `${some.join('\n')}\n`);
    const answers = outcomeOf(python, [reader, path('read.bloom')], { input: readFileSync(path('some')) }).stdout;
    const tags = (await printed(['--tag', 'read.bloom', 'some'])).replace(/^([+-]).*$/gm, '$1');
    expect(tags).toBe(answers.replaceAll('1', '+').replaceAll('0', '-'));
  });
});

test('whole ranges, blocks within blocks, and words', async () => {
  writeFileSync(path('whole'), '0.0.0.0/0\n2001:db8::/32\n');
  await built(['-p', '1e-9', 'whole'], 'whole.bloom');
  const stdin = '1.2.3.4\n::ffff:9.9.9.9\n::1\n2001:db8:1::/48\n2001:db8::/31\n';
  expect(await printed(['whole.bloom'], { stdin })).toBe('1.2.3.4\n::ffff:9.9.9.9\n2001:db8:1::/48\n');
  await built(['-p', '1e-9', '-e', '10.0.0.0/8', '-e', '10.1.0.0/16'], 'words.bloom');
  const line = 'SRC=10.1.2.3 DST=[192.0.2.1]:443 host-10.9.9.9.example\n';
  expect(await printed(['words.bloom', '--tokens', 'words', '-o'], { stdin: line })).toBe('10.1.2.3\n10.9.9.9\n');
});

/** Writes log lines with one address each, and the output of a query for all addresses. ipaddress checks every address. */
const LOG_ORACLE = `
import ipaddress, random, sys
random.seed(7)
def form(n):
    groups = ["%x" % (n >> 16 * i & 0xFFFF) for i in range(7, -1, -1)]
    last = str(ipaddress.IPv4Address(n & 0xFFFFFFFF))
    compressed = str(ipaddress.IPv6Address(n))
    return random.choice([compressed, compressed.upper(), ":".join(groups), ipaddress.IPv6Address(n).exploded, ":".join(groups[:6]) + ":" + last, "::ffff:" + last])
around = ["%s", "[%s]:443", "[%s%%eth0]", "addr:%s", "SRC=%s DST", "from_mac:%s,", "(%s)", "%s/64", "'%s'.", "x %s.", "at %s: no", "<%s>", "%s-%s", "\u201c%s\u201d", "IP6 %s.22 >", "%s:http", "-%s", "ipv6:%s", "rhost=%s%%en0 user"]
noise = ["12:34:56", "aa:bb:cc:dd:ee:ff", "std::dec", "x::1", "xyz::a::b", "a::b::xyz", "a.b.c:80:90", "10:20", "::g", "1:2:3:4:5:6:7:8:9", "::1::2", "_::3", "12345::", "fe80::1_", "Nov 25 06:55:46 host sshd[1]:", "x" * 70, ":", "..", "1:2:3:4:5:6:7"]
with open("lines", "w") as out, open("found", "w") as found:
    for i in range(int(sys.argv[1])):
        n = random.getrandbits(128) & random.choice([-1, -1 << 64, (1 << 128) - 1 ^ ((1 << 80) - 1 << 16), 0xFFFF, 0])
        address = form(n)
        ipaddress.ip_address(address)
        parts = [" ".join(random.choices(noise, k=random.randrange(4))) for _ in range(2)]
        context = random.choice([c for c in around if "." not in address or "IP6" not in c])
        count = context.replace("%%", "").count("%s")
        out.write(" ".join([parts[0], context % ((address,) * count), parts[1]]).strip() + "\\n")
        v4 = [address.split(":")[-1]] if "." in address else []
        found.write("".join(a + "\\n" for a in v4 * count + [address] * count))
`;

longTest('IPv6 addresses are found in log lines, where ipaddress says that there is one', async () => {
  const lines = 60_000;
  expect(outcomeOf(python, ['-c', LOG_ORACLE, `${lines}`], { input: '', cwd: path('.') }).stderr).toBe('');
  await built(['-p', '1e-9', '-e', '::/0', '-e', '0.0.0.0/0'], 'all.bloom');
  const found = readFileSync(path('found'), 'utf8');
  expect(await printed(['all.bloom', '--tokens', 'words', '-o', 'lines'])).toBe(found);
  const four = ['--threads', '4', '--output', 'four', '--force'];
  await printed(['all.bloom', '--tokens', 'words', '-o', 'lines', ...four], { chunk: 5000 });
  expect(readFileSync(path('four'), 'utf8')).toBe(found);
  // Beside a filter of text, every word is a key too. A record is selected if one of the two filters has a key of it.
  await within(['build', '-p', '1e-9', '-e', 'sshd', '-o', 'text.bloom']);
  const both = await printed(['text.bloom', '-F', 'all.bloom', '--tokens', 'words', '-o', 'lines']);
  const withoutText = both.split('\n').filter((key) => key !== 'sshd');
  expect(withoutText.sort()).toEqual(found.split('\n').sort());
});

/** What log lines may have beside addresses, and within the same words. */
const PIECES = [
  ...[
    '1.2.3.4',
    '10.0.0.1',
    '192.168.100.200',
    '255.255.255.255',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3',
    '1.2.3.4.5',
    '1..2.3.4',
  ],
  ...[
    '1.2.3.4444',
    '1.2.3.',
    '12',
    '1234567890.123456',
    '9999999999999999.1',
    '4.5.6.7.example.com',
    'host-10-1-2-3.4.5.6.7',
  ],
  ...['::', '::1', 'fe80::1', '12:34:56', '1:2:3:4:5:6:7:8', 'ffff:1.2.3.4', 'ssh-', 'a', 'é', '\u201c', '\u00a0'],
  ...['.', '-', '_', ':', ',', '[', ']', '/24', '\t', ' ', ' ', ' ', ' 9.9.9.9 ', ' 8.8.8.8:80 ', '=100.100.100.100,'],
];

test('addresses alone are found where they are found among the words of a record', async () => {
  const random = createRandom(3);
  const pieces = (count: number) => Array.from({ length: count }, () => PIECES[below(random, PIECES.length)]);
  const lines = Array.from({ length: inLongRuns(100_000, 1000) }, () =>
    pieces([0, 1, 2, 4, 8, 16, 50][below(random, 7)] ?? 0).join(below(random, 2) ? ' ' : ''),
  );
  const ascii = Array.from({ length: 127 - 32 }, (_, i) => String.fromCharCode(32 + i));
  const beside = ascii.flatMap((one) => [`${one}1.2.3.4`, `1.2.3.4${one}`, `x${one}1.2.3.4${one}y`]);
  writeFileSync(path('pieces'), `${[...lines, ...beside].join('\n')}\n`);
  await built(['-p', '1e-12', '-e', '::/0', '-e', '0.0.0.0/0'], 'any.bloom');
  await within(['build', '-p', '1e-12', '-e', 'no word of the lines', '-o', 'other.bloom', '--force']);
  const alone = await printed(['any.bloom', '--tokens', 'words', '-o', 'pieces']);
  const amongWords = await printed(['other.bloom', '-F', 'any.bloom', '--tokens', 'words', '-o', 'pieces']);
  expect(alone.split('\n').length).toBeGreaterThan(lines.length);
  expect(alone).toBe(amongWords);
});

test.each([
  // IPv4 has the lengths 8, 16 and 24, and each address or longer block has three; IPv6 has 127 and 128, which share a bit.
  ['for every length', ['-n', '9'], 7 * 3 + 1 + 2],
  // Without a marker for /24, an address has two blocks.
  ['for lengths without a marker', [], 4 * 3 + 3 * 2 + 1 + 2],
])('blocks around a prefix are looked up once, and counted for every address %s', async (_, flags, keys) => {
  const blocks = ['10.0.0.0/8', '192.0.2.0/24', '198.51.0.0/16', '::1'].flatMap((block) => ['-e', block]);
  await built([...flags, '-p', '1e-12', ...blocks], 'count.bloom');
  const addresses = [
    '10.1.2.3',
    '192.0.2.7',
    '192.0.3.7',
    '198.51.100.1',
    '10.0.0.0/8',
    '::1',
    'none',
    '192.0.2.8',
    '192.0.2.9',
    '198.51.7.0/25',
  ];
  const stdin = addresses.join('\n');
  const { stdout, stderr } = await within(['query', '--json', '--summary', '-c', 'count.bloom'], { stdin });
  expect(JSON.parse(stdout)).toMatchObject({ records: 10, positives: 8, keys });
  expect(stderr).toContain(`"keys":${keys},`);
  expect((await within(['query', 'count.bloom'], { stdin })).stderr).toContain('1 record is no network');
});

async function statsOf(name: string) {
  return JSON.parse((await within(['stats', '--json', '--probes', '100', name])).stdout);
}

describe('markers', () => {
  test('are made for the lengths 17 to 31 if the keys are counted, and none can be removed', async () => {
    const blocks = ['10.0.0.0/8', '10.1.0.0/16', '10.2.128.0/17', '10.3.3.2/31', '10.4.4.4', '2001:db8::/32'];
    const given = blocks.flatMap((block) => ['-e', block]);
    await built(['-p', '1e-9', ...given], 'marked.bloom');
    expect(await statsOf('marked.bloom')).toMatchObject({ ipv4Markers: [17, 31], inserted: 8, capacity: 8 });
    expect((await within(['stats', '--probes', '100', 'marked.bloom'])).stdout).toContain('with markers    /17 /31\n');
    for (const flags of [
      ['-n', '6'],
      ['--kind', 'counting'],
      ['--kind', 'cuckoo'],
      ['--kind', 'quotient'],
    ]) {
      await built([...flags, '-p', '1e-9', ...given], 'unmarked.bloom');
      expect(await statsOf('unmarked.bloom')).toMatchObject({ ipv4Markers: [], inserted: 6 });
    }
    for (const kind of ['blocked', 'fuse', 'ribbon']) {
      await built(['--kind', kind, '-p', '1e-5', ...given], 'static.bloom');
      expect(await statsOf('static.bloom')).toMatchObject({ ipv4Markers: [17, 31], inserted: 8 });
      const stdin = '10.2.128.1\n10.3.3.3\n10.4.4.4\n10.1.1.1\n';
      expect(await printed(['static.bloom'], { stdin })).toBe(stdin);
    }
  });

  test('save a look-up that would be a false positive', async () => {
    // At 40 %, almost every address would be in one of the lengths.
    const blocks = Array.from({ length: 14 }, (_, i) => `10.1.0.0/${i + 17}`);
    const stdin = Array.from({ length: 2000 }, (_, i) => `${20 + (i % 50)}.${i % 251}.${i % 7}.9\n`).join('');
    const positives = async (...flags: readonly string[]) => {
      await within(['build', '--prefixes', ...flags, '-p', '40%', '-o', 'rough.bloom', '--force'], {
        stdin: blocks.join('\n'),
      });
      return Number(await printed(['-c', 'rough.bloom'], { stdin }));
    };
    const unmarked = await positives('-n', '15');
    expect(await positives()).toBeLessThan(unmarked);
  });

  test('are added with a block', async () => {
    await built(['-p', '1e-9', '-e', '10.0.0.0/24', '-e', '10.7.0.0/25'], 'marked.bloom');
    await within(['add', 'marked.bloom', '-e', '10.9.0.0/25']);
    expect(await statsOf('marked.bloom')).toMatchObject({ ipv4Markers: [24, 25], inserted: 6 });
    expect(await printed(['marked.bloom'], { stdin: '10.9.0.1\n10.9.0.128\n' })).toBe('10.9.0.1\n');
    expect(await printed(['marked.bloom'], { stdin: '10.9.0.0/26\n10.9.0.0/24\n' })).toBe('10.9.0.0/26\n');
  });

  test('of a union are those of all its filters', async () => {
    const blocks = readFileSync(path('blocks'), 'utf8').trimEnd().split('\n');
    const { capacity, ipv4Markers } = await statsOf('nets.bloom');
    expect(ipv4Markers).toEqual([20, 24, 31]);
    const size = { like: ['--like', 'nets.bloom'], same: ['--prefixes', '-n', `${capacity}`, '-p', '1e-12'] };
    for (const [name, flags, rest] of [
      ['even', size.like, 0],
      ['odd', size.like, 1],
      ['unmarked', size.same, 1],
    ] as const) {
      writeFileSync(path('half'), blocks.filter((_, i) => i % 2 === rest).join('\n'));
      expect(await within(['build', ...flags, 'half', '-o', `${name}.bloom`, '--force'])).toMatchObject({ status: 0 });
    }
    for (const [other, markers] of [
      ['odd', ipv4Markers],
      ['unmarked', []],
    ] as const)
      for (const files of [
        ['even.bloom', `${other}.bloom`],
        [`${other}.bloom`, 'even.bloom'],
      ]) {
        expect(await within(['merge', ...files, '-o', 'both.bloom', '--force'])).toMatchObject({ status: 0 });
        expect(await statsOf('both.bloom')).toMatchObject({ ipv4Markers: markers });
        expect(await printed(['both.bloom', 'addresses'])).toBe(expected);
        expect(await printed([files[0] ?? '', '-F', files[1] ?? '', 'addresses'])).toBe(expected);
      }
  });

  test('of a filter in parts are those of all parts', async () => {
    const blocks = Array.from({ length: 3000 }, (_, i) => `10.${i >> 6}.${4 * (i & 63)}.0/22\n`).join('');
    writeFileSync(path('dense'), `${blocks}9.0.0.0/8\n`);
    const stdin = blocks.replace(/0\/22/g, '77').replace(/10/g, '11') + blocks.replace(/0\/22/g, '77');
    const members = blocks.replace(/0\/22/g, '77');
    const small = ['--segment-size', '4KiB', '-p', '1e-12'];
    await built([...small, 'dense'], 'dense.bloom');
    const { capacity } = await statsOf('dense.bloom');
    for (const part of ['1/2', '2/2']) {
      await built([...small, '--part', part, 'dense'], `${part[0]}.bloom`);
      await built([...small, '-n', `${capacity}`, '--part', part, 'dense'], `unmarked${part[0]}.bloom`);
    }
    for (const [first, second, markers] of [
      ['1', '2', [22]],
      ['1', 'unmarked2', []],
      ['unmarked1', '2', []],
    ] as const) {
      const files = [`${first}.bloom`, `${second}.bloom`];
      expect(await within(['merge', ...files, '-o', 'joined.bloom', '--force'])).toMatchObject({ status: 0 });
      expect(await statsOf('joined.bloom')).toMatchObject({ ipv4Markers: markers });
      for (const threads of ['1', '4'])
        expect(await printed(['--threads', threads, 'joined.bloom'], { stdin })).toBe(members);
    }
    // A part answers only for its own keys. It does not tell whether a marker, or a block around many addresses, is absent.
    const first = await within(['query', '-c', '1.bloom'], { stdin: members });
    const second = await within(['query', '-c', '2.bloom'], { stdin: members });
    expect(first.stderr).toContain('have no answer');
    expect(Number(first.stdout) + Number(second.stdout)).toBe(3000);
  });
});

test('a record with more addresses than a batch has keys', async () => {
  const addresses = Array.from({ length: 40_000 }, (_, i) => `::${i.toString(16)}`);
  await built(['-p', '1e-9', '-e', '::/0'], 'long.bloom');
  const stdin = `${addresses.join(' ')}\n`;
  expect(await printed(['long.bloom', '--tokens', 'words', '-o'], { stdin })).toBe(`${addresses.join('\n')}\n`);
});

test('numbers of one to three digits are read in all 81 forms of an address', async () => {
  const numbers = (i: number) =>
    [27, 9, 3, 1].map(
      (unit, place) =>
        [
          [7, 42, 199],
          [0, 10, 100],
          [9, 99, 255],
          [1, 86, 249],
        ][place]?.[Math.floor(i / unit) % 3],
    );
  const members = Array.from({ length: 81 }, (_, i) => `${numbers(i).join('.')}\n`);
  await within(['build', '--prefixes', '-p', '1e-12', '-o', 'forms.bloom', '--force'], { stdin: members.join('') });
  const others = members.flatMap((member) => {
    const texts = member.trim().split('.');
    return texts.flatMap((text, i) => ['0', '00', '1'].map((digits) => `${texts.with(i, digits + text).join('.')}\n`));
  });
  const asked = [...members, ...others].join('');
  const known = new Set(members);
  const found = [...members, ...others.filter((line) => known.has(line))].join('');
  expect(await printed(['forms.bloom'], { stdin: asked })).toBe(found);
});

test('a block may have a zone, and an IPv4 block the form of IPv6', async () => {
  await built(['-p', '1e-9', '-e', 'fe80::9%eth0/64', '-e', '::ffff:192.0.2.0/120'], 'odd-blocks.bloom');
  const stdin = 'fe80::1%eth1/64\nfe80::1%a%b\nfe80::1%/64\n192.0.2.9\n192.0.2.9%eth0\n::ffff:192.0.2.0/119\n';
  expect(await printed(['odd-blocks.bloom'], { stdin })).toBe('fe80::1%eth1/64\n192.0.2.9\n');
});

test('the lengths are stated, and added ones are looked up', async () => {
  await built(['-n', '100', '-e', '10.0.0.0/8', '-e', '2001:db8::/32', '-e', '::1'], 'few.bloom');
  const before = JSON.parse((await within(['stats', '--json', '--probes', '100', 'few.bloom'])).stdout);
  expect(before).toMatchObject({ keyType: 'network', ipv4Lengths: [8], ipv4Markers: [], ipv6Lengths: [32, 127, 128] });
  await within(['add', 'few.bloom', '-e', '192.0.2.0/24']);
  expect(await printed(['few.bloom', '-e', '192.0.2.9'])).toBe('192.0.2.9\n');
  const { stdout } = await within(['stats', '--probes', '100', 'few.bloom']);
  expect(stdout).toContain('IPv4 blocks     /8 /24\n');
});

test('addresses are found among any records, also if all blocks have one length', async () => {
  const lines = Array.from({ length: 600 }, (_, i) =>
    i % 3 === 0 ? `10.0.${i >> 8}.${i & 255}` : `not an address ${i}`,
  );
  const members = lines.filter((_, i) => i % 6 === 0);
  await within(['build', '--prefixes', '-p', '1e-9', '-o', 'single.bloom', '--force'], { stdin: members.join('\n') });
  for (const from of [0, 1, 2, 3, 100, 500])
    expect(await printed(['single.bloom'], { stdin: `${lines.slice(from).join('\n')}\n` })).toBe(
      `${lines
        .slice(from)
        .filter((line) => members.includes(line))
        .join('\n')}\n`,
    );
});

test('networks have no parent domains', async () => {
  await built(['-e', '10.0.0.0/8'], 'ten.bloom');
  const { stderr, status } = await within(['query', '--suffixes', 'ten.bloom', '-e', '10.1.1.1']);
  expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining('leave out --suffixes'), status: 2 });
});

test('each of several filters answers for itself, though others have larger or smaller blocks', async () => {
  const lists = {
    a: '10.0.0.0/8 20.0.0.0/12 1.2.3.0/24',
    b: '30.0.0.0/8 10.16.0.0/12 5.5.5.0/24',
    c: '40.0.0.0/8 60.16.0.0/12 10.16.1.0/24',
  };
  for (const [name, blocks] of Object.entries(lists)) {
    writeFileSync(path(name), `${blocks.replaceAll(' ', '\n')}\n`);
    await built([name, '-p', '1e-6'], `${name}.nets`);
  }
  const stdin = '10.16.1.1\n10.16.2.2\n10.3.3.3\n9.9.9.9\n';
  const asked = ['query', ...Object.keys(lists).flatMap((name) => ['-F', `${name}.nets`])];
  expect((await within([...asked, '--which'], { stdin })).stdout).toBe(
    'a.nets,b.nets,c.nets\t10.16.1.1\na.nets,b.nets\t10.16.2.2\na.nets\t10.3.3.3\n',
  );
  expect((await within([...asked, '--all'], { stdin })).stdout).toBe('10.16.1.1\n');
  expect((await within(asked, { stdin })).stdout).toBe('10.16.1.1\n10.16.2.2\n10.3.3.3\n');
});

test('texts that are not networks are counted once for several filters, whose keys are hashed differently', async () => {
  for (const seed of ['1', '2', '3']) await built(['-e', '10.0.0.0/8', '--seed', seed], `${seed}.nets`);
  const asked = ['query', '-c', '1.nets', '-F', '2.nets', '-F', '3.nets'];
  const { stdout, stderr } = await within(asked, { stdin: '10.1.1.1\nno network\n9.9.9.9\nnor this\n10.2.2.2\n' });
  expect({ stdout, stderr }).toEqual({ stdout: '2\n', stderr: expect.stringContaining(' 2 records are no network') });
});

test('texts that are not networks are counted, and are not found', async () => {
  writeFileSync(
    path('odd'),
    '1.2.3.4\n1.2.3\n1.2.3.4/33\n# remark\n01.2.3.4\n5.6.7.0-5.6.7.9\n256.1.1.1\n1.2.3.1234\n1.2..4\n',
  );
  const { stderr } = await built(['odd'], 'odd.bloom');
  expect(stderr).toContain('1 key (1 distinct)');
  expect(stderr).toContain('8 records are no network');
  const asked = await within(['query', 'odd.bloom', 'odd']);
  expect(asked).toMatchObject({ stdout: '1.2.3.4\n', stderr: expect.stringContaining('8 records are no network') });
});

test.each([
  ['a kind without space for lengths', ['--kind', 'scalable'], 'scalable'],
  ['protected keys', ['--kind', 'ribbon', '--never', 'blocks'], '--never has no effect'],
  ['passes', ['--passes', '2'], '--passes has no effect'],
  ['domain names', ['--suffixes'], '--suffixes has no effect'],
  ['a file of another system', ['--format', 'guava'], '--prefixes'],
])('%s are refused', async (_, flags, message) => {
  const { stderr, status } = await within(['build', '--prefixes', '-n', '9', ...flags, 'blocks', '-o', 'none.bloom']);
  expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining(message), status: 2 });
});
