// However and whenever a command ends, its output is the whole old file or the whole new one.

import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');
const ROUNDS = inLongRuns(20, 1);

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  build: ['build', '-n', '2M', WORDS, '--force', '-o', 'target.bloom'],
  add: ['add', 'target.bloom', 'more'],
  remove: ['remove', 'target.bloom', 'some'],
  merge: ['merge', 'old.bloom', 'old.bloom', '--force', '-o', 'target.bloom'],
  index: ['index', WORDS, 'many', '--force', '-o', 'target.bloom'],
};

beforeAll(async () => {
  shell(`seq 5000 > more; seq 300000 > many; head -n 1000 ${WORDS} > some`);
  await within(['build', '--kind', 'counting', '-n', '500k', WORDS, '-o', 'old.bloom']);
});

/** The file that a finished command leaves, and the milliseconds that it took. Other runs may take longer or shorter. */
function finished(command: readonly string[]): { whole: Buffer; took: number } {
  copyFileSync(path('old.bloom'), path('target.bloom'));
  const start = performance.now();
  expect(bloom(command).status).toBe(0);
  return { whole: readFileSync(path('target.bloom')), took: performance.now() - start };
}

const leftovers = () => readdirSync(path('.')).filter((name) => name.startsWith('.'));

describe.each(Object.entries(COMMANDS))('%s', (name, command) => {
  let done: ReturnType<typeof finished> | undefined;
  test.each(inLongRuns<readonly NodeJS.Signals[]>(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'], ['SIGKILL', 'SIGTERM']))(
    'interrupted by %s at any time',
    async (signal) => {
      const old = readFileSync(path('old.bloom'));
      done ??= finished(command);
      const { whole, took } = done;
      const random = createRandom(name.length + signal.length);
      for (let round = 0; round < ROUNDS; round++) {
        copyFileSync(path('old.bloom'), path('target.bloom'));
        const child = start(command);
        const timer = setTimeout(() => child.kill(signal), below(random, Math.ceil(1.1 * took)));
        const [code, by] = await once(child, 'exit');
        clearTimeout(timer);

        const left = readFileSync(path('target.bloom'));
        const isNew = left.equals(whole);
        expect(isNew || left.equals(old)).toBe(true);
        // A signal before the program is up, or after its work, finds nothing to undo.
        if (code !== null) expect({ code, isNew }).toEqual({ code: 0, isNew: true });
        else expect(by).toBe(signal);
        if (signal !== 'SIGKILL') expect(leftovers()).toEqual([]);
        for (const file of leftovers()) rmSync(path(file));
      }
    },
  );
});
