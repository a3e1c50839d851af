// The combined answers of several filters, against an oracle that handles one record at a time.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usedKernel } from './kernels.ts';

const ABSENT = 0;
const PRESENT = 1;
const UNANSWERED = 2;

/** The answer of each filter for each record. */
const answers = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 70 }))
  .chain(([filters, records]) => {
    const row = fc.array(fc.constantFrom(ABSENT, PRESENT, UNANSWERED), { minLength: records, maxLength: records });
    return fc.array(row, { minLength: filters, maxLength: filters });
  });

const kernel = usedKernel();
const STRIDE = 128;
const rows = kernel.reserve(STRIDE * 20);
const into = kernel.reserve(STRIDE);

function place(all: readonly (readonly number[])[]): void {
  kernel.bytes(rows, STRIDE * all.length).fill(0);
  for (const [i, row] of all.entries()) kernel.bytes(rows + STRIDE * i, row.length).set(row);
}

/** Computes a result for each record from the answers of the filters. */
function ofRecords(all: readonly (readonly number[])[], say: (said: readonly number[]) => number): number[] {
  return (all[0] ?? []).map((_, record) => say(all.map((row) => row[record] ?? ABSENT)));
}

describe('the answers of several filters', () => {
  test.each([
    [
      'combineAny',
      (said: readonly number[]) => [PRESENT, UNANSWERED].find((answer) => said.includes(answer)) ?? ABSENT,
    ],
    [
      'combineAll',
      (said: readonly number[]) => [ABSENT, UNANSWERED].find((answer) => said.includes(answer)) ?? PRESENT,
    ],
  ] as const)('%s', (entry, say) => {
    fc.assert(
      fc.property(answers, (all) => {
        place(all);
        const records = all[0]?.length ?? 0;
        kernel.exports[entry](rows, STRIDE, all.length, records, into);
        const expected = ofRecords(all, say);
        expect([...kernel.bytes(into, records)]).toEqual(expected);
        expect(kernel.exports.countMatches(into, records)).toBe(expected.filter((one) => one === PRESENT).length);
        expect(kernel.exports.countUnanswered(into, records)).toBe(expected.filter((one) => one === UNANSWERED).length);
      }),
      { seed: 1 },
    );
  });

  test('keepFirst leaves the first filter that has a record, and none after it', () => {
    fc.assert(
      fc.property(answers, (all) => {
        place(all);
        const records = all[0]?.length ?? 0;
        kernel.exports.keepFirst(rows, STRIDE, all.length, records);
        const first = ofRecords(all, (said) => said.indexOf(PRESENT));
        for (const [i, row] of all.entries())
          expect([...kernel.bytes(rows + STRIDE * i, records)]).toEqual(
            row.map((said, record) => {
              const found = first[record] ?? -1;
              return found >= 0 && i > found ? ABSENT : said;
            }),
          );
      }),
      { seed: 1 },
    );
  });
});
