import type { BuildRequest } from '../engine/build-filter.ts';
import { type LoadedFilter, loadFilter } from '../engine/filter/loaded-filter.ts';
import type { Segments } from '../engine/filter/segments.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { displayName, lookAt, stateOf } from '../io/look.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { type ListFlags, parseSelection, type SelectionFlags, threadsOf } from '../options/selection.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { CommonFlags } from './command.ts';
import { inputsOf, unreadInputs } from './inputs.ts';
import { suppliedBy, writeWatched } from './outputs.ts';
import { type Watch, watchWork } from './watch.ts';

/** A filter that was changed in memory, and what its file will say. */
export interface Changed {
  readonly segments: Segments;
  readonly description: Description;
}

/** The flags of commands that change a filter in place. */
export interface ChangeFlags extends SelectionFlags, ListFlags, CommonFlags {
  readonly force?: true;
}

/** What a command does to a filter in place. */
export interface Change<T extends Changed> {
  /** What the progress line calls it. */
  readonly label: string;
  /** Refuses a filter that cannot be changed in this way. */
  check?(description: Description, name: string): void;
  /** Does it in memory. */
  work(request: BuildRequest, loaded: LoadedFilter): Promise<T>;
  /** Refuses or remarks on what came of it, before anything is written. */
  judge(changed: T, fill: readonly Fill[], name: string): void;
}

/** Changes a filter and replaces its file in one step. Returns what was done and the inputs that could not be read. */
export function changeInPlace<T extends Changed>(
  file: string,
  files: readonly string[],
  raw: ChangeFlags,
  say: Messenger,
  change: Change<T>,
): Promise<{ name: string; changed: T; fill: readonly Fill[]; watch: Watch }> {
  return withWorkerPool(threadsOf(raw), (pool) => changeWith(pool, file, files, raw, say, change));
}

async function changeWith<T extends Changed>(
  pool: WorkerPool,
  file: string,
  files: readonly string[],
  raw: ChangeFlags,
  say: Messenger,
  change: Change<T>,
) {
  const watch = watchWork(say, raw.color);
  const inputs = await inputsOf(files, raw, watch);
  // Some of those in lists may have failed already.
  const named = inputs.length + watch.failures;
  const respectsProtection = raw.force !== true;
  const output: Output = { name: file, replace: true, respectsProtection, unchangedSince: stateOf(file) };
  const selection = parseSelection(raw);
  if (file === '-')
    throw new BloomError('usage', 'a filter on standard input cannot be changed in place', 'name a file');
  if (lookAt(file)?.isFile() === false) {
    throw new BloomError(
      'usage',
      `${displayName(file)} is not a regular file, and cannot be changed in place`,
      'name a file',
    );
  }
  const remarks = await checkOutput(output, inputs);
  startIfWorthwhile(pool, inputs);
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, file, pool.threadCount, 'change');
  try {
    const { name, description } = loaded;
    change.check?.(description, name);
    watch.begin(change.label);
    const { kind, rules } = description;
    const request = {
      context: { kernel, threadIndex: 0 },
      pool,
      kind,
      inputs,
      selection,
      rules,
      observer: watch,
    };
    const changed = await change.work(request, loaded).finally(watch.finish);
    if (watch.failures === named) throw unreadInputs(`${name} was left as it was`, watch);
    // Of what broke off nobody could give the rest, and the whole would count twice what was read.
    if (watch.broken > 0 && kind.abilities.includes('remove'))
      throw unreadInputs(`${name}, which counts its keys, was left as it was`, watch);
    const fill = changed.segments.fills();
    change.judge(changed, fill, name);
    await writeWatched(watch, output, kernel, changed.description, suppliedBy(changed.segments, fill));
    for (const remark of remarks) say.warning(remark);
    return { name, changed, fill, watch };
  } finally {
    loaded.close();
  }
}
