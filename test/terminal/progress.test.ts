import { describe, expect, test } from 'vitest';
import { describe as describeProgress } from '../../src/terminal/progress.ts';

describe('progress in words', () => {
  const half = { bytes: 120e6, total: 240e6 };

  test('how far, how long and how fast', () => {
    expect(describeProgress('building', half, 2, 80)).toBe(
      'building: 120 MB of 240 MB (50.0 %), 2.00 s left, 60.0 MB/s',
    );
    expect(describeProgress('building', { bytes: 120e6, total: undefined }, 2, 80)).toBe('building: 120 MB, 60.0 MB/s');
  });

  test('which pass, and not bytes where these mean something else', () => {
    const keys = (bytes: number) => `${bytes / 10} keys`;
    expect(describeProgress('asking', { bytes: 120, total: 480, pass: 2 }, 2, 80, keys)).toBe(
      'asking, pass 2 of 2: 12 keys of 48 keys (25.0 %), 6.00 s left, 6 keys/s',
    );
  });

  test.each([
    [59, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left, 60.0 MB/s'],
    [58, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left'],
    [48, 'building: 120 MB of 240 MB (50.0 %), 2.00 s left'],
    [47, 'building: 120 MB of 240 MB (50.0 %)'],
    [10, 'building: 120 MB of 240 MB (50.0 %)'],
  ])('no more than fits into %d columns', (columns, text) => {
    expect(describeProgress('building', half, 2, columns)).toBe(text);
  });
});
