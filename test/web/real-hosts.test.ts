// Filters on hosts that are programs of others, configured as the document states: nginx, and a server with the interface of S3.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openFilter } from '../../src/web/index.ts';
import { testedWith } from '../cli/engines/page.ts';
import { scratch } from '../cli/run.ts';
import { blocksIn } from '../document-blocks.ts';
import { IS_LONG } from '../long.ts';
import { pythonOf } from '../systems/engines.ts';
import { testedBy } from '../systems/notice.ts';
import { type Nginx, startNginx } from './nginx.ts';

const PAGE = readFileSync(new URL('../../src/web/WEB.md', import.meta.url), 'utf8');
const [LOCATION = ''] = blocksIn(PAGE, 'Hosts', 'nginx');
const [CORS = ''] = blocksIn(PAGE, 'Hosts', 'json');

/** Enough members for more than 256 segments of 16 KiB, so that no table is needed. */
const MEMBERS = 4_000_000;
const FINE = ['--segment-size', '16KiB', 'members'];

const { path, shell, start, within } = scratch();

/** The folder in which the command keeps copies. */
const copiesIn = (folder: string) => ({ env: { XDG_CACHE_HOME: path(folder) } });

/** The answers for 1,000 members and 1,000 non-members must be those of the local file. */
async function expectAnswers(url: string, file: string, options = {}): Promise<void> {
  const local = await within(['query', '--tag', `filters/${file}.bloom`, 'asked']);
  const tags = local.stdout.match(/^[+-]/gm) ?? [];
  expect([tags.length, tags.slice(0, 1000)]).toEqual([2000, Array(1000).fill('+')]);
  expect(await within(['query', '--tag', url, 'asked'], copiesIn('cache'))).toEqual(local);
  const filter = await openFilter(url, options);
  const asked = readFileSync(path('asked'), 'utf8').trimEnd().split('\n');
  expect((await filter.hasMany(asked)).map((answer) => (answer ? '+' : '-'))).toEqual(tags);
}

/** Writes the file in the place of the served one while a reader has it open. */
async function expectChange(url: string, replace: () => Promise<void>): Promise<void> {
  const filter = await openFilter(url);
  expect(await filter.has('1')).toBe(true);
  const child = start(['query', '--line-buffered', url], { env: { ...process.env, ...copiesIn('changed').env } });
  const [status, errors] = [once(child, 'close'), child.stderr?.toArray()];
  child.stdin?.write('1\n');
  if (child.stdout !== null) expect(String(await once(child.stdout, 'data'))).toContain('1\n');
  await replace();
  child.stdin?.end('2000001\n3000001\n');
  expect(await status).toEqual([3, null]);
  expect(String(await errors)).toContain('it changed while it was read; run the command again');
  await expect(filter.hasMany(['2000001', '3000001'])).rejects.toMatchObject({ code: 'changed' });
}

describe.runIf(IS_LONG)('in long runs', () => {
  beforeAll(async () => {
    mkdirSync(path('filters'));
    symlinkSync('filters', path('whole'));
    shell(`seq ${MEMBERS} > members; seq 1 ${MEMBERS / 1000} ${MEMBERS} > some`);
    shell(`{ cat some; seq ${MEMBERS + 1} ${MEMBERS + 1000}; } > asked`);
    await within(['build', '-o', 'filters/large.bloom', ...FINE]);
    await within(['build', '-o', 'other.bloom', '--seed', '7', ...FINE]);
    await within(['build', '-o', 'filters/small.bloom', '-n', '500k', 'some']);
    // The command keeps copies of files that have not changed for a minute.
    utimesSync(path('filters/large.bloom'), 0, 0);
  });

  describe('nginx', () => {
    const tested = testedWith('nginx');
    const withoutRanges = LOCATION.replace('/filters/ {', '/whole/ {\n  max_ranges 0;');
    let started: Promise<Nginx> | undefined;
    const running = () => (started ??= startNginx(path('.'), [LOCATION, withoutRanges]));
    afterAll(async () => (await started)?.close());

    tested('has the answers of the local file, in two requests for the first key and one for the next', async () => {
      const { origin, requests } = await running();
      const url = `${origin}/filters/large.bloom`;
      await requests();
      for (const [key, count] of [
        ['1', 2],
        ['2000001', 1],
      ] as const) {
        expect(await within(['query', url, '-e', key], copiesIn('nginx'))).toEqual({
          stdout: `${key}\n`,
          stderr: '',
          status: 0,
        });
        const made = await requests();
        expect(made).toEqual(Array(count).fill(expect.stringMatching(/^206 bytes=\d+-\d+$/)));
      }
      const filter = await openFilter(url);
      expect(await filter.has('1')).toBe(true);
      expect(await requests()).toHaveLength(2);
      expect(await filter.has('2000001')).toBe(true);
      expect(await requests()).toHaveLength(1);
      await expectAnswers(url, 'large');
    });

    tested('adds the headers for pages of another origin, to errors too, and compresses nothing', async () => {
      const { origin } = await running();
      for (const [name, status] of [
        ['large', 206],
        ['none', 404],
      ] as const) {
        const headers = { origin: 'https://page.example', range: 'bytes=0-4095' };
        const answer = await fetch(`${origin}/filters/${name}.bloom`, { headers });
        expect([answer.status, (await answer.arrayBuffer()).byteLength === 4096]).toEqual([status, status === 206]);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('access-control-expose-headers')).toBe('Content-Range, ETag');
      }
      const whole = await fetch(`${origin}/filters/small.bloom`, { headers: { 'accept-encoding': 'gzip' } });
      expect([whole.status, whole.headers.get('content-encoding')]).toEqual([200, null]);
    });

    tested('without ranges serves small filters, and large ones to who reads them whole', async () => {
      const { origin, requests } = await running();
      await requests();
      await expectAnswers(`${origin}/whole/small.bloom`, 'small');
      await expectAnswers(`${origin}/whole/small.bloom`, 'small', { whole: true });
      expect(new Set((await requests()).map((request) => request.slice(0, 3)))).toEqual(new Set(['200']));
      const large = `${origin}/whole/large.bloom`;
      expect(await within(['query', large, '-e', '1'])).toMatchObject({
        stdout: '',
        stderr: expect.stringContaining('its server does not support range requests (it answered with status 200)'),
        status: 2,
      });
      await expect(openFilter(large)).rejects.toMatchObject({
        code: 'input',
        message: expect.stringContaining('range requests'),
      });
      expect(await (await openFilter(large, { whole: true })).hasMany(['1', '4000000'])).toEqual([true, true]);
    });

    tested('may replace a file, and may give both versions the same ETag', async () => {
      const { origin } = await running();
      const [file, url] = [path('filters/changing.bloom'), `${origin}/filters/changing.bloom`];
      const [before, now] = [new Date(0), new Date()];
      const put = (version: string, modified: Date) => {
        copyFileSync(path(version), file);
        utimesSync(file, modified, modified);
      };
      put('filters/large.bloom', before);
      await expectChange(url, async () => put('other.bloom', now));
      // The ETag of nginx consists of the second and the size.
      for (const version of ['other.bloom', 'filters/large.bloom']) {
        put(version, now);
        expect(await within(['query', url, '-e', '1', '-e', '2000001'], copiesIn('nginx'))).toEqual({
          stdout: '1\n2000001\n',
          stderr: '',
          status: 0,
        });
      }
    });
  });

  testedBy('s3')(
    'a server with the interface of S3 serves public objects, and private ones by signed addresses',
    async () => {
      const driver = resolve('test', 'systems', 'drivers', 'python', 's3.py');
      const child = spawn(pythonOf('s3'), [driver, path('filters/large.bloom'), CORS], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      try {
        const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
        const next = async (): Promise<string> => (await lines.next()).value;
        const urls = JSON.parse(await next());
        const headers = { origin: 'https://page.example', range: 'bytes=0-4095' };
        for (const url of [urls.public, urls.signed]) {
          await expectAnswers(url, 'large');
          const answer = await fetch(url, { headers });
          expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 4096]);
          expect(answer.headers.get('access-control-expose-headers')).toBe('Content-Range, ETag');
        }
        expect(await within(['query', urls.private, '-e', '1'])).toMatchObject({
          stderr: expect.stringContaining('the server denies access (status 403)'),
          status: 2,
        });
        for (const [url, file] of [
          [urls.public, 'other.bloom'],
          [urls.signed, 'filters/large.bloom'],
        ])
          await expectChange(url, async () => {
            child.stdin.write(`${path(file)}\n`);
            expect(await next()).toBe('replaced');
          });
      } finally {
        child.kill();
      }
    },
  );
});
