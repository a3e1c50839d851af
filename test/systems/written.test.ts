// Filters that real systems write, of sorts that bloom does not make. bloom gives the same answers.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { answersTo, withLoaded } from '../formats/asking.ts';
import { fileOf, folder, newFile } from '../formats/making.ts';
import { inLongRuns } from '../long.ts';
import { answersOf } from './asking.ts';
import { drawnKeys } from './cases.ts';
import { type DriverName, isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Sort {
  /** The driver's name for it. */
  readonly name: string;
  readonly driver: DriverName;
  /** The name for --format, if it is needed. */
  readonly format?: string;
}

const SORTS: readonly Sort[] = [
  { name: 'pybloom-3-scalable', driver: 'pybloom-3', format: 'pybloom-3' },
  { name: 'pybloom-4-scalable', driver: 'pybloom-4', format: 'pybloom-4' },
  { name: 'redisbloom-dump', driver: 'redisbloom' },
  { name: 'redisbloom-nonscaling-dump', driver: 'redisbloom' },
];

/** The capacity of a filter, its rate, and the number of its keys. */
const SIZES = [
  [100, 0.01, 0],
  [100, 0.01, 1],
  [100, 0.01, 700],
  [50, 1e-6, 300],
  [2000, 0.2, 1500],
] as const;

interface Answers {
  readonly members: number;
  readonly theirs: string;
  readonly ours: string;
}

describe.each(SORTS)('$name', ({ name, driver, format }) => {
  const answers: Answers[] = [];
  beforeAll(async () => {
    if (!isBuilt(driver)) return;
    const nonMembers = drawnKeys(driver, 2, inLongRuns(5000, 1000));
    const files = SIZES.map(([items, fpr, count]) => {
      const members = drawnKeys(driver, 1, name.includes('nonscaling') ? Math.min(items, count) : count);
      return { file: newFile(), items, fpr, members, asked: [...members, ...nonMembers] };
    });
    const requests = files.flatMap(({ file, items, fpr, members, asked }) => [
      ['make', name, file, 'text', fileOf(members), String(items), String(fpr)],
      ['has', name, file, 'text', fileOf(asked)],
    ]);
    const said = (await answersOf(driver, requests)).filter((_, i) => i % 2 === 1);
    for (const [i, { file, members, asked }] of files.entries()) {
      const ours = await withLoaded(file, 1, (loaded) => answersTo(loaded, asked), { format });
      answers.push({ members: members.length, theirs: said[i] ?? '', ours: ours.map(Number).join('') });
    }
  });

  testedBy(driver)('answers as its system does', () => {
    expect(answers.length).toBe(SIZES.length);
    for (const { members, theirs, ours } of answers) {
      expect(ours.slice(0, members)).toBe('1'.repeat(members));
      expect(ours === theirs).toBe(true);
    }
  });
});
