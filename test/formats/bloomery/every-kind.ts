import { beforeAll } from 'vitest';
import { KINDS } from '../../../src/filters/registry.ts';
import { type BuildOptions, buildFilter, type KindName } from '../../../src/library/index.ts';

export const FEW_KEYS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

export const KIND_NAMES = KINDS.map(({ name }) => name as KindName);

/** Files of every kind with a few keys. They exist when the tests run. */
export function fewKeysOfEveryKind(options: BuildOptions = {}): (kind: string) => Uint8Array {
  const files = new Map<string, Uint8Array>();
  beforeAll(async () => {
    for (const kind of KIND_NAMES) {
      const built = await buildFilter(FEW_KEYS, { ...options, kind });
      files.set(kind, new Uint8Array(await built.toBytes()));
    }
  });
  return (kind) => {
    const file = files.get(kind);
    if (file === undefined) throw new Error(`there is no file of a ${kind} filter`);
    return file.slice();
  };
}
