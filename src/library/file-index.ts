import { openIndex as openEngineIndex } from '../engine/index/open-index.ts';
import { createKeyDigests } from '../engine/input/given-keys.ts';
import { BloomError } from '../errors.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { nameOfFile } from './file-name.ts';
import type { Key } from './filter.ts';

/** An index of files, which `bloom index` makes. */
export interface IndexOfFiles {
  /** The names of all files, in the order in which `bloom index` found them. */
  readonly files: readonly string[];
  /**
   * Returns the names of the files that may have a key. A file that has the key is always among them. Others are among them with the rate
   * of the index.
   *
   * Throws a `BloomError` of code `format` if a part of the index that it reads is damaged.
   */
  filesWith(key: Key): string[];
  /** Closes the file. */
  close(): void;
}

/**
 * Opens an index of files by its name. A look-up reads a few kilobytes of the index, and verifies them.
 *
 * Rejects with a `BloomError`:
 *
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
export async function openIndex(source: string | URL): Promise<IndexOfFiles> {
  const kernel = loadKernel();
  const index = await openEngineIndex(nameOfFile(source), kernel);
  const keys = createKeyDigests(kernel, index.header.rules);
  const files = Array.from({ length: index.header.files }, (_, i) => index.file(i).name);
  let isOpen = true;
  return {
    files,
    filesWith(key) {
      if (!isOpen) throw new BloomError('usage', `${index.name} was closed`, 'open it again');
      keys.digestOne(key);
      const [found = []] = index.find(kernel.bytes(keys.one.address, 8).slice());
      return found.map((i) => files[i] ?? '');
    },
    close() {
      if (isOpen) index.close();
      isOpen = false;
    },
  };
}
