import { noteSummary } from '../engine/notes.ts';
import { summaryOf } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { stateOf } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { requireIterable } from './checks.ts';
import { nameOfFile } from './file-name.ts';
import type { Filter, FilterStats, SaveOptions } from './filter.ts';
import { type Current, createCurrent, type Held } from './held.ts';
import { requireKnown } from './known-options.ts';

/** What is behind a filter of the library. */
export interface Internals extends Pick<Current, 'description' | 'segmented'> {
  readonly kernel: Kernel;
}

const internals = new WeakMap<Filter, Internals>();

/** What is behind a filter. Throws a `usage` error for what is none. */
export function internalsOf(filter: Filter): Internals {
  const known = internals.get(filter);
  if (known === undefined) throw new BloomError('usage', 'what is merged are filters that were opened or built here');
  return known;
}

/** A filter of the library. */
export async function createHandle(kernel: Kernel, held: Held): Promise<Filter> {
  const current = await createCurrent(kernel, held);
  const { answers, change, description } = current;
  const handle: Filter = {
    has: (key) => answers().has(key),
    hasMany(keys) {
      requireIterable('keys', keys);
      return answers().hasMany(keys);
    },
    add: (key) => change('add', ({ add }) => add([key])),
    addMany(keys) {
      requireIterable('keys', keys);
      change('add', ({ add }) => add(keys));
    },
    remove: (key) => change('remove', ({ remove }) => remove([key]) > 0),
    stats: () =>
      ({ ...summaryOf(description(), current.content()), ...noteSummary(description()) }) as unknown as FilterStats,
    save: createSaving(current, held),
    async toBytes() {
      const pieces: Uint8Array[] = [];
      const append = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
      await current.write({ name: held.name, replace: true, append });
      return Buffer.concat(pieces);
    },
    close: current.close,
  };
  internals.set(handle, { kernel, description, segmented: current.segmented });
  return handle;
}

/** Writes a filter to files, of which that which it was opened from may not have been changed by others meanwhile. */
function createSaving({ write }: Current, { file: opened }: Held): Filter['save'] {
  let file = opened;
  return async (to: string | URL, options: SaveOptions = {}) => {
    requireKnown('save', options);
    const { replace = true } = options;
    const name = nameOfFile(to);
    const isItsOwn = name === file?.name;
    const output: Output = { name, replace, ...(isItsOwn && { unchangedSince: file?.state }) };
    await checkOutput(output, []);
    await write(output);
    if (isItsOwn) file = { name, state: stateOf(name) };
  };
}
