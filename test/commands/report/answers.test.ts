import { describe, expect, test } from 'vitest';
import { expectedAmong } from '../../../src/commands/report/answers.ts';

describe('false positives to expect', () => {
  // 400 members and 600 strangers, of which a tenth seem to be members too.
  test('as many as make strangers and positives come out as they did', () => {
    const { falsePositives } = expectedAmong(
      { records: 1000, keys: 1000, positives: 460, elsewhere: 0 },
      0.1,
      undefined,
    );
    expect(falsePositives).toBeCloseTo(60, 10);
  });

  test('no more than there are positives', () => {
    expect(expectedAmong({ records: 9, keys: 9, positives: 1, elsewhere: 0 }, 0.5, undefined).falsePositives).toBe(1);
    // A filter all of whose bits are set.
    expect(expectedAmong({ records: 9, keys: 9, positives: 9, elsewhere: 0 }, 1, undefined).falsePositives).toBe(9);
  });

  test('at most, where one of many keys is enough', () => {
    expect(expectedAmong({ records: 100, keys: 500, positives: 80, elsewhere: 0 }, 0.1, 'token').falsePositives).toBe(
      50,
    );
  });
});
