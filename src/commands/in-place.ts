import type { Reading, Threads } from '../engine/reading.ts';
import type { Contents } from '../engine/store/contents.ts';
import { loadChanged } from '../engine/store/load-changed.ts';
import type { ChangeableFilter } from '../engine/store/loaded.ts';
import { startIfWorthwhile } from '../engine/threads/pass.ts';
import { type WorkerPool, withWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import { canBeUsed } from '../filters/registry.ts';
import type { Description } from '../formats/description.ts';
import type { Opening } from '../formats/opening.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { displayName, lookAt, stateOf } from '../io/look.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { type OpeningFlags, openingOf } from '../options/opening.ts';
import { type InputOptions, inputOptionsOf, refuseWithKeys, type WithKeyFlags } from '../options/selection.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { CommonFlags } from './command.ts';
import { inputsOf, inputsWithKeys, remarkOnInputs, standardInputWithout, unreadInputs } from './inputs.ts';
import { writeWatched } from './outputs.ts';
import { type Watch, watchWork } from './watch.ts';

/** A filter that was changed in memory, and its new description. */
export interface ChangedFilter {
  readonly contents: Contents;
  readonly description: Description;
}

/** The flags of commands that change a filter in place. */
export interface ChangeFlags extends WithKeyFlags, OpeningFlags, CommonFlags {
  readonly force?: true;
  readonly json?: true;
}

/** The filter to change, and the files with the records. */
export interface ChangeOptions extends InputOptions {
  readonly filter: string;
  readonly opening: Opening;
  /** Keys of the command line. They replace the standard input. */
  readonly keys: readonly string[] | undefined;
  /** A protected file may be replaced. */
  readonly isForced: boolean;
  readonly json: boolean;
  readonly isQuiet: boolean;
  readonly colour: CommonFlags['color'];
}

/**
 * Throws a `usage` error for flags that contradict each other, and for the standard input, which cannot be replaced.
 */
export function parseChange(filter: string, files: readonly string[], raw: ChangeFlags): ChangeOptions {
  if (filter === '-')
    throw new BloomError('usage', 'a filter on standard input cannot be changed in place', 'name a file');
  refuseWithKeys(raw);
  return {
    ...inputOptionsOf(files, raw),
    keys: raw.key,
    filter,
    opening: openingOf(raw),
    isForced: raw.force === true,
    json: raw.json === true,
    isQuiet: raw.quiet === true,
    colour: raw.color,
  };
}

/** What a command does to a filter in place. */
export interface Change<T extends ChangedFilter> {
  /** The name in the progress line. */
  readonly label: string;
  /** Refuses a filter that cannot be changed in this way. */
  check?(description: Description, name: string): void;
  /** Changes the filter in memory. */
  work(reading: Reading, threads: Threads, loaded: ChangeableFilter): Promise<T>;
  /** Refuses the result or warns about it, before anything is written. */
  judge(changed: T, fill: readonly Fill[], name: string): void;
}

/** The result of a change. */
export interface Done<T extends ChangedFilter> {
  readonly name: string;
  readonly changed: T;
  readonly fill: readonly Fill[];
  /** Counts the inputs that could not be read. */
  readonly watch: Watch;
}

/** Changes a filter and replaces its file in one step. */
export function changeInPlace<T extends ChangedFilter>(
  options: ChangeOptions,
  say: Messenger,
  change: Change<T>,
): Promise<Done<T>> {
  return withWorkerPool(options.threads, (pool) => changeWith(pool, options, say, change));
}

async function changeWith<T extends ChangedFilter>(
  pool: WorkerPool,
  options: ChangeOptions,
  say: Messenger,
  change: Change<T>,
): Promise<Done<T>> {
  const { filter, opening, files, lists, keys, selection, isForced, colour } = options;
  const watch = watchWork(say, colour);
  const names = await inputsOf(files, lists, watch, [], standardInputWithout(keys));
  await remarkOnInputs(names, selection, say);
  const inputs = inputsWithKeys(keys, names, options);
  // Inputs in lists may have failed already.
  const named = inputs.length + watch.failures;
  const output: Output = {
    name: filter,
    replace: true,
    respectsProtection: !isForced,
    unchangedSince: stateOf(filter),
    onComplete: () => close(),
  };
  requireRegular(filter);
  const remarks = await checkOutput(output, names);
  startIfWorthwhile(pool, inputs);
  const kernel = loadKernel();
  const loaded = await loadChanged(kernel, filter, pool.threadCount, opening);
  let isOpen = true;
  const close = () => {
    // A second close could close another file that has the same descriptor.
    if (isOpen) loaded.close();
    isOpen = false;
  };
  try {
    const { name, description } = loaded;
    change.check?.(description, name);
    watch.begin(change.label);
    const reading = { inputs, selection, observer: watch };
    const threads = { context: { kernel, threadIndex: 0 }, pool };
    const changed = await change.work(reading, threads, loaded).finally(watch.finish);
    if (watch.failures === named) throw unreadInputs(`${name} was left as it was`, watch);
    // The rest of an input that broke off could not be removed later: to remove the whole input again would remove some keys twice.
    if (watch.broken > 0 && canBeUsed(description.kind, 'remove'))
      throw unreadInputs(`${name}, which counts its keys, was left as it was`, watch);
    const { contents } = changed;
    const fill = contents.fills();
    change.judge(changed, fill, name);
    await writeWatched(watch, output, kernel, { description: changed.description, contents, fill });
    for (const remark of remarks) say.warning(remark);
    return { name, changed, fill, watch };
  } finally {
    close();
  }
}

/** Throws a `usage` error for a filter that is not a regular file. */
export function requireRegular(filter: string): void {
  if (lookAt(filter)?.isFile() !== false) return;
  throw new BloomError(
    'usage',
    `${displayName(filter)} is not a regular file, and cannot be changed in place`,
    'name a file',
  );
}
