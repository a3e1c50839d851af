// How long a server may be silent, in each state of a request, by a clock that the tests move.

import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/io/remote/client.ts';

const PATIENCE = 30_000;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
const ends: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const end of ends.splice(0)) end();
});

/** Starts a server that leaves each connection to a test. Returns its port, and the connections in order. */
async function listen() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connection = async (index = 0) => {
    await until(() => sockets[index] !== undefined);
    return sockets[index] as Socket;
  };
  return { port, connection };
}

/** Lets events happen without time passing, until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Some work and its state. */
interface Watched {
  state: string;
}

function watched(work: Promise<unknown>): Watched {
  const seen = { state: 'waiting' };
  const end = (state: string) => {
    seen.state = state;
  };
  work.then(
    () => end('answered'),
    (error: Error) => end(error.message),
  );
  return seen;
}

/** Requests a file. */
async function ask(url: string): Promise<Watched> {
  const client = createClient(new URL(url), 'the file', { patience: PATIENCE });
  return watched(client.get({}).then((message) => client.body(message, 4)));
}

const SILENT = 'cannot read the file: the server was silent for 30 s';

/** Expects that a request waits for its whole time, and no longer. `before` is the time that has passed. */
async function expectPatience(asked: Watched, before = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(PATIENCE - before - 1);
  expect(asked.state).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  for (let i = 0; i < 100 && asked.state === 'waiting'; i++) await turn();
  expect(asked.state).toBe(SILENT);
}

describe('the time of a server ends', () => {
  test('while its name is looked up', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation((() => {}) as unknown as typeof dns.lookup);
    await expectPatience(await ask('http://host.example/f'));
  });

  test('while it is connected to', async () => {
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return Object.assign(this, { connecting: true });
    });
    await expectPatience(await ask('http://127.0.0.1:1/f'));
  });

  test('in the handshake of TLS', async () => {
    const { port, connection } = await listen();
    const request = await ask(`https://127.0.0.1:${port}/f`);
    await once(await connection(), 'data');
    await expectPatience(request);
  });

  test('before its answer', async () => {
    const { port, connection } = await listen();
    const request = await ask(`http://127.0.0.1:${port}/f`);
    await once(await connection(), 'data');
    await expectPatience(request);
  });

  test.each([
    ['while the head of its answer comes byte by byte', [...HEAD]],
    ['while it sends interim answers without end', Array(30).fill('HTTP/1.1 102 Processing\r\n\r\n')],
    ['while it sends early hints without end', Array(30).fill('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n')],
  ])('%s', async (_, pieces) => {
    const { port, connection } = await listen();
    const request = await ask(`http://127.0.0.1:${port}/f`);
    const socket = await connection();
    for (const piece of pieces.slice(0, 29)) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await vi.advanceTimersByTimeAsync(1000);
    }
    await expectPatience(request, 29_000);
  });

  test('in the middle of its answer, counted from the last piece', async () => {
    const { port, connection } = await listen();
    const client = createClient(new URL(`http://127.0.0.1:${port}/f`), 'the file', { patience: PATIENCE });
    const got = client.get({});
    const socket = await connection();
    socket.write(HEAD);
    const message = await got;
    const asked = watched(client.body(message, 4));
    for (const piece of ['a', 'b', 'c']) {
      await vi.advanceTimersByTimeAsync(PATIENCE - 1);
      expect(asked.state).toBe('waiting');
      const { bytesRead } = message.socket;
      socket.write(piece);
      await until(() => message.socket.bytesRead > bytesRead);
      for (let i = 0; i < 5; i++) await turn();
    }
    await expectPatience(asked);
  });

  test('with the rest of it, once a connection that was kept turns out to be closed', async () => {
    const { port, connection } = await listen();
    const client = createClient(new URL(`http://127.0.0.1:${port}/f`), 'the file', { patience: PATIENCE });
    const got = client.get({});
    const first = await connection();
    first.write(`${HEAD}body`);
    await client.body(await got, 4);
    for (let i = 0; i < 5; i++) await turn();
    const asked = watched(client.get({}));
    await once(first, 'data');
    await vi.advanceTimersByTimeAsync(20_000);
    first.resetAndDestroy();
    await once(await connection(1), 'data');
    await expectPatience(asked, 20_000);
  });
});

test('a longer time than a timer has does not end at once', async () => {
  const { port, connection } = await listen();
  const client = createClient(new URL(`http://127.0.0.1:${port}/f`), 'the file', { patience: 1e300 });
  const got = client.get({});
  const socket = await connection();
  await vi.advanceTimersByTimeAsync(1e6);
  socket.write(`${HEAD}body`);
  expect(Buffer.from(await client.body(await got, 4)).toString()).toBe('body');
});
