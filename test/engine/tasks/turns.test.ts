import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { awaitTurn, createTurns, passTurn } from '../../../src/engine/tasks/turns.ts';
import { waitAsync } from '../waiting.ts';

test('the first part has its turn at once, and every other after the one before it', () => {
  const turns = createTurns();
  awaitTurn(turns, 0);
  passTurn(turns, 0, 7);
  awaitTurn(turns, 1);
  expect(turns.records[0]).toBe(7);
  passTurn(turns, 1, 2 ** 40 + 1);
  awaitTurn(turns, 2);
  expect(turns.records[0]).toBe(2 ** 40 + 1);
});

test('a thread is stopped until the turns before its own have passed', async () => {
  const turns = createTurns();
  // Another thread passes three turns, with pauses. It notes the number of records at each turn.
  const other = new Worker(
    `const { current, records } = require('node:worker_threads').workerData;
     const nobody = new Int32Array(new SharedArrayBuffer(4));
     for (let part = 0; part < 3; part++) {
       Atomics.wait(nobody, 0, 0, 30);
       records[0] += 10;
       Atomics.store(current, 0, part + 1);
       Atomics.notify(current, 0);
     }`,
    { eval: true, workerData: turns },
  );
  const ended = once(other, 'exit');
  await once(other, 'online');
  awaitTurn(turns, 3);
  expect(turns.records[0]).toBe(30);
  await ended;
});

test('a thread that is stopped is woken', async () => {
  const turns = createTurns();
  const woken = waitAsync(turns.current, 0, 0, 10_000).value;
  passTurn(turns, 0, 0);
  expect(await woken).toBe('ok');
});
