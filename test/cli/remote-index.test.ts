// Indexes of files on a server in this process.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openIndex } from '../../src/library/index.ts';
import { rangeServer } from '../io/remote/range-server.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { decodeIndex } from '../reference/index-file.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { outcomeLater, scratch } from './run.ts';

const { path, start, within } = scratch();
const { served, ranges, origin } = await rangeServer({ bytes: new Uint8Array(0), version: {} });
/** Each test has its own URL, of which no earlier test left a copy. */
let url = '';
let tests = 0;
/** Runs a query in this process, which does not wait for the server. */
const remote = (args: readonly string[], stdin = '') =>
  within(['query', ...args], { env: { XDG_CACHE_HOME: path('cache') }, stdin });
/** The same as a process: after an error bloom requests the range again, and this process would wait for itself. */
const apart = (args: readonly string[]) =>
  outcomeLater(start(['query', ...args], { env: { ...process.env, XDG_CACHE_HOME: path('cache') } }));

const FILES = inLongRuns(10_000, 1500);
const KEYS = inLongRuns(300, 30);
const keyOf = (file: number, i: number) => `key-${(file * 7919 + i * 104_729) % 1_000_003}`;

function serve(name: string, etag = name): void {
  Object.assign(served, { bytes: readFileSync(path(name)), version: { etag: `"${etag}"` }, instead: undefined });
  ranges();
}

/** The same for a client that sends the header in the file `login`. */
function serveWithLogin(name: string): void {
  serve(name);
  writeFileSync(path('login'), 'Authorization: Bearer s3cret\n');
  served.instead = ({ headers }, response) => {
    if (headers.authorization === 'Bearer s3cret') return false;
    response.writeHead(401).end();
    return true;
  };
}

/** The length of each requested range in bytes. */
const sizes = () =>
  ranges().map((range = '') => {
    const [from = 0, last = 0] = range.match(/\d+/g)?.map(Number) ?? [];
    return last + 1 - from;
  });

beforeAll(async () => {
  mkdirSync(path('logs'));
  for (let file = 0; file < FILES; file++)
    writeFileSync(path(`logs/${file}`), Array.from({ length: KEYS }, (_, i) => `${keyOf(file, i)}\n`).join(''));
  expect(await within(['index', '-q', '-r', 'logs', '-o', 'logs.index'])).toMatchObject({ stderr: '', status: 0 });
  for (const [name, text] of [
    ['a', 'Alpha beta\n'],
    ['b', 'beta\n'],
    ['c', 'gamma\n'],
  ] as const)
    writeFileSync(path(name), text);
  await within(['index', '-q', '--tokens', 'words', 'a', 'b', 'c', '-o', 'small.index']);
  await within(['build', '-q', 'a', 'b', 'c', '-o', 'small.bloom']);
});
beforeEach(() => {
  url = `${origin}/${tests++}.index`;
  serve('logs.index');
});

describe('an index of many files on a server', () => {
  test('is read in three requests for the first key: header, table, rows; then in one for rows', async () => {
    for (const file of [17, FILES - 179]) {
      const key = keyOf(file, 5);
      const local = await within(['query', 'logs.index', '-e', key]);
      expect(local.stdout.split('\n')).toContain(`logs/${file}`);
      expect(await remote([url, '-e', key])).toEqual(local);
      const requests = sizes();
      const { files, nameBytes, k } = headerOf();
      if (file === 17) {
        const [head = 0, table = 0] = requests.splice(0, 2);
        expect(head).toBeLessThan(16_384);
        expect(table).toBeLessThan(4096 + 1.002 * (44 * files + nameBytes + 24));
      }
      expect(requests.length).toBeLessThanOrEqual(k);
      // A row of 1,250 bytes lies in one page or two.
      expect(requests.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(2 * k * 4096);
      expect(Math.min(...requests)).toBeGreaterThanOrEqual(4096);
    }
  });

  test.runIf(IS_LONG)('is read in one round: no answer comes before the last request', async () => {
    await remote([url, '-e', 'x']);
    ranges();
    const waiting: (() => void)[] = [];
    const { k } = headerOf();
    let most = 0;
    served.instead = (request, response) => {
      waiting.push(() => {
        const [from = 0, last = 0] = (request.headers.range ?? '').match(/\d+/g)?.map(Number) ?? [];
        const place = `bytes ${from}-${last}/${served.bytes.length}`;
        response.writeHead(206, { ...served.version, 'content-range': place, 'content-length': last + 1 - from });
        response.end(served.bytes.subarray(from, last + 1));
      });
      most = Math.max(most, waiting.length);
      setTimeout(() => waiting.shift()?.(), 50);
      return true;
    };
    expect(await remote([url, '-e', keyOf(99, 1)])).toEqual(await within(['query', 'logs.index', '-e', keyOf(99, 1)]));
    const requests = ranges().length;
    expect(requests).toBeLessThanOrEqual(k);
    expect(most).toBe(requests);
  });

  test('answers many records as a local one does', async () => {
    const stdin = Array.from({ length: inLongRuns(2000, 200) }, (_, i) => `${keyOf(i, i % KEYS)}\nabsent ${i}\n`).join(
      '',
    );
    expect(await remote([url], stdin)).toEqual(await within(['query', 'logs.index'], { stdin }));
    expect(sizes().length).toBeLessThanOrEqual(2 + 8);
  });
});

/** Numbers of the header, read by INDEX.md. */
function headerOf() {
  const bytes = readFileSync(path('logs.index'));
  return {
    k: bytes.readUInt32LE(16),
    files: Number(bytes.readBigUInt64LE(40)),
    nameBytes: Number(bytes.readBigUInt64LE(64)),
  };
}

describe('an index on a server', () => {
  test.each(
    sampled([
      [['-e', 'beta']],
      [['-Z', '-e', 'beta']],
      [['-v', '-e', 'beta']],
      [['-c', '-e', 'beta']],
      [['-q', '-e', 'nowhere']],
      [['--all', '-e', 'beta', '-e', 'Alpha']],
      [['--json', '-e', 'beta', '-e', 'x']],
      [['--json']],
      [['-v']],
      [['a', '--tokens', 'words']],
      [['--timeout', '5', '-e', 'gamma']],
    ]),
  )('is queried with %j as a local one', async (flags) => {
    serve('small.index');
    const stdin = 'beta\nnowhere\n';
    const local = flags.filter((flag) => flag !== '--timeout' && flag !== '5');
    expect(await remote([url, ...flags], stdin)).toEqual(await within(['query', 'small.index', ...local], { stdin }));
    expect(ranges()).toEqual(['bytes=0-15359']);
  });

  test.each([
    [['--stale', '-e', 'x'], /--stale has no effect: the files of an index on a server may not be on this machine/],
    [['-n', '-e', 'x'], /--line-number has no effect/],
    [['--format', 'guava', '-e', 'x'], /--format has no effect: an index is not a filter/],
  ])('refuses %j', async (flags, message) => {
    serve('small.index');
    const { stderr, status } = await remote([url, ...flags]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test('gets headers, which a local index refuses', async () => {
    serveWithLogin('small.index');
    expect((await remote([url, '--http-header', '@login', '-e', 'gamma'])).stdout).toBe('c\n');
    expect((await remote([url, '-e', 'gamma'])).stderr).toMatch(/the server requires a login/);
    expect((await remote(['small.index', '--http-header', '@login', '-e', 'x'])).stderr).toMatch(/not at a URL/);
  });

  test('that was replaced since its table was copied is read in its new version', async () => {
    const key = keyOf(3, 3);
    await remote([url, '-e', key]);
    const local = await within(['query', 'logs.index', '-e', key]);
    serve('logs.index', 'another');
    expect(await remote([url, '-e', key])).toEqual(local);
    expect(sizes().length).toBeGreaterThan(2);
    serve('small.bloom');
    expect(await remote([url, '-e', 'gamma', '-e', key])).toEqual({ stdout: 'gamma\n', stderr: '', status: 0 });
  });

  test('that changes meanwhile is an error', async () => {
    let requests = 0;
    served.instead = () => {
      if (requests++ > 0) Object.assign(served, { version: { etag: `"${requests}"` } });
      return false;
    };
    expect(await apart([url, '-e', 'x'])).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^bloom: cannot read .*: it changed while it was read; run the command again\n$/),
      status: 3,
    });
  });

  test('is an error if the server changes any byte that is read', async () => {
    const bytes = readFileSync(path('small.index'));
    for (let at = 8; at < bytes.length; at += inLongRuns(5, 197)) {
      serve('small.index', `${at}`);
      served.bytes = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 4 : byte));
      const { stdout, stderr, status } = await remote([url, '-e', 'beta']);
      expect({ at, stdout, status }).toEqual({ at, stdout: '', status: 2 });
      expect(stderr).toMatch(/^bloom: http:.* (is damaged: .*|has .* which this bloom does not know; .*)\n$/);
    }
    // Rows from another position have the valid checksum of a wrong page.
    serve('logs.index');
    const swapped = Uint8Array.from(served.bytes);
    const pages = Math.floor(Number(Buffer.from(swapped).readBigUInt64LE(56)) / 4088) - 1;
    for (let page = 0; page < pages; page++)
      swapped.set(served.bytes.subarray(128 + 4096 * (page + 1), 128 + 4096 * (page + 2)), 128 + 4096 * page);
    served.bytes = swapped;
    expect((await remote([url, '-e', 'x'])).stderr).toMatch(/page \d+ does not match its checksum/);
  });

  test('without ranges is read whole if it is small, and refused otherwise', async () => {
    const whole = () => {
      served.instead = (_, response) => {
        response.writeHead(200, { ...served.version, 'content-length': served.bytes.length }).end(served.bytes);
        return true;
      };
    };
    serve('small.index');
    whole();
    expect((await remote([url, '-e', 'gamma'])).stdout).toBe('c\n');
    served.bytes = Buffer.concat([served.bytes, Buffer.alloc(2 ** 20)]);
    url = `${url}?again`;
    expect((await remote([url, '-e', 'gamma'])).stderr).toMatch(/does not support range requests/);
  });
});

test('the library answers from an index on a server while it does other work', async () => {
  const index = await openIndex(url);
  const oracle = decodeIndex(served.bytes);
  expect(index.files).toEqual(oracle.files.map(({ name }) => name));
  ranges();
  const keys = [keyOf(8, 1), keyOf(9, 2), 'absent'];
  const wanted = keys.map((key) => oracle.filesWith(xxh64(Buffer.from(key), 0n)));
  expect(await Promise.all(keys.map((key) => index.filesWithAsync(key)))).toEqual(wanted);
  expect(ranges().length).toBeLessThanOrEqual(3 * oracle.k);
  expect(keys.map((key) => index.filesWith(key))).toEqual(wanted);
  expect(ranges()).toEqual([]);
  index.close();
  await expect(index.filesWithAsync('x')).rejects.toMatchObject({ code: 'usage' });
});

test('the library sends headers, and waits for a silent server only for the timeout', async () => {
  serve('small.index');
  served.instead = ({ headers }, response) => {
    if (headers.authorization === 'Bearer s3cret') return false;
    response.writeHead(401).end();
    return true;
  };
  await expect(openIndex(url)).rejects.toMatchObject({ code: 'input' });
  const index = await openIndex(new URL(url), { headers: { Authorization: 'Bearer s3cret' }, timeout: 5 });
  expect(index.filesWith('gamma')).toEqual(['c']);
  index.close();
  served.instead = () => true;
  await expect(openIndex(url, { timeout: 0.05 })).rejects.toMatchObject({ code: 'input' });
});

describe('stats of an index on a server', () => {
  const statsOf = (args: readonly string[]) =>
    within(['stats', '--probes', '1k', ...args], { env: { XDG_CACHE_HOME: path('cache') } });
  /** A report without the time and the name of the file. */
  const facts = ({ stdout, ...others }: Awaited<ReturnType<typeof statsOf>>) => ({
    ...others,
    stdout: stdout.replace(/"seconds":[^,}]+/, '').replaceAll(/http:\S+?index|\w+\.index/g, 'INDEX'),
  });

  test.each(sampled([[[]], [['--json']], [['--verify']], [['--timeout', '5']]]))(
    'with %j prints those of a local one',
    async (flags) => {
      serve('small.index');
      const local = flags.filter((flag) => flag !== '--timeout' && flag !== '5');
      expect(facts(await statsOf([url, ...flags]))).toEqual(facts(await statsOf(['small.index', ...local])));
      // The first request has the whole file.
      expect(ranges()).toEqual(['bytes=0-15359']);
    },
  );

  test('reads the table once', async () => {
    const local = facts(await statsOf(['logs.index', '--json']));
    expect(facts(await statsOf([url, '--json']))).toEqual(local);
    expect(sizes()).toHaveLength(2);
    // The copy of the table is current.
    expect(facts(await statsOf([url, '--json']))).toEqual(local);
    expect(sizes()).toHaveLength(1);
  });

  test.runIf(IS_LONG)('requests all entries of a large table at once', async () => {
    const folder = `${'n'.repeat(250)}/${'m'.repeat(200)}`;
    mkdirSync(path(folder), { recursive: true });
    for (let file = 0; file < 2500; file++) writeFileSync(path(`${folder}/${file}`), `${file}\n`);
    await within(['index', '-q', '-r', folder, '-o', 'long.index']);
    serve('long.index');
    expect(facts(await statsOf([url, '--json']))).toEqual(facts(await statsOf(['long.index', '--json'])));
    // The header; groups and columns; 40 bytes of each file.
    const [, , entries, ...more] = sizes();
    expect(Math.abs((entries ?? 0) - 40 * 2500)).toBeLessThan(2 * 4096);
    expect(more).toEqual([]);
  });

  test('--verify reads every byte in few requests, and notices a changed one', async () => {
    expect((await statsOf([url, '--verify'])).stdout).toBe(
      (await statsOf(['logs.index', '--verify'])).stdout.replaceAll('logs.index', url),
    );
    const requests = sizes();
    expect(requests.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(served.bytes.length);
    expect(requests.length).toBeLessThanOrEqual(3 + Math.ceil(served.bytes.length / 2 ** 23));
    for (let at = 128; at < served.bytes.length; at += inLongRuns(150_021, 500_021)) {
      serve('logs.index', `${at}`);
      served.bytes = served.bytes.map((byte, i) => (i === at ? byte ^ 4 : byte));
      const { stdout, stderr, status } = await statsOf([url, '--verify']);
      expect({ at, stdout, status }).toEqual({ at, stdout: '', status: 2 });
      expect(stderr).toMatch(/ is damaged: page \d+ does not match its checksum;/);
    }
  });

  test('sends headers', async () => {
    serveWithLogin('small.index');
    expect((await statsOf([url, '--http-header', '@login'])).stdout).toMatch(/files +3 with 4 distinct keys/);
    expect((await statsOf([url])).stderr).toMatch(/the server requires a login/);
  });

  test.each([['--prometheus'], ['--plot'], ['--absent', 'a']])('refuses %s', async (...flags) => {
    serve('small.index');
    const { stderr, status } = await statsOf([url, ...flags]);
    expect(stderr).toMatch(/is an index of files, and --\w+.* for filters/);
    expect(status).toBe(2);
  });

  test('reports on filters beside it with as many requests as before', async () => {
    serve('small.bloom');
    expect((await statsOf([url, 'small.index', '--json'])).stdout.match(/"file"/g)).toHaveLength(2);
    expect(ranges()).toEqual(['bytes=0-15359']);
  });
});

test.each([[['-F', 'URL']], [['--which', 'URL']]])('query %j names the commands that read an index', async (args) => {
  serve('small.index');
  const { stderr, status } = await remote([...args.map((arg) => (arg === 'URL' ? url : arg)), '-e', 'x']);
  expect(stderr).toBe(
    `bloom: ${url} is an index of files, not a filter; bloom query INDEX -e KEY and bloom stats INDEX read it, and bloom index FILE... --update -o INDEX updates it\n`,
  );
  expect(status).toBe(2);
});
