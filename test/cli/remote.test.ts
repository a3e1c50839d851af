// Filters on servers in this process.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rangeServer } from '../io/remote/range-server.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import type { Outcome } from '../starter.ts';
import { fixture, outcomeLater, scratch } from './run.ts';

const { bloom, path, start, within } = scratch();

const tls = {
  key: readFileSync(fixture('tls/key.pem'), 'utf8'),
  cert: readFileSync(fixture('tls/certificate.pem'), 'utf8'),
};
const TRUSTED = { NODE_EXTRA_CA_CERTS: fixture('tls/certificate.pem') };

const server = await rangeServer({ bytes: new Uint8Array(0), version: {} });
const secure = await rangeServer(server.served, tls);
const { served, ranges, origin } = server;
const url = `${origin}/a%20b.bloom`;

/** Runs the command in this process. While it waits for the bytes of a large filter, this process cannot serve them. */
const remote = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> =>
  within(args, { env: { XDG_CACHE_HOME: path('cache'), ...env } });

/** Runs the command as a process, while this one continues. */
async function apart(args: readonly string[], env: NodeJS.ProcessEnv = {}, stdin = ''): Promise<Outcome> {
  return outcomeLater(start(args, { env: { ...process.env, XDG_CACHE_HOME: path('cache'), ...env } }), stdin);
}

/** Sets the file that the server has from now on. */
function serve(file: string, etag = file): void {
  Object.assign(served, { bytes: readFileSync(file), version: { etag: `"${etag}"` }, instead: undefined });
  ranges();
}

beforeAll(async () => {
  writeFileSync(path('keys'), Array.from({ length: 5000 }, (_, i) => `key ${i}\n`).join(''));
  writeFileSync(path('asked'), Array.from({ length: 20_000 }, (_, i) => `key ${i}\n`).join(''));
  writeFileSync(path('few'), 'key 1\n');
  await within(['build', '-n', '1M', 'keys', '-o', 'large.bloom']);
  await within(['build', '-n', '1M', '--seed', '7', 'asked', '-o', 'other.bloom']);
  await within(['build', 'keys', '-o', 'small.bloom']);
  // 288 segments.
  await within(['build', '-n', '480k', '-p', '1e-4', '--segment-size', '4KiB', 'keys', '-o', 'fine.bloom']);
});
beforeEach(() => {
  rmSync(path('cache/bloom/copies'), { recursive: true, force: true });
  serve(path('large.bloom'));
});

const ASK = ['-e', 'key 1', '-e', 'no key', '--tag'];
const ANSWERS = { stdout: '+key 1\n-no key\n', stderr: '', status: 0 };

describe('a filter on a server', () => {
  test.each([
    ['HTTP', server, {}],
    ['HTTPS', secure, TRUSTED],
  ] as const)(
    'is queried over %s: three requests for the first key, and then one',
    async (_, { origin, ranges }, env) => {
      const ask = ['query', `${origin}/f`, '-e', 'key 1'];
      expect(await apart(ask, env)).toEqual({ stdout: 'key 1\n', stderr: '', status: 0 });
      expect(ranges()).toHaveLength(3);
      expect(await apart(ask, env)).toEqual({ stdout: 'key 1\n', stderr: '', status: 0 });
      const [segment, ...more] = ranges();
      expect(more).toEqual([]);
      const [from = 0, last = 0] = (segment ?? '').match(/\d+/g)?.map(Number) ?? [];
      // One segment of 1.2 MB, as FORMAT.md says.
      expect([(from - 128) % (last + 1 - from), last + 1 - from]).toEqual([0, segmentBytes()]);
    },
  );

  test('is one request if it is small', async () => {
    serve(path('small.bloom'));
    expect(await remote(['query', url, ...ASK])).toEqual(ANSWERS);
    expect(ranges()).toEqual(['bytes=0-15359']);
  });

  test.runIf(IS_LONG)(
    'with small segments is two requests of less than 32 KiB for the first key, and then one segment',
    async () => {
      serve(path('fine.bloom'));
      const bytesOf = (asked: readonly (string | undefined)[]) =>
        asked.map((range = '') => {
          const [from = 0, last = 0] = range.match(/\d+/g)?.map(Number) ?? [];
          return last + 1 - from;
        });
      expect(await apart(['query', url, '-e', 'key 1'])).toEqual({ stdout: 'key 1\n', stderr: '', status: 0 });
      const [head = 0, segment = 0, ...more] = bytesOf(ranges());
      // A tag of 8 bytes follows a segment, as FORMAT.md says.
      expect([head + segment < 32 * 1024, segment, more]).toEqual([
        true,
        readFileSync(path('fine.bloom')).readUInt32LE(44) / 8 + 8,
        [],
      ]);
      for (const key of ['key 1', 'key 2', 'key 3']) {
        expect(await apart(['query', url, '-e', key])).toEqual({ stdout: `${key}\n`, stderr: '', status: 0 });
        expect(bytesOf(ranges())).toEqual([segment]);
      }
      expect(await apart(['query', '-c', url, 'asked'])).toEqual(await within(['query', '-c', 'fine.bloom', 'asked']));
      expect(await apart(['stats', url])).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('that was replaced since is queried in its new version', async () => {
    expect(await apart(['query', url, ...ASK])).toEqual(ANSWERS);
    serve(path('other.bloom'));
    expect(await apart(['query', url, '-e', 'key 7777'])).toEqual({ stdout: 'key 7777\n', stderr: '', status: 0 });
    expect(ranges()).toHaveLength(1 + 3);
    expect(await apart(['query', url, '-e', 'key 7777'])).toMatchObject({ status: 0 });
    expect(ranges()).toHaveLength(1);
  });

  test.each(inLongRuns(['3', '1'], ['1']))('answers queries for records with --threads %s', async (threads) => {
    // More than 32 MB, for which bloom starts threads.
    const others = `${'x'.repeat(9999)}\n`.repeat(threads === '1' ? 0 : 3600);
    writeFileSync(path('many'), readFileSync(path('asked'), 'utf8') + others);
    const file = await within(['query', '-c', 'large.bloom', 'many']);
    expect(await apart(['query', '-c', '--threads', threads, url, 'many'])).toEqual(file);
    expect(await apart(['query', '-c', '--threads', threads, url], {}, 'key 1\nno key\n')).toMatchObject({
      stdout: '1\n',
    });
  });

  test.runIf(IS_LONG)('answers many records with few requests', async () => {
    const file = await within(['query', '--tag', 'large.bloom', 'asked']);
    for (const requests of [4, 3, 3]) {
      expect(await apart(['query', '--tag', url, path('asked')])).toEqual(file);
      // Head and table, then the segments in one or two pieces; with a copy of the table, head and segments.
      expect(ranges().length).toBeLessThanOrEqual(requests);
    }
  });

  test('gets the headers of a file or a variable, which no message shows', async () => {
    writeFileSync(path('token'), 'Authorization: Bearer s3cret\nX-Team: a b\n');
    const env = { LOGIN: 'authorization: Bearer s3cret' };
    served.instead = (request, response) => {
      if (request.headers.authorization === 'Bearer s3cret') return false;
      response.writeHead(401).end();
      return true;
    };
    for (const source of ['@token', 'env:LOGIN'])
      expect(await apart(['query', url, '--http-header', source, ...ASK], env)).toEqual(ANSWERS);
    const failures: readonly (readonly [readonly string[], string])[] = [
      [['query', url, ...ASK], 'the server requires a login'],
      [['query', url, '--http-header', 'Authorization: Bearer s3cret', ...ASK], '--http-header is @FILE or env:NAME'],
      [['query', url, '--http-header', 'env:NONE', ...ASK], 'there is no variable NONE'],
      [['query', url, '--http-header', '@none', ...ASK], 'cannot read none'],
      [['query', url, '--http-header', '@keys', ...ASK], 'line 1 in keys is not a header'],
      [['query', url, '--http-header', 'env:RANGE', ...ASK], 'bloom states the header range itself'],
      [['query', 'large.bloom', '--http-header', '@token', ...ASK], '--http-header has no effect: no filter is a URL'],
      [['stats', 'large.bloom', '--http-header', '@token'], '--http-header has no effect: no filter is a URL'],
      [['query', '--filters-from', 'few', '--http-header', '@token', ...ASK], '--http-header needs to know its server'],
    ];
    for (const [args, what] of failures) {
      const { stderr, status } = await remote(args, { RANGE: 'range: s3cret' });
      expect([stderr, status]).toEqual([oneLine(what), 2]);
      expect(stderr).not.toContain('s3cret');
    }
  });

  test('is queried beside other filters, which are named', async () => {
    const asked = ['query', 'other.bloom', '-F', url, '-F', `${origin}/b`, '--which', '-e', 'key 1', '-e', 'key 7777'];
    expect(await apart(asked)).toEqual({
      stdout: `other.bloom,${url},${origin}/b\tkey 1\nother.bloom\tkey 7777\n`,
      stderr: '',
      status: 0,
    });
  });

  test.runIf(IS_LONG)('is reported on, and build --like copies its parameters', async () => {
    ranges();
    const { stdout } = await apart(['stats', '--json', '--verify', '--probes', '10k', url]);
    // Head and table, all segments for their checksums, and all for the random keys.
    expect(ranges().length).toBeLessThanOrEqual(6);
    const local = JSON.parse((await within(['stats', '--json', '--verify', '--probes', '10k', 'large.bloom'])).stdout);
    const facts = { ...JSON.parse(stdout), seconds: local.seconds, measuredFpr: local.measuredFpr };
    expect(facts).toEqual({ ...local, file: url, modified: null });
    expect(await apart(['build', '--like', url, 'keys', '-o', 'like.bloom', '--force'])).toMatchObject({ status: 0 });
    expect(readFileSync(path('like.bloom')).equals(readFileSync(path('large.bloom')))).toBe(true);
  });

  test.each(
    sampled([
      'guava/k1.guava',
      'dcso/a.bloom',
      'rocksdb/v6.sst',
      'pybloom/sha.bloom',
      'redisbloom/plain.dump',
      'datasketches/p01.bin',
      'hbase/row.hfile',
    ]),
  )('may be of another system: %s', async (name) => {
    const file = fixture(`formats/${name}`);
    serve(file);
    const asked = fixture('formats/asked.txt');
    expect(await remote(['query', '--tag', url, asked])).toEqual(await within(['query', '--tag', file, asked]));
  });

  test('that is damaged gives the error of the local file', async () => {
    const damaged = readFileSync(path('large.bloom'));
    damaged[1000] = (damaged[1000] ?? 0) ^ 1;
    writeFileSync(path('damaged.bloom'), damaged);
    serve(path('damaged.bloom'));
    const { stderr, status } = await within(['query', 'damaged.bloom', 'asked']);
    expect(await apart(['query', url, path('asked')])).toEqual({
      stdout: '',
      stderr: stderr.replaceAll('damaged.bloom', url),
      status,
    });
  });
});

/** Bytes per segment, by the header. */
function segmentBytes(): number {
  return readFileSync(path('large.bloom')).readUInt32LE(44) / 8;
}

/** An error of one line with a hint. */
const oneLine = (what: string) => expect.stringMatching(new RegExp(`^bloom: [^\\n]*${what}[^\\n]*\\n$`));

describe('an error of one line', () => {
  const fails = async (args: readonly string[], what: string) =>
    expect(await remote(args)).toEqual({ stdout: '', stderr: oneLine(what), status: 2 });
  // Node reads its trusted certificates when it starts.
  const failsTrusting = async (args: readonly string[], what: string) =>
    expect(await apart(args, TRUSTED)).toEqual({ stdout: '', stderr: oneLine(what), status: 2 });

  test('if there is no such file', async () => {
    served.instead = (_, response) => {
      response.writeHead(404).end('not here\n');
      return true;
    };
    await fails(['query', url, ...ASK], 'cannot read http.*: there is no such file on the server');
    await fails(['stats', url], 'there is no such file on the server');
  });

  test('if the file is changed meanwhile, also with a copy of the earlier version', async () => {
    for (const _ of inLongRuns(['no copy', 'a copy'], ['no copy'])) {
      let requests = 0;
      served.instead = () => {
        if (requests++ > 0) Object.assign(served, { version: { etag: `"${requests}"` } });
        return false;
      };
      const changed = { stdout: '', stderr: oneLine('it changed while it was read; run the command again'), status: 3 };
      expect(await apart(['query', url, ...ASK])).toEqual(changed);
      serve(path('large.bloom'));
      await apart(['query', url, ...ASK]);
    }
  });

  test('if the server is silent', async () => {
    served.instead = () => true;
    await fails(
      ['query', url, '--timeout', '0.1', ...ASK],
      'the server was silent for 0.1 s; wait longer with --timeout',
    );
  });

  test('if the certificate is not trusted, or belongs to another host', async () => {
    await fails(['query', `${secure.origin}/f`, ...ASK], 'the certificate of 127.0.0.1:\\d+ is not trusted');
    const other = secure.origin.replace('127.0.0.1', 'localhost');
    await failsTrusting(['query', `${other}/f`, ...ASK], 'the certificate of localhost:\\d+ is not trusted');
    // A warning of Node comes first.
    const forced = await apart(['query', `${secure.origin}/f`, ...ASK], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(forced).toMatchObject({ stdout: '', stderr: expect.stringContaining('is not trusted'), status: 2 });
    expect(secure.ranges()).toEqual([]);
  });

  test.runIf(IS_LONG)('if it is redirected from HTTPS to HTTP', async () => {
    served.instead = (_, response) => {
      response.writeHead(302, { location: url }).end();
      return true;
    };
    await failsTrusting(['query', `${secure.origin}/f`, ...ASK], `redirects it to another scheme, ${origin}`);
  });

  test('if no server answers', async () => {
    for (const args of sampled([['query', '-e', 'x'], ['stats'], ['query', '--which', '-e', 'x']]))
      await fails([...args, '--timeout', '1', 'large.bloom'], '--timeout has no effect: no filter is a URL');
  });

  test('if it is not a filter, not a URL, or a URL with a password', async () => {
    // The file is small: this process cannot send the end of a larger file while it waits for that end.
    serve(path('few'));
    await fails(['query', url, ...ASK], 'is not a filter of bloom: [^;]*; make one with bloom build;');
    await fails(['query', 'http://', ...ASK], 'http:// is not a URL');
    await fails(['query', url.replace('//', '//me:secret@'), ...ASK], 'the URL of a file at .* has a user name');
  });

  test('without password and signature, at any position of the URL', async () => {
    const named = 'http://user:secret@host.example/f.bloom?X-Amz-Signature=5ec2e7#secret';
    for (const line of [
      ['query', named],
      ['query', named, '--timeout', named],
      ['query', '-F', named, '-e', 'x'],
      ['query', `--which=${named}`],
      ['query', 'large.bloom', named],
      ['add', named],
      ['dedup', '--state', named],
      ['merge', named, '-o', 'x'],
      ['build', named],
      ['build', '--like', named, '-n', '5', 'keys', '-o', 'x'],
      ['build', '-n', named, 'keys', '-o', 'x'],
      ['build', 'keys', '-o', named],
      ['size', named],
      ['size', '-n', `@${named}`],
      ['count', named],
      [named],
      ['help', named],
    ]) {
      const { stdout, stderr, status } = await within(line);
      expect([line, stdout, status]).toEqual([line, '', 2]);
      expect(stderr).not.toMatch(/secret|user:|5ec2e7/);
    }
    const asked = `${url.replace('127.0.0.1', 'localhost')}?X-Amz-Signature=5ec2e7`;
    served.instead = (_, response) => {
      response.writeHead(403).end();
      return true;
    };
    await fails(
      ['query', asked, ...ASK],
      `cannot read ${origin.replace('127.0.0.1', 'localhost')}/a%20b.bloom\\?\\.\\.\\.: the server denies access`,
    );
  });

  test('if the filter is changed or merged, or its records are on a server', async () => {
    const why = 'only filters can be read from a server, by query, stats and build --like; download it first';
    await fails(['add', url, 'keys'], 'bloom does not write to servers');
    await fails(['merge', url, 'large.bloom', '-o', 'merged.bloom'], why);
    await fails(['query', 'large.bloom', url], why);
    await fails(['build', 'keys', '-o', url], 'bloom does not write to servers');
  });

  test('if its name is that of an object in a cloud store', async () => {
    const s3 = 'query it by a signed URL: bloom query "\\$\\(aws s3 presign s3://b/k\\)" -e KEY';
    await fails(['query', 's3://b/k', ...ASK], s3);
    await fails(['query', 'gs://b/k', ...ASK], 'gcloud storage sign-url gs://b/k');
    await fails(['query', 'large.bloom', 's3://b/k'], 'read standard input, from aws s3 cp s3://b/k -');
    await fails(['build', 'keys', '-o', 's3://b/k'], 'bloom does not write to servers');
  });
});

test.runIf(IS_LONG)('only the user can read the copies', async () => {
  await apart(['query', url, ...ASK]);
  const [name = ''] = readdirSync(path('cache/bloom/copies'));
  expect(
    [path('cache/bloom/copies'), path(`cache/bloom/copies/${name}`)].map((file) => statSync(file).mode & 0o777),
  ).toEqual([0o700, 0o600]);
  expect(await apart(['query', url, ...ASK], { XDG_CACHE_HOME: 'relative', HOME: path('home') })).toEqual(ANSWERS);
  expect(readdirSync(path('home/.cache/bloom/copies'))).toEqual([name]);
});

test('no network module is loaded for a local file', () => {
  writeFileSync(
    path('loaded.cjs'),
    `process.on('exit', () => console.error(JSON.stringify([process.moduleLoadList, Object.keys(require.cache)])))`,
  );
  const { stderr } = bloom(['query', 'large.bloom', '-e', 'key 1'], {
    env: { NODE_OPTIONS: '--require ./loaded.cjs' },
  });
  const [builtins, files] = JSON.parse(stderr) as [string[], string[]];
  const ofNetworks = ['http', 'https', '_http_client', 'net', 'tls', 'dns', 'worker_threads'];
  expect(ofNetworks.filter((name) => builtins.includes(`NativeModule ${name}`))).toEqual([]);
  expect(files.map((file) => file.split('/').at(-1))).toEqual([
    'loaded.cjs',
    'bloom.js',
    'start.cjs',
    'cli.cjs',
    'rolldown-runtime.cjs',
  ]);
});

const nginx = findNginx();

describe.skipIf(nginx === undefined)(`nginx${nginx === undefined ? ' (not installed here)' : ''}`, () => {
  test.runIf(IS_LONG)('serves filters', async () => {
    mkdirSync(path('www'));
    const stop = await startNginx(path('www'));
    const { port, requests } = stop;
    try {
      const at = `http://127.0.0.1:${port}/served.bloom`;
      const put = (file: string, seconds: number) => {
        writeFileSync(path('www/served.bloom'), readFileSync(path(file)));
        utimesSync(path('www/served.bloom'), seconds, seconds);
      };
      put('large.bloom', 1e9);
      expect(await apart(['query', at, '-e', 'key 1', '-e', 'key 7777'])).toMatchObject({
        stdout: 'key 1\n',
        status: 0,
      });
      expect(requests().slice(0, 2)).toEqual(['206', '206']);
      expect(await apart(['query', at, '-e', 'key 1'])).toMatchObject({ stdout: 'key 1\n', status: 0 });
      expect(requests()).toEqual(['206']);
      put('other.bloom', 2e9);
      expect(await apart(['query', at, '-e', 'key 7777'])).toMatchObject({ stdout: 'key 7777\n', status: 0 });
      expect(requests()).toEqual(['412', '206', '206', '206']);
      expect(await apart(['query', `${at}.none`, ...ASK])).toMatchObject({
        stderr: oneLine('no such file on the server'),
      });
      expect(await apart(['query', `http://127.0.0.1:${port}/moved`, '-e', 'key 1', '-c'])).toMatchObject({
        stdout: '1\n',
      });
    } finally {
      await stop.end();
    }
  });
});

function findNginx(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v nginx'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Starts nginx on a folder. `requests` returns the statuses of the requests since its last call. */
async function startNginx(root: string) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  const log = path('access.log');
  writeFileSync(
    path('nginx.conf'),
    `pid ${path('nginx.pid')}; daemon off; master_process off; error_log ${path('error.log')}; events {}
http {
  log_format status $status; access_log ${log} status;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${path('temporary')};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${root}; location = /moved { return 301 /served.bloom; } }
}`,
  );
  const child = spawn(nginx ?? '', ['-p', path('.'), '-e', path('error.log'), '-c', path('nginx.conf')], {
    stdio: 'ignore',
  });
  for (let isUp = false; !isUp; )
    isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => child.exitCode !== null,
    );
  let seen = readFileSync(log).length;
  return {
    port,
    requests() {
      const text = readFileSync(log, 'utf8').slice(seen);
      seen += text.length;
      return text.split('\n').slice(0, -1);
    },
    async end() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
