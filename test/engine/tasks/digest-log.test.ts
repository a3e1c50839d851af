// Digests that wait for their filter: all of them come back in order, and nothing else of them remains.

import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDigestLog } from '../../../src/engine/tasks/digest-log.ts';
import { replaceCalls } from '../../replaced-calls.ts';

/** The most bytes of the next reads and writes. */
const most = { bytes: Number.POSITIVE_INFINITY };

replaceCalls(({ readSync, writeSync }) => ({
  readSync: (fd: number, into: Uint8Array, from: number, length: number, position: number) =>
    readSync(fd, into, from, Math.min(length, most.bytes), position),
  writeSync: (fd: number, bytes: Uint8Array, from: number, length: number, position: number) =>
    writeSync(fd, bytes, from, Math.min(length, most.bytes), position),
}));

const folder = mkdtempSync(join(tmpdir(), 'bloom-log-'));
beforeEach(() => vi.stubEnv('TMPDIR', folder));
afterEach(() => {
  vi.unstubAllEnvs();
  most.bytes = Number.POSITIVE_INFINITY;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Some digests each; a log keeps 8 MiB in memory. */
const MIB = 2 ** 20;
const part = (index: number, bytes: number) => {
  const digests = new BigUint64Array(bytes / 8).map((_, i) => BigInt(2 ** 24 * index + i));
  return new Uint8Array(digests.buffer);
};

/** The digests that a log of these parts returns. */
function replayed(log: ReturnType<typeof openDigestLog>): Buffer {
  const found: Buffer[] = [];
  log.replay((digests) => found.push(Buffer.from(digests.slice())));
  for (const digests of found) expect(digests.length % 8).toBe(0);
  return Buffer.concat(found);
}

describe.each([
  ['as the system pleases', Number.POSITIVE_INFINITY],
  ['by few bytes at a time', 100_000],
])('a log that is written and read %s', (_, bytes) => {
  test.each([8, 9])('returns %d MiB', (count) => {
    most.bytes = bytes;
    const log = openDigestLog(true);
    const parts = Array.from({ length: count }, (__, i) => part(i, MIB));
    // They come in memory that is reused.
    const memory = new Uint8Array(MIB);
    for (const digests of parts) {
      memory.set(digests);
      log.append(memory);
    }
    memory.fill(0);
    expect(log.isComplete()).toBe(true);
    expect(replayed(log).equals(Buffer.concat(parts))).toBe(true);
    log.close();
  });
});

test('a log never has a name in the folder for temporary files', () => {
  const log = openDigestLog(true);
  for (let i = 0; i < 10; i++) log.append(part(i, MIB));
  expect(readdirSync(folder)).toEqual([]);
  const isOpen = () =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  expect(isOpen()).toBe(true);
  log.close();
  expect(isOpen()).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test('a log that must not spill is discarded only if it exceeds the memory limit', () => {
  const log = openDigestLog(false);
  for (let i = 0; i < 8; i++) log.append(part(i, MIB));
  expect(log.isComplete()).toBe(true);
  expect(replayed(log)).toHaveLength(8 * MIB);
  log.append(part(8, 8));
  expect(log.isComplete()).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  log.close();
});
