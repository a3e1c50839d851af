// A server of one file behind a proxy that delays it like a long distance.

import { createReadStream, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface DelayedServer {
  readonly url: string;
  /** The number of requests and of body bytes since the last call. */
  traffic(): { readonly requests: number; readonly bytes: number };
  close(): void;
}

/** Serves a file by ranges. Each byte takes half of `roundTrip` milliseconds per direction, and a connection takes one more round trip. */
export async function delayedServer(file: string, roundTrip: number): Promise<DelayedServer> {
  const { size, mtimeMs } = statSync(file);
  let [requests, bytes] = [0, 0];
  const origin = createHttpServer(({ headers: { range = '' } }, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const [from, to] = first === undefined ? [0, size] : [Number(first), Math.min(Number(last) + 1, size)];
    requests++;
    bytes += to - from;
    const whole = { etag: `"${mtimeMs}"`, 'content-length': to - from };
    const place = { 'content-range': `bytes ${from}-${to - 1}/${size}` };
    response.writeHead(first === undefined ? 200 : 206, first === undefined ? whole : { ...whole, ...place });
    createReadStream(file, { start: from, end: to - 1, highWaterMark: 2 ** 20 }).pipe(response);
  });
  const port = await listening(origin);
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const end of [client, server]) end.setNoDelay(true).on('error', () => {});
    pass(client, server, roundTrip / 2, roundTrip);
    pass(server, client, roundTrip / 2, 0);
  });
  const url = `http://127.0.0.1:${await listening(proxy)}/filter`;
  return {
    url,
    traffic() {
      const past = { requests, bytes };
      [requests, bytes] = [0, 0];
      return past;
    },
    close() {
      origin.close();
      proxy.close();
    },
  };
}

/** Forwards bytes after a delay. Bytes of the first `connecting` milliseconds wait longer. */
function pass(from: Socket, to: Socket, delay: number, connecting: number): void {
  const connected = performance.now() + connecting;
  const later = (work: () => void) => setTimeout(work, delay + Math.max(0, connected - performance.now()));
  from
    .on('data', (bytes) => later(() => to.write(bytes)))
    .on('end', () => later(() => to.end()))
    .on('close', () => later(() => to.destroy()));
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
