import { describe, expect, test } from 'vitest';
import { expectedAmong, summaryText } from '../../../src/commands/report/answers.ts';
import { createRandom } from '../../reference/random.ts';

describe('false positives to expect', () => {
  // 400 members and 600 non-members, a tenth of which are accepted too.
  test('as many as explain the observed negatives and positives', () => {
    const { falsePositives } = expectedAmong(
      { records: 1000, keys: 1000, positives: 460, elsewhere: 0 },
      0.1,
      undefined,
    );
    expect(falsePositives).toBeCloseTo(60, 10);
  });

  test('no more than there are positives', () => {
    expect(expectedAmong({ records: 9, keys: 9, positives: 1, elsewhere: 0 }, 0.5, undefined).falsePositives).toBe(1);
    // A filter with all bits set.
    expect(expectedAmong({ records: 9, keys: 9, positives: 9, elsewhere: 0 }, 1, undefined).falsePositives).toBe(9);
  });

  // 100,000 records of 20 keys. Only 1,000 records have a member.
  test('records with several keys: the number of a simulation', () => {
    const random = createRandom(4);
    const [records, members, rate, each] = [100_000, 1000, 0.002, 20];
    let wrong = 0;
    for (let record = members; record < records; record++)
      wrong += Array.from({ length: each }, () => random()).some((value) => value / 2 ** 32 < rate) ? 1 : 0;
    const tally = { records, keys: records * each, positives: members + wrong, elsewhere: 0 };
    const { falsePositives, isBound } = expectedAmong(tally, rate, 'key');
    expect(isBound).toBe(false);
    // Four standard deviations of a binomial count.
    expect(Math.abs(falsePositives - wrong)).toBeLessThan(4 * Math.sqrt(wrong));
    expect(wrong).toBeGreaterThan(3000);
  });

  test('an upper bound, if most records are selected by chance', () => {
    const tally = { records: 100, keys: 5000, keyed: 100, positives: 100, elsewhere: 0 };
    expect(expectedAmong(tally, 0.1, 'key')).toMatchObject({ falsePositives: 100, isBound: true });
    expect(expectedAmong({ ...tally, keys: 500, positives: 80 }, 0.1, 'filter')).toMatchObject({
      falsePositives: 50,
      isBound: true,
    });
  });

  test('the mean number of keys of a record, however few there are', () => {
    const of = (records: number, keys: number, unit?: 'key' | 'filter') =>
      expectedAmong({ records, keys, positives: records, elsewhere: 0 }, 0.1, unit);
    expect(of(1, 30, 'key')).toMatchObject({ keysPerRecord: 30, falsePositives: 1, isBound: true });
    expect(of(2, 3, 'key')).toMatchObject({ keysPerRecord: 1.5, falsePositives: 0, isBound: false });
    expect(of(0, 0, 'key')).toMatchObject({ keysPerRecord: 1, falsePositives: 0 });
    for (const unit of ['filter', undefined] as const) expect(of(1, 30, unit).keysPerRecord).toBe(1);
  });

  test('in words', () => {
    const tally = { records: 1000, keys: 20_000, keyed: 1000, positives: 10, elsewhere: 0 };
    const said = (unit: 'key' | 'filter' | undefined) => summaryText(tally, expectedAmong(tally, 1e-4, unit));
    expect(said('key')).toBe(
      '1,000 records: 990 absent (99.0 %), 10 maybe present; 2.0 false positives expected at a rate of 0.0100 % per key and 20.0 keys per record',
    );
    expect(said('filter')).toContain('; at most 2.0 false positives expected at a rate of 0.0100 % per filter');
  });
});
