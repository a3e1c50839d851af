import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createExpectedReads } from '../../../src/io/remote/expected-reads.ts';
import type { ByteRange } from '../../../src/io/remote/range-plan.ts';

const MIB = 2 ** 20;

/** A server whose answers the test gives. No gap is worth a request. */
function server() {
  const open: { readonly range: ByteRange; answer(): void; fail(error: Error): void }[] = [];
  const requested: ByteRange[] = [];
  let arrivals = 0;
  const fetch = (range: ByteRange) =>
    new Promise<Uint8Array>((resolve, reject) => {
      requested.push(range);
      const end = () => open.splice(open.indexOf(request), 1);
      const request = {
        range,
        answer() {
          end();
          // Each byte depends on its position.
          resolve(new Uint8Array(range.to - range.from).fill(range.from / MIB));
        },
        fail(error: Error) {
          end();
          reject(error);
        },
      };
      open.push(request);
    });
  const pace = () => ({ roundTrip: 1e-9, bytesPerSecond: 1 });
  const reads = createExpectedReads(fetch, pace, () => {
    arrivals++;
  });
  return { ...reads, open, requested, arrivals: () => arrivals };
}

/** Ranges of `size` bytes, which begin at every second mebibyte. */
const rangesOf = (count: number, size: number, first = 0) =>
  Array.from({ length: count }, (_, i) => ({ from: 2 * (first + i) * MIB, to: 2 * (first + i) * MIB + size }));

describe('expected reads', () => {
  test('are fetched by eight requests at once, each of them once', async () => {
    const { expect: expectReads, take, open, requested, arrivals } = server();
    const ranges = rangesOf(50, 10);
    expect([...expectReads(ranges)]).toEqual(Array(50).fill(0));
    expect([...expectReads(ranges)]).toEqual(Array(50).fill(0));
    while (requested.length < 50 || open.length > 0) {
      expect(open.length).toBe(Math.min(8, 50 - requested.length + open.length));
      open[0]?.answer();
      await turn();
    }
    expect(requested).toEqual(ranges);
    expect(arrivals()).toBe(50);
    expect([...expectReads(ranges)]).toEqual(Array(50).fill(1));
    for (const range of ranges.toReversed()) {
      expect([...((await take(range)) ?? [])]).toEqual(Array(10).fill(range.from / MIB));
      expect(take(range)).toBeUndefined();
    }
    expect(requested).toHaveLength(50);
  });

  test('that are read before their turn are requested at once', async () => {
    const { expect: expectReads, take, open } = server();
    const ranges = rangesOf(20, 10);
    expectReads(ranges);
    const last = take(ranges[19] as ByteRange);
    expect(open.at(-1)?.range).toEqual(ranges[19]);
    open.at(-1)?.answer();
    expect(await last).toHaveLength(10);
    expect(take({ from: 1, to: 2 })).toBeUndefined();
    expect(take({ from: 0, to: 9 })).toBeUndefined();
  });

  test('take no more memory than 96 MiB until they are read', async () => {
    const { expect: expectReads, take, open, requested } = server();
    const ranges = rangesOf(120, MIB);
    expectReads(ranges);
    const answerAll = async () => {
      while (open.length > 0) {
        open[0]?.answer();
        await turn();
      }
    };
    await answerAll();
    expect(requested).toHaveLength(96);
    await take(ranges[0] as ByteRange);
    await answerAll();
    expect(requested).toHaveLength(97);
    // Ranges that nobody reads do not block other ranges.
    const others = rangesOf(2, MIB, 200);
    expect([...expectReads(others)]).toEqual([0, 0]);
    await answerAll();
    expect([...expectReads(others)]).toEqual([1, 0]);
    expect(await take(others[0] as ByteRange)).toHaveLength(MIB);
    expect(requested).toHaveLength(98);
  });

  test('fail one by one, and can be expected again', async () => {
    const { expect: expectReads, take, open } = server();
    const ranges = rangesOf(3, 10);
    expectReads(ranges);
    open[1]?.fail(new Error('gone'));
    await turn();
    expect([...expectReads(ranges)]).toEqual([0, 1, 0]);
    await expect(take(ranges[1] as ByteRange)).rejects.toThrow('gone');
    expectReads(ranges);
    expect(open.map(({ range }) => range)).toEqual([ranges[0], ranges[2], ranges[1]]);
  });
});
