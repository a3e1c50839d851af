import { type Loading, loadFilter } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { requireMemory } from '../engine/store/payload.ts';
import { openStore } from '../engine/store/store.ts';
import { BloomError } from '../errors.ts';
import { type Description, differencesOf } from '../formats/description.ts';
import { isUrl, stateOf } from '../io/look.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Messenger } from '../terminal/messages.ts';
import type { OpenedFilters } from './opened-filters.ts';

/**
 * Watches the file of a filter, and checks it again after SIGHUP. `state` is the state of the file when it was
 * loaded. A newer filter is read completely before it is queried. If it cannot be read, one warning is printed, and
 * queries still use the old filter.
 */
export async function lastingFilter(
  name: string,
  first: LoadedFilter,
  state: string | undefined,
  loading: Loading,
  say: Messenger,
): Promise<OpenedFilters> {
  let loaded = await inMemory(name, first);
  let seen = state;
  await limitGarbage();

  /** Reads the current file. Undefined if it cannot be queried, or is being written and will be checked again. */
  const readNow = async (): Promise<LoadedFilter | undefined> => {
    const now = stateOf(name);
    const result = await readWhole(name, loaded.description, loading).catch((error: unknown) => {
      if (error instanceof BloomError) return error;
      throw error;
    });
    const isFinished = stateOf(name) === now;
    if (isFinished) seen = now;
    if (!(result instanceof BloomError)) {
      if (isFinished) return result;
      result.close();
    } else if (isFinished) say.warning(`${result.message}; queries still use the filter that was there before`);
    return undefined;
  };
  const versions = createVersions(readNow);
  const isReplaced = () => {
    const now = stateOf(name);
    return now !== undefined && now !== seen;
  };
  const take = async () => {
    await versions.read();
    if (isReplaced()) versions.readNext();
    const newer = await versions.take();
    if (newer === undefined) return undefined;
    loaded.close();
    loaded = newer;
    // Runs when no query uses the old filter any more.
    setImmediate(() => void collectGarbage());
    return [newer.store];
  };
  // One listener per filter.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.on('SIGHUP', versions.readNext);
  return {
    names: [name],
    failures: 0,
    loaded: () => [loaded],
    replacement: { isDue: () => versions.isBegun() || isReplaced(), take },
    close() {
      process.removeListener('SIGHUP', versions.readNext);
      process.setMaxListeners(process.getMaxListeners() - 1);
      loaded.close();
    },
  };
}

/** Reads the versions of a filter one after the other, until the caller claims the newest one. */
interface Versions {
  readNext(): void;
  /** Whether a version has been read or is being read. */
  isBegun(): boolean;
  /** Waits until no version is being read. Returns the newest version, if there is one. Throws the errors of reading. */
  read(): Promise<LoadedFilter | undefined>;
  /** The same. Afterwards the version belongs to the caller. */
  take(): Promise<LoadedFilter | undefined>;
}

function createVersions(readNow: () => Promise<LoadedFilter | undefined>): Versions {
  let reading: Promise<LoadedFilter | undefined> | undefined;
  const after = async (earlier: LoadedFilter | undefined) => {
    const newer = await readNow();
    if (newer !== undefined) earlier?.close();
    return newer ?? earlier;
  };
  const read = async () => {
    for (;;) {
      const last = reading;
      const newest = await last;
      if (reading === last) return newest;
    }
  };
  return {
    readNext() {
      reading = reading === undefined ? after(undefined) : reading.then(after);
      // The caller of `read` or `take` gets the error.
      reading.catch(() => {});
    },
    isBegun: () => reading !== undefined,
    read,
    async take() {
      const newest = await read();
      reading = undefined;
      return newest;
    },
  };
}

/**
 * Fixes the size of the young generation of V8. Within some ten thousand keys it would grow to 48 MB, which a process that stays open does not give
 * back. Other engines may refuse the flag.
 */
async function limitGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  try {
    setFlagsFromString('--semi-space-growth-factor=1');
  } catch {
    // Without the flag, the process only uses more memory.
  }
}

/** Frees the memory of unused filters. The garbage collector does not know their size, and would wait. */
async function collectGarbage(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/**
 * Loads a filter that may replace another one, completely. Throws errors of loading, and a `mismatch` error if it has
 * other rules for keys.
 */
async function readWhole(name: string, before: Description, loading: Loading): Promise<LoadedFilter> {
  const newer = await loadFilter(loadKernel(), name, loading);
  try {
    requireSameKeys(newer.name, newer.description, before);
    return await inMemory(name, newer);
  } catch (error) {
    newer.close();
    throw error;
  }
}

/**
 * Reads the whole filter and closes its file. The file may then change, and also be replaced on Windows, which does not
 * replace open files. A filter on a server stays there: the server states whether its file has changed.
 */
async function inMemory(name: string, loaded: LoadedFilter): Promise<LoadedFilter> {
  if (isUrl(name)) return loaded;
  requireMemory(loaded.description.shape);
  (await openStore(loaded.store, loadKernel(), 0)).readAll();
  loaded.close();
  return { ...loaded, close: () => {} };
}

/** Throws a `mismatch` error if records have other keys in the newer filter. */
function requireSameKeys(name: string, newer: Description, before: Description): void {
  const differing = differencesOf(newer.rules, before.rules).join(', ');
  if (differing === '') return;
  throw new BloomError('mismatch', `${name} was replaced by a filter with another ${differing}`);
}
