import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** The answers and the file of a server. Changes count from the next request on. */
export interface Served {
  bytes: Uint8Array;
  /** Headers that identify the version. */
  version: Readonly<Record<string, string>>;
  /** Answers in place of the server if it returns true. */
  instead?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

/** A server on this machine. It has one file, given by `served`, under any path. */
export interface RangeServer {
  /** Its scheme, host and port. */
  readonly origin: string;
  readonly served: Served;
  /** The Range header of each request since the last call. */
  ranges(): (string | undefined)[];
}

/** Starts a server by RFC 9110, until the tests of the file end. With a key and its certificate the server uses HTTPS. */
export async function rangeServer(served: Served, tls?: { key: string; cert: string }): Promise<RangeServer> {
  let ranges: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    ranges.push(request.headers.range);
    if (!served.instead?.(request, response)) answer(served, request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    served,
    ranges() {
      const asked = ranges;
      ranges = [];
      return asked;
    },
  };
}

function answer({ bytes, version }: Served, { headers }: IncomingMessage, response: ServerResponse): void {
  const { 'if-match': match, 'if-unmodified-since': since, range = '' } = headers;
  const isOther =
    (match !== undefined && match !== version.etag) ||
    (since !== undefined && Date.parse(version['last-modified'] ?? '') > Date.parse(since));
  if (isOther) return void response.writeHead(412).end();
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const end = Math.min(Number(last) + 1, bytes.length);
  if (Number(from) >= end) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  const part = bytes.subarray(Number(from), end);
  const place = { 'content-range': `bytes ${from}-${end - 1}/${bytes.length}`, 'content-length': part.length };
  response.writeHead(206, { ...version, ...place }).end(part);
}
