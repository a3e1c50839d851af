import { readFileSync } from 'node:fs';
import { beforeAll } from 'vitest';
import { KINDS } from '../../../src/filters/registry.ts';
import { scratch } from '../../cli/run.ts';

export const FEW_KEYS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

export const KIND_NAMES = KINDS.map(({ name }) => name);

/** Files of every kind that the command builds from a few keys; they are there once the tests run. */
export function fewKeysOfEveryKind(flags: readonly string[] = []): (kind: string) => Uint8Array {
  const { bloom, path } = scratch();
  const files = new Map<string, Uint8Array>();
  beforeAll(() => {
    for (const kind of KIND_NAMES) {
      const file = `${kind}.bloom`;
      const stdin = FEW_KEYS.map((key) => `${key}\n`).join('');
      const { status, stderr } = bloom(['build', '--kind', kind, ...flags, '-o', file], { stdin });
      if (status !== 0) throw new Error(stderr);
      files.set(kind, new Uint8Array(readFileSync(path(file))));
    }
  });
  return (kind) => {
    const file = files.get(kind);
    if (file === undefined) throw new Error(`there is no file of a ${kind} filter`);
    return file.slice();
  };
}
