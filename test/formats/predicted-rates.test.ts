// The stated rates of signatures of rows, fingerprints in buckets and binary fuse images, whose positions are not steps. Over
// many filters, the share of absent keys that are maybe present must be within the interval of the prediction.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { contentInFile } from '../../src/engine/survey.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { linesOf } from '../filters/filling.ts';
import { inLongRuns } from '../long.ts';
import { writeNewFile } from '../new-file.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { createRandom } from '../reference/random.ts';
import { positivesIn, withLoaded } from './asking.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-rates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILTERS = inLongRuns(32, 8);
/** 99.9 % of all means of so many filters are within this many of their own standard errors (Student's t, 31 or 7 degrees of freedom). */
const T999 = inLongRuns(3.633, 5.408);

const random = createRandom(3);
const drawnKeys = (count: number) => Array.from({ length: count }, () => `${random().toString(36)}.${random()}`);
const alone = createWorkerPool(1);

function placed(name: string, bytes: Uint8Array): string {
  writeNewFile(join(folder, name), bytes);
  return join(folder, name);
}

type Case = readonly [system: string, vessel: string, absentKeys: number];

/** The system, the vessel, and the number of absent keys per filter. */
const CASES: readonly Case[] = [
  ['postgres-bloom', 'signatures of 4096 bits', 10_000],
  ['redisbloom-cuckoo', 'few buckets', 50_000],
  ['binary-fuse', 'slots of 8 bits', 50_000],
];
const SLOWER: readonly Case[] = [
  ['postgres-bloom', 'one bit a row', 10_000],
  ['redisbloom-cuckoo', 'that has grown', 50_000],
  ['redisbloom-cuckoo', 'large buckets', 50_000],
  ['binary-fuse', 'slots of 8 bits and a number of keys', 50_000],
];

test.each(inLongRuns([...CASES, ...SLOWER], CASES))(
  '%s, %s: the rate is that of many filters',
  async (system, vessel, nonMembers) => {
    const { vessels, keyType } = SYSTEMS[system] ?? {};
    const absent = placed('absent', linesOf(drawnKeys(nonMembers)));
    const differences: number[] = [];
    let predicted = 0;
    for (let i = 0; i < FILTERS; i++) {
      const { filter, keys = 0, variant } = vessels?.[vessel]?.() ?? {};
      for (const key of drawnKeys(keys)) filter?.add(Buffer.from(key));
      const opening = { format: variant, keyType };
      const file = placed('filter', filter?.encode() ?? new Uint8Array());
      const [found = 0] = await positivesIn(file, [absent], alone, opening);
      const stated = await withLoaded(
        file,
        1,
        (loaded) => contentInFile(loaded.description, loaded.fills(), file),
        opening,
      );
      predicted += stated.predictedFpr / FILTERS;
      differences.push(found / nonMembers - stated.predictedFpr);
    }
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / FILTERS;
    const spread = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0) / (FILTERS - 1);
    const error = Math.sqrt(spread / FILTERS);
    expect(Math.abs(mean)).toBeLessThanOrEqual(T999 * error);
    // The interval is narrow enough to detect a prediction that is wrong by a quarter.
    expect(T999 * error).toBeLessThan(predicted / 4);
  },
);
