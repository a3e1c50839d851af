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
 * Watches the file of a filter, which was loaded when that was in `state`, after `stateOf`, and looks at it anew at SIGHUP. A newer
 * one is read as a whole before it is asked; of one that cannot be, one warning is given, and the one before is asked on.
 */
export async function lastingFilter(
  name: string,
  first: LoadedFilter,
  state: string | undefined,
  loading: Loading,
  say: Messenger,
): Promise<OpenedFilters> {
  let loaded = first;
  let seen = state;
  await readOn(name, first);

  /** Reads what is there now; undefined if that cannot be asked, or is being written and will be looked at again. */
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
    // Once nobody is at the one before.
    setImmediate(() => void collectGarbage());
    return [newer.store];
  };
  // As many may listen as there are filters.
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

/** Versions of a filter that are read, one after the other, until the newest is taken. */
interface Versions {
  readNext(): void;
  /** One was read, or is. */
  isBegun(): boolean;
  /** Resolves to the newest, if there is one, once no more is read. Throws what reading throws. */
  read(): Promise<LoadedFilter | undefined>;
  /** The same, after which it is the caller's. */
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
      // Whoever asks for the newest hears of what went wrong.
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

/** Gives the memory of filters back that nobody asks any more: how large it is the collector does not know, and would let it be. */
async function collectGarbage(): Promise<void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/** Loads a filter that may take the place of another, whole. Throws the errors of that, and a `mismatch` error for other keys. */
async function readWhole(name: string, before: Description, loading: Loading): Promise<LoadedFilter> {
  const newer = await loadFilter(loadKernel(), name, loading);
  try {
    requireSameKeys(newer.name, newer.description, before);
    await readOn(name, newer);
    return newer;
  } catch (error) {
    newer.close();
    throw error;
  }
}

/** Reads what would else be read of a file by and by, when it may have been written to; a server says if its file has changed. */
async function readOn(name: string, { store, description }: LoadedFilter): Promise<void> {
  if (isUrl(name)) return;
  requireMemory(description.shape);
  (await openStore(store, loadKernel(), 0)).readAll();
}

/** Throws a `mismatch` error for a filter whose keys are not made of records as those of the one before. */
function requireSameKeys(name: string, newer: Description, before: Description): void {
  const differing = differencesOf(newer.rules, before.rules).join(', ');
  if (differing === '') return;
  throw new BloomError('mismatch', `${name} was replaced by a filter with another ${differing}`);
}
