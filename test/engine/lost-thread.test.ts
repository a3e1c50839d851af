// A thread that dies ends the work with an error, whatever the others wait for.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildWithShape, buildWithSizing } from '../../src/engine/build.ts';
import { type Crew, createCrew } from '../../src/engine/crew.ts';
import { runPass } from '../../src/engine/pass.ts';
import type { AskSpec } from '../../src/engine/task.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { Shape } from '../../src/filters/kind.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from '../kernel/scanning.ts';
import { filterOf, strict } from './alone.ts';
import { eager, withCrewOf } from './crews.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-lost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'input');
writeFileSync(input, Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(''));

const SHAPE: Shape = { segments: 3, segmentBits: 4096, bits: 3 * 4096, hashes: 2 };
const KEYS = { selection: WHOLE, rules: PLAIN_RULES };
const LOST = { name: 'BloomError', code: 'memory', message: expect.stringContaining('a thread was lost') };

/** A crew whose first thread dies. */
function withDoomed<T>(at: string, by: string, work: (crew: Crew) => Promise<T>): Promise<T> {
  process.env.DIES_AT = at;
  process.env.DIES_BY = by;
  const file = new URL('dying.cjs', import.meta.url);
  return withCrewOf(2, { ...eager(1000), file }, work);
}

function requestOf(crew: Crew) {
  const station = { kernel: loadKernel(), seat: 0 };
  return { station, crew, kind: bloom, inputs: [input], selection: WHOLE, rules: PLAIN_RULES, observer: strict };
}

describe.each(['start', 'open', 'scan', 'finish'])('a thread that dies at %s', (at) => {
  test.each(['exit', 'throw'])('by %s ends a build', async (by) => {
    const building = withDoomed(at, by, (crew) => buildWithShape(requestOf(crew), SHAPE));
    await expect(building).rejects.toMatchObject(LOST);
  });

  test('ends a build that is sized', async () => {
    const building = withDoomed(at, 'exit', (crew) => buildWithSizing(requestOf(crew), () => SHAPE));
    await expect(building).rejects.toMatchObject(LOST);
  });

  test('ends a query, though others wait for their turn to print', async () => {
    const asking = withDoomed(at, 'exit', (crew) => {
      // Nothing is in the filter, so that nothing is printed.
      const filter = filterOf(SHAPE, undefined, crew.seats);
      const spec: AskSpec = {
        type: 'ask',
        filter,
        selection: WHOLE,
        rules: PLAIN_RULES,
        print: { wanted: 1, tag: false, named: false, numbered: false, json: false },
        lineBuffered: false,
        bySource: false,
        stopAt: undefined,
      };
      const station = { kernel: loadKernel(), seat: 0 };
      return runPass({ station, crew, spec, inputs: [input], observer: strict });
    });
    await expect(asking).rejects.toMatchObject(LOST);
  });
});

test('whoever waits for a thread that is dismissed is told', async () => {
  const crew = createCrew(2, eager(1000));
  crew.start();
  const asked = crew.askAll({ type: 'open', spec: { type: 'seal', filter: filterOf(SHAPE), ...KEYS } });
  const refused = expect(asked).rejects.toThrow('dismissed');
  const free = expect(crew.free(0)).rejects.toThrow('dismissed');
  await crew.close();
  await refused;
  await free;
});

test('a file that is no program for a thread ends the work', async () => {
  const building = withCrewOf(2, { ...eager(1000), file: new URL('nowhere.cjs', import.meta.url) }, (crew) =>
    buildWithShape(requestOf(crew), SHAPE),
  );
  await expect(building).rejects.toMatchObject(LOST);
});
