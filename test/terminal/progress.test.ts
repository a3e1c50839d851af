import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { describe as describeProgress, progressLine } from '../../src/terminal/progress.ts';

/** What was drawn, in order. */
const drawn = vi.hoisted((): string[] => []);
vi.mock('../../src/io/terminal.ts', () => ({ isTerminal: async () => true }));
vi.mock('ora', () => ({
  default: ({ text }: { text: string }) => ({
    isEnabled: true,
    start() {
      drawn.push(text);
      return this;
    },
    set text(next: string) {
      drawn.push(next);
    },
    clear: () => void drawn.push('clear'),
    stop: () => void drawn.push('stop'),
  }),
}));

describe('a line on a terminal', () => {
  let now = 0;
  const { columns } = process.stderr;
  beforeEach(() => {
    drawn.splice(0);
    now = 100;
    vi.spyOn(process, 'uptime').mockImplementation(() => now);
    process.stderr.columns = 90;
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.stderr.columns = columns;
  });

  test('is drawn after half a second, and not before', async () => {
    const line = progressLine('adding', undefined);
    for (const seconds of [0, 0.49, 0.5, 1]) {
      now = 100 + seconds;
      await line.update({ bytes: 100 * seconds, total: 200 });
    }
    line.clear();
    line.stop();
    expect(drawn).toEqual([
      'adding: 50 B of 200 B (25.0 %), 1.50 s left, 100 B/s',
      'adding: 100 B of 200 B (50.0 %), 1.00 s left, 100 B/s',
      'clear',
      'stop',
    ]);
  });

  test('is not drawn after its end', async () => {
    const line = progressLine('adding', undefined);
    now = 101;
    const drawing = line.update({ bytes: 1, total: 2 });
    line.stop();
    await drawing;
    expect(drawn).toEqual([]);
  });
});

describe('progress in words', () => {
  const half = { bytes: 120e6, total: 240e6 };

  test('how far, how long and how fast', () => {
    expect(describeProgress('building', half, 2, 80)).toBe(
      'building: 120 MB of 240 MB (50.0 %), 2.00 s left, 60.0 MB/s',
    );
    expect(describeProgress('building', { bytes: 120e6, total: undefined }, 2, 80)).toBe('building: 120 MB, 60.0 MB/s');
  });

  test('the pass, and another unit instead of bytes', () => {
    const keys = {
      amount: (bytes: number) => `${bytes / 10} keys`,
      speed: (bytes: number) => `${bytes / 10} keys/s`,
    };
    expect(describeProgress('asking', { bytes: 120, total: 480, pass: { number: 2, of: 2 } }, 2, 80, keys)).toBe(
      'asking, pass 2 of 2: 12 keys of 48 keys (25.0 %), 6.00 s left, 6 keys/s',
    );
  });

  test('the time left is unknown at the beginning, and almost 0 at the end', () => {
    expect(describeProgress('building', { bytes: 0, total: 240e6 }, 2, 80)).toBe(
      'building: 0 B of 240 MB (0 %), 0 B/s',
    );
    expect(describeProgress('building', { bytes: 1e9 - 1, total: 1e9 }, 2, 80)).toBe(
      'building: 1.00 GB of 1.00 GB (100 %), less than 0.01 s left, 500 MB/s',
    );
    expect(describeProgress('building', { bytes: 1, total: undefined }, 4, 80)).toBe('building: 1 B, 0.25 B/s');
  });

  test.each([
    [59, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left, 60.0 MB/s'],
    [58, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left'],
    [48, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left'],
    [47, 'building: 120 MB of 240 MB (50.0 %)'],
    [10, 'building: 120 MB of 240 MB (50.0 %)'],
  ])('only what fits into %d columns', (columns, text) => {
    expect(describeProgress('building', half, 2, columns)).toBe(text);
  });
});
