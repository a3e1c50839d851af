import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

type Calls = Partial<Record<keyof typeof fs, (...args: never[]) => unknown>>;

/**
 * Replaces functions of node:fs while the tests of a file run, everywhere in their process. `calls` makes them from the original
 * functions.
 */
export function replaceCalls(calls: (original: typeof fs) => Calls): void {
  const original = { ...fs };
  const replaced = calls(original);
  const put = (functions: Readonly<Record<string, unknown>>) => {
    for (const name of Object.keys(replaced)) Object.assign(fs, { [name]: functions[name] });
    syncBuiltinESMExports();
  };
  beforeAll(() => put(replaced));
  afterAll(() => put(original));
}
