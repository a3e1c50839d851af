// What `dedup --summary` states of its errors, by streams of which all is known: few keys, many repeats, memories too small by up to 20
// times. The oracle follows what was printed with sets.

import { describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { createLevels } from '../reference/sightings.ts';
import { scratch } from './run.ts';

const { within } = scratch();
const WINDOW = 2000;
const WINDOWS = 3;

interface Case {
  /** How many times as many records come in a window as the memory is for. */
  readonly overfull: number;
  readonly keep: number | undefined;
  readonly minCount: number;
  readonly distinct: number;
}

const CASES = [1, 3, 20].flatMap((overfull) =>
  [undefined, 0, 1, 3].flatMap((keep) =>
    [1, 2, 3, 5].flatMap((minCount) =>
      [WINDOW / 2, 50 * WINDOW].map((distinct): Case => ({ overfull, keep, minCount, distinct })),
    ),
  ),
);

async function run({ overfull, keep, minCount, distinct }: Case, seed: number) {
  const random = createRandom(seed);
  const keys = Array.from({ length: WINDOW * WINDOWS }, () => `key ${below(random, distinct)}`);
  const stdin = keys.map((key, i) => `${i}\t${key}\n`).join('');
  const size = ['-n', String(Math.round(WINDOW / overfull)), '-p', '1%'];
  const windows = keep === undefined ? [] : ['--window', String(WINDOW), '--keep', String(keep)];
  const sightings = minCount === 1 ? [] : ['--min-count', String(minCount)];
  const flags = ['-d', '\t', '-f', '2', ...size, ...windows, ...sightings, '--summary', '--json'];
  const { stdout, stderr } = await within(['dedup', ...flags], { stdin });
  const printed = new Set(
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => Number.parseInt(line, 10)),
  );
  const { leastFalsePositives: least, mostFalsePositives: most } = JSON.parse(
    stderr.trimEnd().split('\n').at(-1) ?? '',
  );
  return { keys, printed, least, most };
}

/** Keys that came in a window, were in nothing that is remembered, and were never printed there. */
function dropped(keys: readonly string[], isNew: (record: number) => boolean, keep: number | undefined): number {
  const noted = new Map<string, number>();
  const lost = new Set<string>();
  for (const [i, key] of keys.entries()) {
    const window = keep === undefined ? 0 : Math.floor(i / WINDOW);
    const before = noted.get(key);
    if (isNew(i)) noted.set(key, window);
    else if (before === undefined || window - before > (keep ?? 0)) lost.add(`${window} ${key}`);
  }
  return lost.size;
}

/** Records that were printed before their key had come so often. */
function early(
  keys: readonly string[],
  printed: ReadonlySet<number>,
  minCount: number,
  keep: number | undefined,
): number {
  const sightings = createLevels(minCount - 1, keep);
  return keys.filter(
    (key, i) =>
      sightings({ key, window: keep === undefined ? 0 : Math.floor(i / WINDOW) }) < minCount - 1 && printed.has(i),
  ).length;
}

describe('the range has what went wrong', () => {
  const cases = inLongRuns(
    CASES,
    CASES.filter((_, i) => i % 9 === 1),
  );
  const SEEDS = inLongRuns(20, 2);
  test.each(cases)(
    '%o',
    async (example) => {
      const { minCount, keep } = example;
      let held = 0;
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { keys, printed, least, most } = await run(example, seed);
        // With one memory the records of two sightings are those that are not new.
        const wrong =
          minCount <= 2
            ? dropped(keys, (record) => printed.has(record) === (minCount === 1), keep)
            : early(keys, printed, minCount, keep);
        if (wrong >= least && wrong <= most) held++;
      }
      expect(held).toBeGreaterThanOrEqual(Math.floor(0.95 * SEEDS));
    },
    300_000,
  );
});
