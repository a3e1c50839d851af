// Filters of other systems that are made here, asked by these systems themselves: every answer is ours, and what a system makes
// of the same keys is our file byte for byte.

import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { MAKINGS } from '../../src/formats/makings.ts';
import { answersTo, withAsked } from '../formats/asking.ts';
import { fileOf, folder, newFile, openingFor } from '../formats/making.ts';
import { inLongRuns } from '../long.ts';
import { answersOf } from './asking.ts';
import { CASES, close, drawnKeys, type MadeFile } from './cases.ts';
import { DRIVERS, type DriverName, isBuilt } from './drivers.ts';
import { testedBy } from './notice.ts';
import { REAL_SYSTEMS } from './real-systems.ts';

afterAll(() => close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRANGERS = inLongRuns(5000, 1500);

/** What a system says of a file of ours, and what it makes itself. */
interface Compared {
  readonly sort: string;
  readonly name: string;
  readonly made: MadeFile;
  readonly ours: string;
  readonly answers: string;
  readonly own: Buffer | undefined;
}

/** A file; undefined where there is no such filter, or none for so many keys. */
async function made(sort: string, name: string): Promise<MadeFile | undefined> {
  try {
    return await CASES[name]?.(sort);
  } catch (error) {
    if (error instanceof BloomError && ['usage', 'capacity'].includes(error.code)) return undefined;
    throw error;
  }
}

/** Has a system asked about all files of its sorts at once. */
async function compared(driver: DriverName, sorts: readonly string[]): Promise<Compared[]> {
  const requests: (readonly string[])[] = [];
  const waiting: (Omit<Compared, 'answers' | 'own'> & { readonly theirs: string | undefined })[] = [];
  for (const sort of sorts) {
    const strangers = drawnKeys(sort, 2, STRANGERS);
    for (const name of Object.keys(CASES)) {
      const file = await made(sort, name);
      if (file === undefined) continue;
      const asked = [...file.members, ...strangers];
      const opening = openingFor(sort);
      const ours = (await withAsked(file.file, 1, (loaded) => answersTo(loaded, asked), opening)).map(Number).join('');
      const theirs = REAL_SYSTEMS[sort]?.[file.theirs.of] === driver ? newFile() : undefined;
      if (theirs !== undefined) requests.push(file.theirs.request(theirs));
      requests.push(['has', sort, file.file, 'text', fileOf(asked)]);
      waiting.push({ sort, name, made: file, ours, theirs });
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
    expect(ofSort.length).toBeGreaterThanOrEqual(5);
    for (const { name, made, ours, answers } of ofSort) {
      expect(answers.slice(0, made.members.length), name).toBe('1'.repeat(made.members.length));
      expect(answers === ours, name).toBe(true);
    }
  });

  const makers = sorts.filter((sort) => [REAL_SYSTEMS[sort]?.maker, REAL_SYSTEMS[sort]?.merger].includes(driver));
  testedBy(driver).each(makers)('%s: its own file is ours', (sort) => {
    const own = all.filter((file) => file.sort === sort && file.own !== undefined);
    expect(own.length).toBeGreaterThan(0);
    for (const { name, made, own: theirs } of own) expect(theirs?.equals(readFileSync(made.file)), name).toBe(true);
  });
});

describe('of these no system can be had:', () => {
  for (const { name } of MAKINGS) if (REAL_SYSTEMS[name] === undefined) test.todo(name);
});
