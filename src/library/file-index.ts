import { openIndex as openEngineIndex } from '../engine/index/open-index.ts';
import { createKeyDigests } from '../engine/input/given-keys.ts';
import { BloomError } from '../errors.ts';
import { isUrl } from '../io/look.ts';
import type { RemoteOptions, ServerFile } from '../io/remote/open-remote.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { serverOptionsOf } from './checks.ts';
import { nameOfFile } from './file-name.ts';
import type { Key } from './filter.ts';
import { requireKnown } from './known-options.ts';
import type { OpenOptions } from './options.ts';

/** An index of files, which `bloom index` makes. */
export interface IndexOfFiles {
  /** The names of all files, in the order in which `bloom index` found them. */
  readonly files: readonly string[];
  /**
   * Returns the names of the files that may have a key. A file that has the key is always among them. Another file is among them with the
   * false-positive rate of the index.
   *
   * Throws a `BloomError` of code `format` if a part of the index that it reads is damaged.
   */
  filesWith(key: Key): string[];
  /** The same while the program does other work, if the index is on a server. */
  filesWithAsync(key: Key): Promise<string[]>;
  /** Closes the file. */
  close(): void;
}

/**
 * Opens an index of files by its name or URL. A look-up reads a few kilobytes of the index, and verifies them. If the index is on a server,
 * it requests them all at once. The options are for a server.
 *
 * Rejects with a `BloomError`:
 *
 * - `usage`: options are unknown or not valid;
 * - `input`: the file cannot be read;
 * - `format`: it is not an index, or is damaged.
 *
 * @example
 * import { openIndex } from 'bloomery';
 *
 * const index = await openIndex('lists.index');
 * console.log(index.filesWith('libexpat1:amd64')); // [ 'packages.txt' ]
 * index.close();
 */
export async function openIndex(
  source: string | URL,
  options: Pick<OpenOptions, 'timeout' | 'headers'> = {},
): Promise<IndexOfFiles> {
  requireKnown('openIndex', options);
  const kernel = loadKernel();
  const name = nameOfFile(source);
  const ofServer = serverOptionsOf(isUrl(name) ? name : undefined, options);
  const opened = isUrl(name) ? await openAt(name, ofServer) : undefined;
  const index = await openEngineIndex(name, kernel, opened);
  const keys = createKeyDigests(kernel, index.header.rules);
  const all = Array.from({ length: index.header.files }, (_, i) => i);
  const files = await index.fetchFiles(all).then(() => all.map((i) => index.file(i).name));
  let isOpen = true;
  const requireOpen = () => {
    if (!isOpen) throw new BloomError('usage', `${index.name} was closed`, 'open it again');
  };
  const digestOf = (key: Key): Uint8Array => {
    requireOpen();
    keys.digestOne(key);
    return kernel.bytes(keys.one.address, 8).slice();
  };
  const namesOf = ([found = []]: number[][]) => found.map((i) => files[i] ?? '');
  return {
    files,
    filesWith: (key) => namesOf(index.find(digestOf(key))),
    async filesWithAsync(key) {
      const found = await index.findLater(digestOf(key)).finally(requireOpen);
      return namesOf(found);
    },
    close() {
      if (isOpen) index.close();
      isOpen = false;
    },
  };
}

async function openAt(url: string, options: Pick<RemoteOptions, 'timeout' | 'headers'>): Promise<ServerFile> {
  const { openRemote } = await import('../io/remote/open-remote.ts');
  return openRemote(url, { ...options, trustsCopy: false });
}
