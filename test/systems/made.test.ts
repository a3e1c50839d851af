// Filters of other systems that bloom makes, queried by these systems. Every answer is bloom's, and the system's own file of the same
// keys equals bloom's byte for byte.

import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAKINGS } from '../../src/formats/makings.ts';
import { fileOf, folder, newFile } from '../formats/making.ts';
import { answersOf } from './asking.ts';
import { close, filesOf, type MadeFile } from './cases.ts';
import { DRIVERS, type DriverName, isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';
import { REAL_SYSTEMS } from './real-systems.ts';

afterAll(() => close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A system's answers for a file of bloom, and the file that it makes itself. */
interface Compared {
  readonly sort: string;
  readonly made: MadeFile;
  readonly answers: string;
  readonly own: Buffer | undefined;
}

/** Makes a system query all files of its sorts at once. */
async function compared(driver: DriverName, sorts: readonly string[]): Promise<Compared[]> {
  const requests: (readonly string[])[] = [];
  const waiting: (Omit<Compared, 'answers' | 'own'> & { readonly theirs: string | undefined })[] = [];
  for (const sort of sorts) {
    for (const file of await filesOf(sort)) {
      const theirs = REAL_SYSTEMS[sort]?.[file.theirs.of] === driver ? newFile() : undefined;
      if (theirs !== undefined) requests.push(file.theirs.request(theirs));
      requests.push(['has', sort, file.file, 'text', fileOf(file.asked)]);
      waiting.push({ sort, made: file, theirs });
    }
  }
  const answers = (await answersOf(driver, requests)).filter((_, i) => requests[i]?.[0] === 'has');
  return waiting.map(({ theirs, ...file }, i) => ({
    ...file,
    answers: answers[i] ?? '',
    own: theirs === undefined ? undefined : readFileSync(theirs),
  }));
}

const isAsked = (driver: DriverName, sort: string) => REAL_SYSTEMS[sort]?.readers.includes(driver) === true;
const ASKED = (Object.keys(DRIVERS) as DriverName[]).filter((driver) =>
  Object.keys(REAL_SYSTEMS).some((sort) => isAsked(driver, sort)),
);

describe.each(ASKED)('%s', (driver) => {
  const sorts = Object.keys(REAL_SYSTEMS).filter((sort) => isAsked(driver, sort));
  let all: Compared[] = [];
  beforeAll(async () => {
    if (isBuilt(driver)) all = await compared(driver, sorts);
  });

  testedBy(driver).each(sorts)('%s: the system finds all keys, and answers as we do', (sort) => {
    const ofSort = all.filter((file) => file.sort === sort);
    expect(ofSort.length).toBeGreaterThan(0);
    for (const { made, answers } of ofSort) {
      expect(answers.slice(0, made.members.length), made.name).toBe('1'.repeat(made.members.length));
      expect(answers === made.ours, made.name).toBe(true);
    }
  });

  const makers = sorts.filter((sort) => [REAL_SYSTEMS[sort]?.maker, REAL_SYSTEMS[sort]?.merger].includes(driver));
  testedBy(driver).each(makers)('%s: its own file is ours', (sort) => {
    const own = all.filter((file) => file.sort === sort && file.own !== undefined);
    expect(own.length).toBeGreaterThan(0);
    for (const { made, own: theirs } of own) expect(theirs?.equals(readFileSync(made.file)), made.name).toBe(true);
  });
});

describe('systems that cannot be installed:', () => {
  for (const { name } of MAKINGS) if (REAL_SYSTEMS[name] === undefined) test.todo(name);
});
