// A static host: files with ranges, for pages of any origin.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StaticServer {
  readonly origin: string;
  /** The files by their paths, with a slash at the beginning. */
  readonly files: Map<string, Uint8Array | string>;
  /** The bodies of the requests with POST, by their paths; resolves with the next one. */
  posted(path: string): Promise<string>;
  /** The number of requests with GET since the last call. */
  requests(): number;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript' };

export async function staticServer(exposed = 'Content-Range, ETag'): Promise<StaticServer> {
  const files = new Map<string, Uint8Array | string>();
  const waiting = new Map<string, (body: string) => void>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname;
    if (request.method === 'POST') {
      waiting.get(path)?.(await bodyOf(request));
      response.writeHead(204).end();
      return;
    }
    requests++;
    const file = files.get(path);
    if (file === undefined) {
      response.writeHead(404, { 'access-control-allow-origin': '*' }).end();
      return;
    }
    const bytes = Buffer.from(file);
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposed,
      'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      etag: `"${path}-${bytes.length}"`,
    };
    const [, first, last = bytes.length - 1] = /^bytes=(\d+)-(\d+)?$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) {
      response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
      return;
    }
    const [from, to] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
    const range = { 'content-range': `bytes ${from}-${to - 1}/${bytes.length}`, 'content-length': to - from };
    response.writeHead(206, { ...headers, ...range }).end(bytes.subarray(from, to));
  });
  // A client that computes for a while must find its connection still open.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    posted: (path) => new Promise((resolve) => waiting.set(path, resolve)),
    requests() {
      const all = requests;
      requests = 0;
      return all;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
