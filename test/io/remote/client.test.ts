// What requests contain, and which route they take.

import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/io/remote/client.ts';
import { proxyFor } from '../../../src/io/remote/proxies.ts';
import { fixture } from '../../cli/run.ts';
import { rangeServer } from './range-server.ts';

const BYTES = new Uint8Array(1000).map((_, i) => i);
const tls = {
  key: readFileSync(fixture('tls/key.pem'), 'utf8'),
  cert: readFileSync(fixture('tls/certificate.pem'), 'utf8'),
};
const server = await rangeServer({ bytes: BYTES, version: { etag: '"one"' } });
const other = await rangeServer({ bytes: BYTES, version: { etag: '"one"' } });
const secure = await rangeServer({ bytes: BYTES, version: { etag: '"one"' } }, tls);

/** A proxy (RFC 9110, 3.7 and 9.3.6) that notes its requests. */
const proxied: { line: string; headers: IncomingHttpHeaders }[] = [];
let isOpen = true;
const note = ({ method, url, headers }: IncomingMessage) => proxied.push({ line: `${method} ${url}`, headers });
const proxy = createServer((request, response) => {
  note(request);
  const headers = { ...request.headers };
  requestHttp(request.url ?? '', { headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  }).end();
}).on('connect', (request: IncomingMessage, socket) => {
  note(request);
  if (!isOpen) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  const [host, port] = (request.url ?? '').split(':');
  const target = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    target.pipe(socket).pipe(target);
  });
  for (const end of [socket, target]) end.on('error', () => {});
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const via = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
beforeEach(() => {
  proxied.splice(0);
  isOpen = true;
  server.served.instead = undefined;
});

async function get(url: string, options: Partial<Parameters<typeof createClient>[2]> = {}): Promise<Buffer> {
  const client = createClient(new URL(url), url, { patience: 60_000, ...options });
  return Buffer.from(await client.body(await client.get({ range: 'bytes=0-9' }), 10));
}

const FIRST = Buffer.from(BYTES.subarray(0, 10));

test('headers go to their server, and never to another one', async () => {
  const seen: [string, unknown][] = [];
  const watch = (name: string, leadsAway: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    seen.push([`${name} ${request.url}`, request.headers.authorization]);
    if (!leadsAway) return false;
    response.writeHead(302, { location: request.url === '/f' ? '/g' : `${other.origin}/h` }).end();
    return true;
  };
  server.served.instead = watch('server', true);
  other.served.instead = watch('other', false);
  const headers = { origin: server.origin, values: { authorization: 'Bearer secret' } };
  expect(await get(`${server.origin}/f`, { headers })).toEqual(FIRST);
  expect(seen).toEqual([
    ['server /f', 'Bearer secret'],
    ['server /g', 'Bearer secret'],
    ['other /h', undefined],
  ]);
});

describe('a proxy', () => {
  const path = `${server.origin}/a%20b?c=d`;

  test('gets the whole URL over HTTP, with its own login', async () => {
    expect(await get(path, { env: { http_proxy: `http://me:p%40ss@${via}` } })).toEqual(FIRST);
    const [asked] = proxied;
    expect(asked?.line).toBe(`GET ${path}`);
    expect(asked?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(`http://${asked?.headers.host}`).toBe(server.origin);
  });

  test('gets only the host over HTTPS, whose certificate is checked', async () => {
    const env = { HTTPS_PROXY: via };
    await expect(get(`${secure.origin}/f`, { env })).rejects.toThrow('is not trusted');
    expect(proxied.map(({ line }) => line)).toEqual([`CONNECT ${secure.origin.slice('https://'.length)}`]);
    isOpen = false;
    await expect(get(`${secure.origin}/f`, { env })).rejects.toThrow(
      `the proxy ${via} failed: it requires a login (status 407)`,
    );
  });

  test('that is not there is named, without its password', async () => {
    const env = { http_proxy: 'http://me:secret@127.0.0.1:1' };
    const error: unknown = await get(path, { env }).catch((error: unknown) => error);
    expect(String(error)).toContain('the proxy 127.0.0.1:1 failed: the connection was refused');
    expect(String(error)).not.toContain('secret');
    await expect(get(path, { env: { all_proxy: 'socks5://me:secret@host' } })).rejects.toThrow(
      'the proxy in http_proxy is not a URL of HTTP',
    );
  });

  // As curl(1) describes these variables.
  const P = 'http://proxy:1/';
  test.each([
    ['http://host/', { http_proxy: 'http://proxy:1' }, P],
    ['http://host/', { http_proxy: 'proxy:1' }, P],
    ['http://host/', { HTTP_PROXY: 'http://proxy:1' }, undefined],
    ['http://host/', { https_proxy: 'http://proxy:1' }, undefined],
    ['https://host/', { https_proxy: 'http://proxy:1', HTTPS_PROXY: 'http://x' }, P],
    ['https://host/', { HTTPS_PROXY: 'http://proxy:1' }, P],
    ['https://host/', { ALL_PROXY: 'http://proxy:1' }, P],
    ['https://host/', { https_proxy: '', ALL_PROXY: 'http://proxy:1' }, undefined],
    ['https://host/', { all_proxy: 'http://proxy:1', NO_PROXY: '*' }, undefined],
    ['https://host/', { all_proxy: 'http://proxy:1', NO_PROXY: 'x, host' }, undefined],
    ['https://host/', { all_proxy: 'http://proxy:1', no_proxy: 'ost' }, P],
    ['https://a.HOST.example/', { all_proxy: 'http://proxy:1', no_proxy: 'host.example' }, undefined],
    ['https://a.host.example./', { all_proxy: 'http://proxy:1', no_proxy: '.host.example' }, undefined],
    ['https://ahost.example/', { all_proxy: 'http://proxy:1', no_proxy: 'host.example' }, P],
    ['https://10.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.0.0.0/8' }, P],
    ['https://10.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.1.2.3' }, undefined],
    ['https://10.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.1.2.3/x' }, P],
    ['https://10.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.1.2.3/32' }, undefined],
    ['https://10.1.2.3/', { all_proxy: 'http://proxy:1', no_proxy: '10.1.2.3/33' }, P],
    ['https://[fd00::1]/', { all_proxy: 'http://proxy:1', no_proxy: 'fd00::1/128' }, undefined],
    ['https://[fd00::1]/', { all_proxy: 'http://proxy:1', no_proxy: 'fd00::1/129' }, P],
    ['https://[fd00::1]/', { all_proxy: 'http://proxy:1', no_proxy: 'fd00::/8' }, undefined],
    ['https://[fd00::1]/', { all_proxy: 'http://proxy:1', no_proxy: '[fd00::1]' }, undefined],
  ])('for %s by %o is %s', (url, env, expected) => {
    expect(proxyFor(new URL(url), env)?.href).toBe(expected);
  });
});
