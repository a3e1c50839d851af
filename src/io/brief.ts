import { fstatSync, openSync, type Stats } from 'node:fs';
import { cannotRead, type FileRole } from '../errors.ts';
import { closeQuietly, readNow } from './descriptors.ts';
import { displayName, lookAt } from './look.ts';
import { type ByteSource, openSource } from './source.ts';

/**
 * What opens regular files that are read in order, of which one is open at a time, that which was read last: a process may have a
 * thousand files open, and there may be more to read side by side. Anything else stays open, as it can be read only once. Throws
 * what `cannotRead` makes, also if a name means another file by and by.
 */
export function createBriefOpener(): (name: string, content: FileRole) => ByteSource {
  let opened: { readonly file: Stats; readonly fd: number } | undefined;
  const close = () => {
    if (opened !== undefined) closeQuietly(opened.fd);
    opened = undefined;
  };
  const descriptorOf = (name: string, file: Stats): number => {
    if (opened?.file === file) return opened.fd;
    close();
    const fd = openSync(name, 'r');
    opened = { file, fd };
    const { dev, ino } = fstatSync(fd);
    if (dev === file.dev && ino === file.ino) return fd;
    close();
    throw new Error('it was replaced meanwhile');
  };
  return (name, content) => {
    const file = lookAt(name);
    if (name === '-' || !file?.isFile()) return openSource(name, content);
    let position = 0;
    const read = (into: Uint8Array): number => {
      try {
        const bytes = readNow(descriptorOf(name, file), into, position);
        position += bytes;
        return bytes;
      } catch (error) {
        throw cannotRead(content, displayName(name), error);
      }
    };
    return {
      name,
      size: file.size,
      read,
      wait: async (into) => read(into),
      close() {
        if (opened?.file === file) close();
      },
    };
  };
}
