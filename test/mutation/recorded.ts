// One run of all tests without a mutant: how long each test file takes, and what it reaches. It is kept until a source or a test
// changes.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Copy, copyOf, isBuilt, test } from './copy.ts';
import { probeAll, type Reach, reachIn } from './reach.ts';

export interface Recorded {
  /** Seconds per test file, without the files that fail without a mutant. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly reach: Reach;
}

/** The digest of everything that a recorded run depends on. */
function digestOf(root: string, tests: string): string {
  const hash = createHash('sha256').update(tests);
  for (const folder of ['src', 'test']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(root, folder, name)));
  }
  return hash.digest('hex');
}

/** The recorded run may be silent this many times longer, as its output does not show whether tests hang. */
const CHECKED = 4;

interface HowToRecord {
  readonly root: string;
  /** The folder for a copy with probes. */
  readonly folder: string;
  /** A copy without probes. */
  readonly plain: Copy;
  /** A part of the paths of the tests that run; empty for all tests. */
  readonly tests: string;
  readonly silence: number;
  readonly workers: number;
}

/** Reads the record of the current sources and tests, or creates it. */
export async function recorded({ root, folder, plain, tests, silence, workers }: HowToRecord): Promise<Recorded> {
  const kept = join(root, 'node_modules', '.cache', 'mutation', `${digestOf(root, tests).slice(0, 16)}.json`);
  if (!existsSync(kept)) {
    const probed = copyOf(root, folder);
    probeAll(probed.folder);
    if (!(await isBuilt(probed))) throw new Error('the program with probes cannot be built');
    const records = join(folder, 'records');
    mkdirSync(records);
    const how = { silence: CHECKED * silence, workers };
    const { failures, seconds } = await test(probed, tests === '' ? [] : [tests], {
      ...how,
      env: { BLOOM_REACH_FOLDER: records },
    });
    const failing = await failingWithout(plain, [...new Set(failures.map(({ file }) => file))], how);
    if (failing.includes('')) throw new Error('the tests do not end without a mutant');
    for (const file of failing) console.log(`${file} fails without a mutant, and is not run`);
    const { within, built } = reachIn(records);
    const passing = [...seconds].filter(([file]) => !failing.includes(file));
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, JSON.stringify({ seconds: passing, within: [...within], built: [...built] }));
  }
  const { seconds, within, built } = JSON.parse(readFileSync(kept, 'utf8'));
  return { seconds: new Map(seconds), reach: { within: new Map(within), built: new Map(built) } };
}

/** The test files that fail with probes and without them. */
async function failingWithout(plain: Copy, files: readonly string[], how: { silence: number; workers: number }) {
  if (files.length === 0 || files.includes('')) return files;
  return [...new Set((await test(plain, files, how)).failures.map(({ file }) => file))];
}
