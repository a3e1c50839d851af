import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Content, cannotRead } from '../errors.ts';
import { displayName, lookAt } from './look.ts';
import { type ByteSource, openSource } from './source.ts';

/**
 * A regular file that is read in order, and open only while it is: a process may have a thousand files open, and there may
 * be more to read side by side. Anything else stays open, as it can be read only once. Throws what `cannotRead` makes, also
 * if the name means another file by and by.
 */
export function openBriefly(name: string, content: Content): ByteSource {
  const first = lookAt(name);
  if (name === '-' || !first?.isFile()) return openSource(name, content);
  let position = 0;
  const read = (into: Uint8Array): number => {
    try {
      const fd = openSync(name, 'r');
      try {
        const { dev, ino } = fstatSync(fd);
        if (dev !== first.dev || ino !== first.ino) throw new Error('it was replaced meanwhile');
        const bytes = readSync(fd, into, 0, into.length, position);
        position += bytes;
        return bytes;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      throw cannotRead(content, displayName(name), error);
    }
  };
  return { name, size: first.size, read, wait: async (into) => read(into), close() {} };
}
