// However and whenever a command ends, its output is the whole old file or the whole new one.

import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLongRuns, sampled } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { fixture, scratch } from './run.ts';

const { bloom, path, shell, start, within } = scratch();
const WORDS = fixture('words.txt');
const ROUNDS = inLongRuns(8, 1);

/** Each command, and the file that its output replaces. */
const COMMANDS = sampled<readonly [name: string, old: string, command: readonly string[]]>([
  ['build', 'old.bloom', ['build', '-n', '2M', WORDS, '--force', '-o', 'target']],
  ['add', 'old.bloom', ['add', 'target', 'more']],
  ['remove', 'old.bloom', ['remove', 'target', 'some']],
  ['merge', 'old.bloom', ['merge', 'old.bloom', 'old.bloom', '--force', '-o', 'target']],
  ['index', 'old.bloom', ['index', WORDS, 'many', '--force', '-o', 'target']],
  ['index --update', 'old.index', ['index', WORDS, 'many', '--update', '-o', 'target']],
  ['merge of indexes', 'old.index', ['merge', 'old.index', 'other.index', '--force', '-o', 'target']],
]);

beforeAll(async () => {
  shell(`seq 5000 > more; seq 300000 > many; head -n 1000 ${WORDS} > some`);
  await within(['build', '--kind', 'counting', '-n', '500k', WORDS, '-o', 'old.bloom']);
  await within(['index', WORDS, '-o', 'old.index']);
  await within(['index', 'many', '-o', 'other.index']);
});

/** The file that a finished command leaves, and the milliseconds that it took. Other runs may take longer or shorter. */
function finished(old: string, command: readonly string[]): { whole: Buffer; took: number } {
  copyFileSync(path(old), path('target'));
  const start = performance.now();
  expect(bloom(command).status).toBe(0);
  return { whole: readFileSync(path('target')), took: performance.now() - start };
}

const leftovers = () => readdirSync(path('.')).filter((name) => name.startsWith('.'));

describe.each(COMMANDS)('%s', (name, oldName, command) => {
  let done: ReturnType<typeof finished> | undefined;
  test.each(inLongRuns<readonly NodeJS.Signals[]>(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'], ['SIGKILL', 'SIGTERM']))(
    'interrupted by %s at any time',
    async (signal) => {
      const old = readFileSync(path(oldName));
      done ??= finished(oldName, command);
      const { whole, took } = done;
      const random = createRandom(name.length + signal.length);
      for (let round = 0; round < ROUNDS; round++) {
        copyFileSync(path(oldName), path('target'));
        const child = start(command);
        const timer = setTimeout(() => child.kill(signal), below(random, Math.ceil(1.1 * took)));
        const [code, by] = await once(child, 'exit');
        clearTimeout(timer);

        const left = readFileSync(path('target'));
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
