import { fstatSync, openSync, type Stats } from 'node:fs';
import { cannotRead, type FileRole } from '../errors.ts';
import { closeQuietly, readNow } from './descriptors.ts';
import { displayName, lookAt } from './look.ts';
import { type ByteSource, openSource } from './source.ts';

/**
 * Opens files that are read in order. Only one regular file is open at a time: the file of the last read. A process may
 * have only about a thousand open files, and more files may be read side by side. Every other source stays open,
 * because it can be read only once. Throws the errors of `cannotRead`, also if another file has taken the name
 * meanwhile.
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
    throw new Error('it was replaced while it was read');
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
