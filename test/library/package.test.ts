import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratch } from '../cli/run.ts';
import { IS_LONG } from '../long.ts';
import { outcomeOf } from '../starter.ts';

const { path } = scratch();

beforeAll(() => {
  mkdirSync(path('node_modules'));
  symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), path('node_modules/bloomery'));
});

/** The output of a program that runs beside the installed package. */
function output(file: string, code: string): string {
  writeFileSync(path(file), code);
  const { stdout, stderr, status } = outcomeOf(process.execPath, [file], { cwd: path('.'), input: '' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

const NAMES = ['BloomError', 'buildFilter', 'compareFilters', 'mergeFilters', 'openFilter', 'openIndex', 'sizeFilter'];

describe('the package', () => {
  test.runIf(IS_LONG)('has both module formats, with shared classes', () => {
    const code = `
      import * as imported from 'bloomery';
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('bloomery');
      const names = Object.keys(imported);
      console.log(JSON.stringify([names, Object.keys(required), names.every((name) => imported[name] === required[name])]));`;
    expect(JSON.parse(output('both.mjs', code))).toEqual([NAMES, NAMES, true]);
  });

  test('runs in a worker, to which the bytes of a filter are transferred', () => {
    const code = `
      const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
      const { buildFilter, openFilter } = require('bloomery');
      if (isMainThread) {
        buildFilter(['a', 'b']).then(async (filter) => {
          const worker = new Worker(__filename, { workerData: await filter.toBytes() });
          worker.on('message', (answers) => console.log(JSON.stringify(answers)));
        });
      } else {
        openFilter(workerData, { writable: true }).then((filter) => {
          filter.add('c');
          parentPort.postMessage(filter.hasMany(['a', 'b', 'c', 'd']));
        });
      }`;
    expect(JSON.parse(output('worker.cjs', code))).toEqual([true, true, true, false]);
  });

  test('prints only one line of source for an uncaught error', () => {
    writeFileSync(path('uncaught.cjs'), `require('bloomery').sizeFilter({ item: 1 });`);
    const { stderr, status } = outcomeOf(process.execPath, ['uncaught.cjs'], { cwd: path('.'), input: '' });
    expect(status).toBe(1);
    expect(stderr).toContain('sizeFilter has no option item');
    expect(stderr.length).toBeLessThan(3000);
  });

  test('leaves a signal to a program that handles it', () => {
    const code = `
      const { readdirSync } = require('node:fs');
      const { buildFilter } = require('bloomery');
      let heard = 0;
      process.on('SIGTERM', () => heard++);
      buildFilter(['a'], { items: 20_000_000 }).then(async (filter) => {
        let isSaved = false;
        const saved = filter.save('saved.bloom').then(() => (isSaved = true));
        const interrupt = () => {
          if (readdirSync('.').some((name) => name.endsWith('.tmp'))) process.kill(process.pid, 'SIGTERM');
          else if (!isSaved) setImmediate(interrupt);
        };
        interrupt();
        await saved;
        console.log(heard);
      });`;
    expect(output('signal.cjs', code)).toBe('1\n');
  });
});
