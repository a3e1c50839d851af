// Filters on a server in this process. It can answer only while the library does not block.

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildFilter, openFilter } from '../../src/library/index.ts';
import { fixture } from '../cli/run.ts';
import { rangeServer } from '../io/remote/range-server.ts';
import { sampled } from '../long.ts';

const keys = Array.from({ length: 1000 }, (_, i) => `key ${i}`);
const asked = [...keys, ...keys.map((key) => `no ${key}`)];
const built = await buildFilter(keys, { items: 6_000_000 });
const bytes = await built.toBytes();
const { segments } = built.stats();
const expected = built.hasMany(asked);

const { origin, served, ranges } = await rangeServer({ bytes, version: { etag: '"one"' } });
beforeEach(() => {
  Object.assign(served, { bytes, version: { etag: '"one"' }, instead: undefined });
  ranges();
});

describe('a filter on a server', () => {
  test('is opened and queried while the thread does other work', async () => {
    const filter = await openFilter(`${origin}/f`);
    expect(await filter.hasAsync('key 1')).toBe(true);
    expect(await filter.hasManyAsync(asked)).toEqual(expected);
    expect(filter.hasMany(asked)).toEqual(expected);
    // Head, table, and each segment at most once.
    const requests = ranges();
    expect(new Set(requests).size).toBe(requests.length);
    expect(requests.length).toBeLessThanOrEqual(2 + segments);
    filter.close();
  });

  test('answers many calls with few requests', async () => {
    const filter = await openFilter(`${origin}/f`);
    ranges();
    expect(await Promise.all([...asked, ...asked].map((key) => filter.hasAsync(key)))).toEqual([
      ...expected,
      ...expected,
    ]);
    expect(ranges().length).toBeLessThanOrEqual(segments);
    filter.close();
  });

  test('fails as the server does, and answers again when the server does', async () => {
    const filter = await openFilter(`${origin}/f`);
    served.instead = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    const answers = await Promise.allSettled([filter.hasAsync('key 1'), filter.hasManyAsync(asked)]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'input' } });
    await expect(filter.hasAsync(5 as unknown as string)).rejects.toThrow('a key must be');
    served.instead = undefined;
    expect(await filter.hasManyAsync(asked)).toEqual(expected);
    filter.close();
  });

  test('that is closed meanwhile is a usage error', async () => {
    const filter = await openFilter(`${origin}/f`);
    served.instead = () => true;
    const waiting = filter.hasAsync('key 1');
    await new Promise(setImmediate);
    filter.close();
    await expect(waiting).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('was closed') });
    await expect(filter.hasAsync('key 1')).rejects.toMatchObject({ code: 'usage' });
  });

  test('that does not exist is an error', async () => {
    served.instead = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    await expect(openFilter(`${origin}/f`)).rejects.toThrow('there is no such file on the server');
  });

  test.each(sampled(['rocksdb/v6.sst', 'guava/k1.guava']))('may be of another system: %s', async (name) => {
    const file = fixture(`formats/${name}`);
    served.bytes = readFileSync(file);
    const words = readFileSync(fixture('formats/asked.txt'), 'utf8').split('\n');
    const [local, remote] = [await openFilter(file), await openFilter(`${origin}/f`)];
    expect(await remote.hasManyAsync(words)).toEqual(local.hasMany(words));
    expect(await local.hasAsync('x')).toBe(local.has('x'));
    local.close();
    remote.close();
  });
});

test('headers go only to the server of the filter', async () => {
  const got: (string | undefined)[] = [];
  const other = await rangeServer({ bytes, version: { etag: '"one"' } });
  other.served.instead = ({ headers }) => {
    got.push(headers.authorization);
    return false;
  };
  served.instead = ({ headers }, response) => {
    got.push(headers.authorization);
    response.writeHead(302, { location: `${other.origin}/f` }).end();
    return true;
  };
  const filter = await openFilter(`${origin}/f`, { headers: { Authorization: 'Bearer secret' } });
  expect(await filter.hasAsync('key 1')).toBe(true);
  filter.close();
  expect(got.slice(0, 2)).toEqual(['Bearer secret', undefined]);
  expect(got.slice(1)).not.toContain('Bearer secret');
});

test('a file whose end the server does not send is not called one without a filter', async () => {
  const text = Buffer.alloc(100_000, 'text ');
  Object.assign(served, { bytes: text });
  await expect(openFilter(`${origin}/f`)).rejects.toMatchObject({ code: 'format' });
  served.instead = ({ headers: { range = '' } }, response) => {
    const isEnd = !range.startsWith('bytes=0-');
    if (isEnd) response.writeHead(503).end();
    return isEnd;
  };
  await expect(openFilter(`${origin}/f`)).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining('status 503'),
  });
});
