import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { OutdatedCopy } from '../../../src/errors.ts';
import { cacheFolder } from '../../../src/io/cache-folder.ts';
import { createClient } from '../../../src/io/remote/client.ts';
import { copiesIn } from '../../../src/io/remote/copies.ts';
import { createRemoteFile } from '../../../src/io/remote/remote-file.ts';

import { below, createRandom } from '../../reference/random.ts';
import { rangeServer } from './range-server.ts';

const BYTES = new Uint8Array(300_000).map((_, i) => (i * 2654435761) >>> 13);
const root = mkdtempSync(join(tmpdir(), 'bloom-remote-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = join(root, 'copies');

const server = await rangeServer({ bytes: BYTES, version: {} });
const { origin, served, ranges } = server;
const url = `${origin}/f`;
beforeEach(() => {
  Object.assign(served, { bytes: BYTES, version: { etag: '"one"' }, instead: undefined });
  rmSync(folder, { recursive: true, force: true });
  ranges();
});

/** Texts are compared far more quickly than arrays of bytes. */
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The file at a URL, by default that of the server. */
async function remoteFile({ at = url, isTrusted = true, patience = 60_000, isKept = true } = {}) {
  const client = createClient(new URL(at), at, { patience });
  return createRemoteFile(client, copiesIn(isKept ? cacheFolder(root, ['copies']) : undefined, at), isTrusted);
}

/** Reads as a filter is read: the beginning, the table, and then a part. */
async function readAll(options: Parameters<typeof remoteFile>[0] = {}) {
  const file = await remoteFile(options);
  const size = await file.open();
  const head = await file.read(0, 512);
  const table = await file.read(size - 1000, 1000);
  file.keep();
  const part = await file.read(150_000, 2000);
  return { size, parts: [head, table, part].map(hex) };
}

const expectedOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  parts: [bytes.subarray(0, 512), bytes.subarray(-1000), bytes.subarray(150_000, 152_000)].map(hex),
});

/** Redirects every request. */
const redirect = (headers: OutgoingHttpHeaders) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(301, headers).end();
  return true;
};

describe('a file on a server', () => {
  test('is read in three requests, and then in one', async () => {
    expect(await readAll()).toEqual(expectedOf(BYTES));
    expect(ranges()).toEqual(['bytes=0-15359', 'bytes=234464-299999', 'bytes=150000-151999']);
    expect(await readAll()).toEqual(expectedOf(BYTES));
    expect(ranges()).toEqual(['bytes=150000-151999']);
  });

  test('gives no more than it has', async () => {
    const file = await remoteFile();
    await file.open();
    for (const [position, length] of [
      [BYTES.length - 3, 10],
      [BYTES.length, 10],
      [BYTES.length + 5, 10],
      [0, 0],
    ] as const)
      expect(hex(await file.read(position, length))).toBe(hex(BYTES.subarray(position, position + length)));
  });

  test('that is small comes in one request, each time anew', async () => {
    served.bytes = BYTES.subarray(0, 5000);
    for (let i = 0; i < 2; i++) {
      const file = await remoteFile();
      expect(await file.open()).toBe(5000);
      expect(hex(await file.read(4000, 1000))).toBe(hex(BYTES.subarray(4000, 5000)));
      file.keep();
      expect(hex(await file.read(1000, 10))).toBe(hex(BYTES.subarray(1000, 1010)));
      expect(ranges()).toEqual(['bytes=0-15359']);
    }
  });

  test('is taken as a whole from a server without ranges, up to a mebibyte', async () => {
    served.instead = (_, response) => {
      response.setHeader('content-length', served.bytes.length);
      response.setHeader('etag', '"one"');
      response.end(served.bytes);
      return true;
    };
    for (let i = 0; i < 2; i++) {
      expect(await readAll()).toEqual(expectedOf(BYTES));
      expect(ranges()).toEqual(['bytes=0-15359']);
    }
    served.bytes = new Uint8Array(2 ** 20 + 1);
    await expect(readAll()).rejects.toThrow(
      /^cannot read http:.*: its server does not support range requests \(it answered with status 200/,
    );
  });

  test('is followed through redirects of one scheme, five at most', async () => {
    let redirects = 5;
    served.instead = ({ url: path }, response) => {
      if (path?.startsWith('/there') || redirects-- <= 0) return false;
      response.writeHead(302, { location: redirects === 0 ? '/there' : './f' }).end();
      return true;
    };
    expect(await readAll()).toEqual(expectedOf(BYTES));
    // The following requests use the address to which the first one was redirected.
    expect(ranges()).toHaveLength(8);
    redirects = 6;
    await expect(readAll({ isTrusted: false })).rejects.toThrow('the server redirects it more than 5 times');
    redirects = 1;
    served.instead = redirect({ location: 'https://127.0.0.1:1/f' });
    await expect(readAll({ isTrusted: false })).rejects.toThrow(
      'the server redirects it to another scheme, https://127.0.0.1:1',
    );
    served.instead = redirect({});
    await expect(readAll({ isTrusted: false })).rejects.toThrow('the server redirects it without a valid address');
  });

  test('is requested again once, if the address behind a redirect has expired', async () => {
    let [valid, asked] = [1, 0];
    served.instead = ({ url: path }, response) => {
      if (path === `/there?${valid}`) return false;
      if (path === '/f') response.writeHead(302, { location: `/there?${valid}` }).end();
      else response.writeHead(403).end();
      asked++;
      return true;
    };
    const file = await remoteFile();
    await file.open();
    file.keep();
    expect(asked).toBe(1);
    valid = 2;
    expect(hex(await file.read(150_000, 10))).toBe(hex(BYTES.subarray(150_000, 150_010)));
    // One request to the expired address, and one to the first address.
    expect(asked).toBe(3);
    // Again the expired address and the first one, which now leads nowhere.
    valid = 3;
    served.instead = ({ url: path }, response) => {
      if (path === '/f') response.writeHead(302, { location: '/nowhere' }).end();
      else response.writeHead(403).end();
      asked++;
      return true;
    };
    await expect(file.read(250_000, 10)).rejects.toThrow('the server denies access');
    expect(asked).toBe(6);
  });

  test('never gets a password that a redirect brings', async () => {
    const authorizations: unknown[] = [];
    for (const user of ['user:secret@', 'user@', ':secret@']) {
      served.instead = (request, response) => {
        authorizations.push(request.headers.authorization);
        return (
          request.url === '/f' &&
          redirect({ location: `${origin.replace('//', `//${user}`)}/there` })(request, response)
        );
      };
      const error: unknown = await readAll({ isTrusted: false }).catch((error: unknown) => error);
      expect(String(error)).toContain(`the server redirects it to a URL with a user name, at ${origin}`);
      expect(String(error)).not.toMatch(/secret|user@|user:/);
    }
    expect(authorizations).toEqual([undefined, undefined, undefined]);
  });
});

describe('a copy', () => {
  const versions: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ['a strong ETag', { etag: '"a"' }, true],
    ['a weak ETag', { etag: 'W/"a"' }, false],
    ['a time long ago', { 'last-modified': 'Sun, 01 Nov 2020 10:00:00 GMT' }, true],
    ['a time just now', { 'last-modified': new Date().toUTCString() }, false],
    ['a strong ETag and a time long ago', { etag: '"a"', 'last-modified': 'Sun, 01 Nov 2020 10:00:00 GMT' }, true],
    ['a strong ETag and a time just now', { etag: '"a"', 'last-modified': new Date().toUTCString() }, false],
    ['nothing', {}, false],
  ];
  test.each(versions)('is kept by %s if no other version has the same', async (_, version, isKept) => {
    served.version = version;
    expect(await readAll()).toEqual(expectedOf(BYTES));
    expect(existsSync(folder) ? readdirSync(folder) : []).toHaveLength(isKept ? 1 : 0);
  });

  test('is that of every signature of the file, and of no other file', async () => {
    const signed = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=1&X-Amz-Signature=1',
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=2&X-Amz-Signature=2',
      'X-Goog-Date=1&X-Goog-Signature=1',
      'Expires=1&Signature=1&Key-Pair-Id=K',
      'sv=2024-11-04&se=1&sr=b&sp=r&sig=1',
    ];
    for (const query of signed) {
      expect(await readAll({ at: `${url}?${query}` })).toEqual(expectedOf(BYTES));
      expect(ranges()).toHaveLength(query === signed[0] ? 3 : 1);
    }
    // Without a signature these are ordinary parameters.
    for (const query of ['versionId=2&X-Amz-Signature=1', 'Expires=1', 'sv=1&se=1', 'a=1'])
      for (const requests of [3, 1]) {
        expect(await readAll({ at: `${url}?${query}` })).toEqual(expectedOf(BYTES));
        expect(ranges()).toHaveLength(requests);
      }
  });

  test('of another version is dropped, and the file has to be opened again', async () => {
    for (const [before, after] of [
      [{ etag: '"a"' }, { etag: '"b"' }],
      [{ 'last-modified': 'Sun, 01 Nov 2020 10:00:00 GMT' }, { 'last-modified': 'Sun, 01 Nov 2020 10:00:01 GMT' }],
      // The ETag is the same, but the length of the file is not.
      [{ etag: '"a"' }, { etag: '"a"' }],
    ] as const) {
      Object.assign(served, { version: before, bytes: BYTES });
      await readAll();
      Object.assign(served, { version: after, bytes: BYTES.subarray(1) });
      await expect(readAll()).rejects.toThrow(OutdatedCopy);
      ranges();
      expect(await readAll()).toEqual(expectedOf(served.bytes));
      expect(ranges()).toHaveLength(3);
      rmSync(folder, { recursive: true });
    }
  });

  test('answers nothing about the file until a server says that it holds', async () => {
    await readAll();
    served.version = { etag: '"two"' };
    const file = await remoteFile();
    await file.open();
    await file.read(0, 512);
    file.keep();
    await expect(file.read(100, 10)).rejects.toThrow(OutdatedCopy);
  });

  test('that is not trusted is confirmed first, and is not used once it is damaged or cut off', async () => {
    await readAll();
    ranges();
    await readAll({ isTrusted: false });
    // The first answer confirms its version.
    expect(ranges()).toEqual(['bytes=0-15359', 'bytes=150000-151999']);
    const [name = ''] = readdirSync(folder);
    const whole = readFileSync(join(folder, name));
    const random = createRandom(1);
    for (let i = 0; i < 20; i++) {
      const at = below(random, whole.length);
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(join(folder, name), damaged);
      if (i % 2 === 0) truncateSync(join(folder, name), at);
      expect(await readAll()).toEqual(expectedOf(BYTES));
      expect(ranges()).toHaveLength(3);
    }
  });

  test('that cannot be kept is no loss', async () => {
    writeFileSync(folder, 'no folder');
    expect(await readAll()).toEqual(expectedOf(BYTES));
    expect(await readAll({ isKept: false })).toEqual(expectedOf(BYTES));
    rmSync(folder);
  });

  test('goes when there are too many of them, those first that nobody has used for longest', () => {
    const bytes = new Uint8Array(60_000);
    const copy = { version: { etag: '"a"', modified: undefined, size: 1 }, pieces: [{ position: 0, bytes }] };
    const [first, second, third, ...others] = ['1', '2', '3', '4', '5'].map((name) =>
      copiesIn(cacheFolder(root, ['copies']), `http://host/${name}`, 250_000),
    );
    for (const copies of [first, second, third]) {
      copies?.keep(copy);
      for (const name of readdirSync(folder)) {
        const { mtimeMs } = statSync(join(folder, name));
        utimesSync(join(folder, name), mtimeMs / 1000 - 10, mtimeMs / 1000 - 10);
      }
    }
    expect(first?.find()?.pieces[0]?.bytes).toHaveLength(bytes.length);
    for (const copies of others) copies.keep(copy);
    expect([first, second, third, ...others].map((copies) => copies?.find() !== undefined)).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
  });
});

/** The headers of a correct answer to the first request. The cases below change them. */
const whole = { 'content-length': 15_360, 'content-range': 'bytes 0-15359/300000', etag: '"one"' };
const wrong: readonly (readonly [string, number, Record<string, string | number | undefined>, number, RegExp])[] = [
  ['there is none', 404, {}, 0, /: there is no such file on the server \(status 404\)$/],
  ['it is forbidden', 403, {}, 0, /: the server denies access \(status 403\)$/],
  ['it is gone', 410, {}, 0, /: the file was removed from the server \(status 410\)$/],
  ['they are too many requests', 429, {}, 0, /: the server received too many requests \(status 429\)$/],
  ['the server fails', 500, {}, 0, /: the server gives no reason \(status 500\)$/],
  ['it is empty', 416, { 'content-range': 'bytes */0' }, 0, /: it is empty$/],
  ['no part is named', 206, { ...whole, 'content-range': undefined }, 15_360, /does not state which part/],
  [
    'the length is not told',
    206,
    { ...whole, 'content-range': 'bytes 0-15359/*' },
    15_360,
    /does not state which part/,
  ],
  [
    'another part is sent',
    206,
    { ...whole, 'content-range': 'bytes 1-15360/300000' },
    15_360,
    /the server sends the bytes from 1, and bloom requested those from 0/,
  ],
  [
    'more is sent',
    206,
    { ...whole, 'content-range': 'bytes 0-15360/300000', 'content-length': 65_537 },
    65_537,
    /the server sends 65537 bytes, and bloom requested 15360$/,
  ],
  ['more is sent than is said', 206, { ...whole, 'content-length': 65_540 }, 65_540, /the server sends 65540 bytes/],
  [
    'less is sent',
    206,
    { ...whole, 'content-range': 'bytes 0-99/300000', 'content-length': 100 },
    100,
    /sends only 100 of 15360 bytes$/,
  ],
  [
    'less is said than is sent',
    206,
    { ...whole, 'content-range': 'bytes 0-99/300000' },
    15_360,
    /sends only 100 of 15360 bytes$/,
  ],
  ['less is sent than is said', 206, { ...whole, 'content-length': 100 }, 100, /sends only 100 of/],
  ['the connection ends', 206, whole, 1000, /: the connection ended after 1000 of 15360 bytes$/],
  [
    'no length is told',
    206,
    { ...whole, 'content-length': undefined },
    15_360,
    /does not state the length of its answer$/,
  ],
  ['the whole is sent without a length', 200, {}, 1000, /does not state the length of its answer$/],
  ['it is compressed', 206, { ...whole, 'content-encoding': 'gzip' }, 15_360, /sends it compressed/],
];

describe('it is an error if', () => {
  test.each(wrong)('%s', async (_, status, headers, bytes, message) => {
    served.instead = (_, response) => {
      const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
      response.writeHead(status, Object.fromEntries(sent) as Record<string, string>);
      response.write(BYTES.subarray(0, bytes), () => {
        if (bytes === 1000 && status === 206) response.destroy();
        else response.end();
      });
      return true;
    };
    const failure = await readAll().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'input', message: expect.stringMatching(message) });
    expect(String(failure)).toContain(url);
  });

  test.each([
    ['another ETag', () => Object.assign(served, { version: { etag: '"two"' } })],
    ['another length', () => Object.assign(served, { bytes: BYTES.subarray(1) })],
    ['no ETag', () => Object.assign(served, { version: {} })],
    ['nothing any more', () => Object.assign(served, { bytes: new Uint8Array(100) })],
    [
      'what it has to whoever does not ask for the version',
      () => {
        served.instead = (request) => {
          Object.assign(served, { version: { etag: '"two"' }, instead: undefined });
          request.headers['if-match'] = undefined;
          return false;
        };
      },
    ],
  ] as const)('it is changed meanwhile: the server has %s', async (_, change) => {
    const file = await remoteFile();
    await file.open();
    change();
    await expect(file.read(200_000, 100)).rejects.toThrow(`cannot read ${url}: it changed while it was read`);
  });

  test('it is changed meanwhile, and only the time says so', async () => {
    served.version = { 'last-modified': 'Sun, 01 Nov 2020 10:00:00 GMT' };
    const file = await remoteFile();
    await file.open();
    served.instead = (request) => {
      // Makes the server one without support for conditions.
      request.headers['if-unmodified-since'] = undefined;
      served.version = { 'last-modified': 'Sun, 01 Nov 2020 10:00:01 GMT' };
      return false;
    };
    await expect(file.read(200_000, 100)).rejects.toThrow('it changed while it was read');
  });

  test('the server gives a part, and then none', async () => {
    const file = await remoteFile();
    await file.open();
    served.instead = (_, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': BYTES.length }).end(BYTES);
      return true;
    };
    await expect(file.read(200_000, 100)).rejects.toThrow('its server does not support range requests');
  });

  test.each([
    ['at all', () => {}],
    [
      'in the middle of its answer',
      (response: ServerResponse) => void response.writeHead(206, whole).write(BYTES.subarray(0, 10)),
    ],
  ])('the server says nothing %s', async (_, begin) => {
    served.instead = (_, response) => {
      begin(response);
      return true;
    };
    await expect(readAll({ patience: 50 })).rejects.toThrow(': the server was silent for 0.05 s');
  });

  test('no server is there, or no host, or what answers is another', async () => {
    await expect(readAll({ at: 'http://127.0.0.1:1/f' })).rejects.toThrow('no server is running there');
    await expect(readAll({ at: url.replace('http:', 'https:') })).rejects.toThrow('the server does not speak TLS');
    const other = createServer((socket) => socket.end('220 smtp.example.org\r\n'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(readAll({ at: `http://127.0.0.1:${port}/f` })).rejects.toThrow('the server does not speak HTTP');
    other.close();
  });
});

test('a connection that the server has closed meanwhile is made anew', async () => {
  const file = await remoteFile();
  const sockets = new Set<IncomingMessage['socket']>();
  served.instead = (request) => {
    sockets.add(request.socket);
    return false;
  };
  await file.open();
  // Simulates a request to a connection whose end the client has not noticed yet.
  served.instead = (request) => {
    if (!sockets.has(request.socket)) return false;
    request.socket.resetAndDestroy();
    return true;
  };
  expect(hex(await file.read(200_000, 100))).toBe(hex(BYTES.subarray(200_000, 200_100)));
  expect(ranges()).toHaveLength(3);
});
