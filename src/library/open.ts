import { createLaterAnswers } from '../engine/later-answers.ts';
import { loadFilter } from '../engine/store/load.ts';
import { loadChanged } from '../engine/store/load-changed.ts';
import type { ChangeableFilter, LoadedFilter } from '../engine/store/loaded.ts';
import { BloomError } from '../errors.ts';
import { KEY_TYPE_NAMES } from '../formats/key-types.ts';
import type { Opening } from '../formats/opening.ts';
import { formatNames } from '../formats/registry.ts';
import { isUrl, stateOf } from '../io/look.ts';
import { isRemote } from '../io/positioned.ts';
import type { RemoteOptions } from '../io/remote/open-remote.ts';
import { memorySource, type openSource } from '../io/source.ts';
import { takeKernel } from '../kernel/kernel.ts';
import { keyHashOf, requireBooleans, serverOptionsOf } from './checks.ts';
import { nameOfFile } from './file-name.ts';
import type { Filter } from './filter.ts';
import { createHandle } from './handle.ts';
import type { Held } from './held.ts';
import { requireKnown } from './known-options.ts';
import type { OpenOptions } from './options.ts';

/** The name of bytes in messages. */
const BYTES_NAME = 'the file in memory';

/**
 * Opens a filter: a file, by its name or URL, also on a server, or the bytes of a file. Its format can be that of another system, which is
 * recognised by the content.
 *
 * If the file can be read at any position, only its header and table are read. Each segment is read when a key first needs it. The file
 * stays open until the filter is closed.
 *
 * Rejects with a `BloomError`:
 *
 * - `input`: the file cannot be read;
 * - `format`: it is not a filter, or is damaged;
 * - `memory`: it is too large.
 *
 * @example
 * import { openFilter } from 'bloomery';
 *
 * const filter = await openFilter('words.bloom');
 * console.log(filter.has('walk')); // true
 * console.log(filter.hasMany(['walk', 'wlak'])); // [ true, false ]
 * filter.close();
 */
export async function openFilter(source: string | URL | Uint8Array, options: OpenOptions = {}): Promise<Filter> {
  requireKnown('openFilter', options);
  const { writable, hashed } = options;
  requireBooleans({ writable, hashed });
  const isInMemory = source instanceof Uint8Array;
  const name = isInMemory ? BYTES_NAME : nameOfFile(source, 'state the bytes of a filter as a Uint8Array');
  const ofServer = serverOptionsOf(isInMemory || !isUrl(name) ? undefined : name, options);
  // By then, a filter that was closed just before has given back its memory.
  await undefined;
  const kernel = takeKernel();
  const file = isInMemory || isUrl(name) ? {} : { file: { name, state: stateOf(name) } };
  const opening = openingOf(options);
  const load = async (open?: typeof openSource): Promise<Held> =>
    options.writable === true
      ? heldToChange(await loadChanged(kernel, name, 1, opening, open))
      : heldToQuery(await loadFilter(kernel, name, { threadCount: 1, use: 'query', opening, ...(open && { open }) }));
  const held = await (isInMemory
    ? load(() => memorySource(name, source))
    : isUrl(name) && options.writable !== true
      ? loadRemote(name, ofServer, load)
      : load());
  return createHandle(kernel, { ...held, ...file });
}

/** Loads a filter on a server, while this thread does other work. */
async function loadRemote(
  url: string,
  options: Pick<RemoteOptions, 'timeout' | 'headers'>,
  load: (open: typeof openSource) => Promise<Held>,
): Promise<Held> {
  const { openRemote, remoteSource } = await import('../io/remote/open-remote.ts');
  const { file, close } = await openRemote(url, { ...options, trustsCopy: false });
  try {
    const held = await createLaterAnswers(file).opened(() => load(() => remoteSource(url, file, () => {})));
    return { ...held, close };
  } catch (error) {
    close();
    throw error;
  }
}

function heldToQuery({ name, description, store, segments, file, fills, close }: LoadedFilter): Held {
  const remote = file !== undefined && isRemote(file) ? file : undefined;
  return { name, description, filter: store, segments, writable: false, fills, remote, close };
}

function heldToChange({ name, description, segments, fills, close }: ChangeableFilter): Held {
  if (segments === undefined) {
    close();
    throw new BloomError(
      'format',
      `${name} is a filter of ${description.format.system}, which this library can only query`,
      'add keys with the command bloom add',
    );
  }
  return { name, description, filter: segments, segments, writable: true, fills, close };
}

/** What options state about a file. Throws a `usage` error for unknown names: callers may be untyped. */
function openingOf({ format, column, keyType: stated, keyHash, hashed, timeout }: OpenOptions): Opening {
  const keyType = KEY_TYPE_NAMES.find((name) => name === stated);
  if (stated !== undefined && keyType === undefined)
    throw new BloomError('usage', `there is no key type ${stated}`, `known: ${KEY_TYPE_NAMES.join(', ')}`);
  if (format !== undefined && !formatNames('query').includes(format))
    throw new BloomError('usage', `there is no format ${format}`, `known: ${formatNames('query').join(', ')}`);
  return { format, column, keyType, keyHash: keyHashOf(keyHash), areHashed: hashed, timeout };
}
