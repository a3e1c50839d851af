// The requests of the reader for browsers to a host, and hosts that send wrong data.

import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BloomError, openFilter, type WebOptions } from '../../src/web/index.ts';
import { scratch } from '../cli/run.ts';
import { answer, createHost, type Host, partial, URL_OF_HOST } from './host.ts';

const { path, within } = scratch();

const NAMES = ['large', 'other', 'fine', 'small'] as const;
const files = new Map<string, Uint8Array>();
const bytesOf = (name: (typeof NAMES)[number]) => files.get(name) ?? new Uint8Array(0);
let host: Host;

const opened = (options: WebOptions = {}) => openFilter(URL_OF_HOST, { fetch: host.fetch, ...options });

beforeAll(async () => {
  const keys = (from: number) => Array.from({ length: 5000 }, (_, i) => `key ${from + i}\n`).join('');
  await within(['build', '-n', '1M', '-', '-o', 'large.bloom'], { stdin: keys(0) });
  await within(['build', '-n', '1M', '-', '-o', 'other.bloom'], { stdin: keys(1) });
  await within(['build', '-n', '2M', '--segment-size', '8KiB', '-', '-o', 'fine.bloom'], { stdin: keys(0) });
  await within(['build', '-', '-o', 'small.bloom', '-p', '20%', '-e', 'key 1']);
  for (const name of NAMES) files.set(name, Uint8Array.from(readFileSync(path(`${name}.bloom`))));
});
beforeEach(() => {
  host = createHost(bytesOf('large'));
});

describe('a filter on a host', () => {
  test('is read by the header, then the table and the segment at once, then one segment per key', async () => {
    const filter = await opened();
    expect(host.ranges()).toEqual(['bytes=0-4095']);
    expect(await filter.has('key 1')).toBe(true);
    expect(host.ranges()).toHaveLength(2);
    expect(await filter.has('key 1')).toBe(true);
    expect(host.ranges()).toEqual([]);
    expect(filter.traffic().requests).toBe(3);
    expect(filter.traffic().bytes).toBe(4096 + 3 * 16 + 8 + filter.info().pageBytes);
  });

  test('with tags is read without its table', async () => {
    host.bytes = bytesOf('fine');
    const filter = await opened();
    const { pageBytes, segments } = filter.info();
    expect([segments > 256, pageBytes <= 8200]).toEqual([true, true]);
    host.ranges();
    expect(await filter.has('key 1')).toBe(true);
    const [range = '', ...more] = host.ranges();
    expect(more).toEqual([]);
    const [from = 0, last = 0] = range.match(/\d+/g)?.map(Number) ?? [];
    expect([last + 1 - from, (from - 128) % pageBytes]).toEqual([pageBytes, 0]);
  });

  test('that hides the size of the file is read, as from another origin', async () => {
    host.instead = (_, from, to) => {
      const foreign = partial(host, from, to, { 'content-range': '' });
      return Object.defineProperty(foreign, 'type', { value: 'cors' });
    };
    const filter = await opened();
    expect(await filter.hasMany(['key 1', 'no key'])).toEqual([true, false]);
  });

  test('that states another size in a later answer has changed', async () => {
    const filter = await opened();
    host.instead = (_, from, to) => {
      const range = `bytes ${from}-${to - 1}/${host.bytes.length + 512}`;
      return partial(host, from, to, { 'content-range': range });
    };
    await expect(filter.has('key 1')).rejects.toMatchObject({ code: 'changed' });
  });

  test('is one request if it is small', async () => {
    host.bytes = bytesOf('small');
    const filter = await opened();
    expect(await Promise.all([filter.has('key 1'), filter.hasMany(['key 1', 'no key'])])).toEqual([
      true,
      [true, false],
    ]);
    expect(host.ranges()).toEqual(['bytes=0-4095']);
  });

  test('gets one request for concurrent look-ups of one segment, and few for keys of close segments', async () => {
    host.bytes = bytesOf('fine');
    const filter = await opened();
    host.ranges();
    const same = await Promise.all(Array.from({ length: 20 }, () => filter.has('key 7')));
    expect(same).toEqual(Array(20).fill(true));
    expect(host.ranges()).toHaveLength(1);
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
    expect(await filter.hasMany(keys)).toEqual(keys.map(() => true));
    expect(host.ranges().length).toBeLessThan(5);
    expect(await filter.hasMany(keys)).toEqual(keys.map(() => true));
    expect(host.ranges()).toEqual([]);
  });

  test('keeps no more segments than it may', async () => {
    const filter = await opened({ cacheBytes: 0 });
    const keys = Array.from({ length: 50 }, (_, i) => `key ${i}`);
    for (const key of keys) expect(await filter.has(key)).toBe(true);
    // Only a key of the same segment as the key before needs no request.
    expect(host.ranges().length).toBeGreaterThan(10);
    const few = await opened();
    for (const key of keys) expect(await few.has(key)).toBe(true);
    const { segments, pageBytes } = few.info();
    expect(host.ranges()).toHaveLength(1 + 1 + segments);
    const most = await opened({ cacheBytes: (segments - 1) * pageBytes });
    for (const key of keys) expect(await most.has(key)).toBe(true);
    expect(host.ranges().length).toBeGreaterThan(1 + 1 + segments);
  });

  test('is read whole if its host must not learn about keys, or supports no ranges', async () => {
    const whole = await opened({ whole: true });
    expect(await whole.has('key 1')).toBe(true);
    expect(host.ranges()).toEqual(['bytes=0-']);
    host.bytes = bytesOf('small');
    host.instead = () => answer(host.bytes, host.headers, 200);
    expect(await (await opened()).has('key 1')).toBe(true);
    host.instead = () => answer(host.bytes, { ...host.headers, 'content-length': String(host.bytes.length) }, 200);
    expect(await (await opened()).has('key 1')).toBe(true);
  });

  test('sends the headers of a request, and no other header than Range', async () => {
    const seen: string[][] = [];
    const fetch = (request: Request) => {
      seen.push([...request.headers].map(([name]) => name));
      return host.fetch(request);
    };
    await openFilter(new Request(URL_OF_HOST, { headers: { authorization: 'Bearer x' } }), { fetch });
    await openFilter(new URL(URL_OF_HOST), { fetch });
    expect(seen).toEqual([['authorization', 'range'], ['range']]);
  });

  test('reports its header', async () => {
    const { stdout } = await within(['stats', '--json', '--probes', '0', 'fine.bloom']);
    const stats = JSON.parse(stdout);
    host.bytes = bytesOf('fine');
    const { pageBytes, seed, ...info } = (await opened()).info();
    expect({ ...info, seed: Number(seed) }).toEqual(
      Object.fromEntries([...Object.keys(info), 'seed'].map((name) => [name, stats[name]])),
    );
  });
});

/** Opens the filter, and looks up two keys of different segments. */
async function lookUp(options: WebOptions = {}): Promise<void> {
  const filter = await opened(options);
  for (const key of ['key 1', 'key 2', 'key 3', 'key 4', 'key 5', 'key 6', 'key 7']) await filter.has(key);
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The code and the message of an error. */
async function failureOf(promise: Promise<unknown>): Promise<[string, string]> {
  const error = await rejection(promise);
  if (!(error instanceof BloomError)) throw new Error(`no BloomError: ${error}`);
  expect(error.message).not.toContain('secret');
  return [error.code, error.message];
}

const NAME = 'https://host.example/a%20b.bloom';

/** Sends fewer or more bytes than its headers state. */
const resized = (host: Host, from: number, to: number, length: number) =>
  answer(
    new Uint8Array(length),
    { ...host.headers, 'content-range': `bytes ${from}-${to - 1}/${host.bytes.length}` },
    206,
  );

const WRONG: readonly (readonly [string, Host['instead'], string, RegExp])[] = [
  ['there is none', () => answer(new Uint8Array(0), {}, 404), 'input', /answered with status 404$/],
  ['it is empty', () => answer(new Uint8Array(0), {}, 416), 'input', /it is empty$/],
  ['the server fails', () => answer(new Uint8Array(9), {}, 500), 'input', /status 500$/],
  [
    'no part is named',
    (_, from, to) => partial(host, from, to, { 'content-range': '' }),
    'input',
    /instead of the bytes from 0 on$/,
  ],
  [
    'no size is named',
    (_, from, to) => partial(host, from, to, { 'content-range': `bytes ${from}-${to - 1}/*` }),
    'input',
    /instead of the bytes from 0 on$/,
  ],
  [
    'another part is sent',
    (_, from, to) => partial(host, from + 1, to + 1),
    'input',
    /sends bytes 1-4096.* instead of the bytes from 0 on$/,
  ],
  ['more is sent', (_, from, to) => resized(host, from, to, to - from + 1), 'input', /more than 4096 bytes/],
  ['less is sent', (_, from, to) => resized(host, from, to, to - from - 1), 'input', /4095 of 4096 bytes/],
  ['it is compressed', (_, from, to) => partial(host, from, to, { 'content-encoding': 'gzip' }), 'input', /compressed/],
  [
    'there is no host',
    () => Promise.reject(new TypeError('fetch failed')),
    'input',
    /the request failed \(fetch failed\)/,
  ],
  [
    'the whole is sent, and is large',
    () => answer(bytesOf('large'), { 'content-length': '1200000' }, 200),
    'input',
    /range requests/,
  ],
  [
    'the whole has no end',
    () => answer(bytesOf('large'), { 'content-length': '9' }, 200),
    'input',
    /more than 1048576 bytes/,
  ],
  [
    'it is no filter',
    () => answer(new TextEncoder().encode('<!doctype html>'.repeat(99)), { 'content-length': '1485' }, 200),
    'format',
    /not a filter/,
  ],
];

describe('a host that does not send what it should', () => {
  test.each(WRONG)('%s', async (_, instead, code, message) => {
    host.instead = instead;
    const [found, text] = await failureOf(lookUp());
    expect([found, text]).toEqual([code, expect.stringMatching(message)]);
    expect(text).toContain(NAME);
  });

  test('ends within its answer', async () => {
    const cut = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(10));
      },
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    host.instead = (_, from, to) =>
      new Response(cut, { status: 206, headers: { 'content-range': `bytes ${from}-${to - 1}/${host.bytes.length}` } });
    expect(await failureOf(lookUp())).toEqual(['input', `cannot read ${NAME}: the connection ended after 10 bytes`]);
  });

  test('may begin to do so later, and the next look-up tries again', async () => {
    const filter = await opened();
    host.instead = () => answer(new Uint8Array(0), {}, 503);
    expect(await failureOf(filter.has('key 1'))).toEqual(['input', expect.stringMatching(/status 503$/)]);
    host.instead = undefined;
    expect(await filter.has('key 1')).toBe(true);
  });
});

describe('a file that changes after it was opened', () => {
  const changes: readonly (readonly [string, () => void])[] = [
    ['another ETag', () => Object.assign(host, { headers: { etag: '"2"' } })],
    ['no ETag', () => Object.assign(host, { headers: {} })],
    ['another time', () => Object.assign(host, { headers: { 'last-modified': 'Sun, 01 Nov 2020 10:00:00 GMT' } })],
    ['another size', () => Object.assign(host, { bytes: bytesOf('fine') })],
    ['a shorter file', () => Object.assign(host, { bytes: bytesOf('small') })],
  ];
  test.each(changes)('is an error of its own: %s', async (_, change) => {
    const filter = await opened();
    change();
    expect((await failureOf(filter.has('key 1')))[0]).toBe('changed');
  });

  test('is noticed even if the host shows no headers, as for foreign pages', async () => {
    host = createHost(bytesOf('large'), {});
    host.instead = (_, from, to) => {
      const response = partial(host, from, to, { 'content-range': '' });
      return Object.defineProperty(response, 'type', { value: 'cors' });
    };
    const filter = await opened();
    expect(await filter.has('key 1')).toBe(true);
    const changed = await opened();
    host.bytes = bytesOf('fine');
    expect((await failureOf(changed.has('key 1')))[0]).toBe('changed');
  });
});

describe('a damaged file', () => {
  const flipped = (name: (typeof NAMES)[number], at: (length: number) => number) => {
    const bytes = bytesOf(name).slice();
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  };
  test.each([
    ['its magic', 'large', () => 4, ''],
    ['its header', 'large', () => 48, ''],
    ['its table', 'large', (length: number) => length - 20, ''],
    ['its seal', 'large', (length: number) => length - 1, ''],
    ['a segment', 'large', () => 5000, 'its segment 1 does not match its checksum'],
    ['a small segment', 'fine', () => 128 + 77, 'its segment 1 does not match'],
    ['a tag', 'fine', () => 128 + 8192, 'its segment 1 does not match'],
    ['a later segment', 'fine', () => 128 + 2 * (8192 + 8) + 77, 'its segment 3 does not match'],
  ] satisfies [string, 'large' | 'fine', (length: number) => number, string][])(
    'is found by %s',
    async (_, name, at, said) => {
      host.bytes = flipped(name, at);
      const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
      const [code, message] = await failureOf(opened().then((filter) => filter.hasMany(keys)));
      expect(code).toBe('format');
      expect(message).toContain(said);
    },
  );

  test('is found if two segments are exchanged', async () => {
    const bytes = bytesOf('fine').slice();
    const { pageBytes } = (await openFilter(bytesOf('fine').slice().buffer)).info();
    bytes.copyWithin(128, 128 + pageBytes, 128 + 2 * pageBytes);
    host.bytes = bytes;
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
    expect((await failureOf(opened().then((filter) => filter.hasMany(keys))))[0]).toBe('format');
  });

  test('is refused if its length or its flags are not known', async () => {
    const longer = new Uint8Array(bytesOf('small').length + 1);
    longer.set(bytesOf('small'));
    expect((await failureOf(openFilter(longer.buffer)))[0]).toBe('format');
    expect((await failureOf(openFilter(longer.slice(0, 100).buffer)))[0]).toBe('format');
    expect((await failureOf(openFilter(longer.slice(0, 200).buffer)))[0]).toBe('format');
  });
});

test('a part knows its keys, and says so of other keys', async () => {
  await within([
    'build',
    '-n',
    '2M',
    '--part',
    '2/2',
    '-',
    '-o',
    'part.bloom',
    '-e',
    'key 1',
    '-e',
    'key 2',
    '-e',
    'key 3',
    '-e',
    'key 4',
  ]);
  const filter = await openFilter(Uint8Array.from(readFileSync(path('part.bloom'))));
  expect(filter.info().part).toBe('2/2');
  const answers = await Promise.all(['1', '2', '3', '4'].map((key) => rejection(filter.has(`key ${key}`))));
  expect(answers.filter((error) => error instanceof BloomError && error.code === 'usage').length).toBeLessThan(4);
  const { stdout } = await within(['query', 'part.bloom', '-e', 'key 1', '-e', 'key 2', '-e', 'key 3', '-e', 'key 4']);
  expect(answers.flatMap((error, i) => (error === undefined ? [`key ${i + 1}\n`] : [])).join('')).toBe(stdout);
});

test('a signal ends the requests, with its reason', async () => {
  const controller = new AbortController();
  const filter = await opened({ signal: controller.signal });
  controller.abort(new Error('enough'));
  host.instead = (request) => Promise.reject(request.signal.reason);
  await expect(filter.has('key 1')).rejects.toThrow('enough');
});

test('a closed filter answers nothing, and nothing else is a filter', async () => {
  const filter = await opened();
  filter.close();
  expect((await failureOf(filter.has('key 1')))[0]).toBe('usage');
  expect((await failureOf(filter.hasMany([])))[0]).toBe('usage');
  expect((await failureOf(openFilter(new ArrayBuffer(0))))[0]).toBe('format');
});
