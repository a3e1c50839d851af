import { fileURLToPath } from 'node:url';
import { BloomError, valueType } from '../errors.ts';

/**
 * The name of a file for the engine. The URL of a server is kept, and "-" is a file here, not the standard input. Throws a `usage` error
 * with the given hint for an invalid name.
 */
export function nameOfFile(file: string | URL, hint?: string): string {
  if (file instanceof URL) return file.protocol === 'file:' ? fileURLToPath(file) : file.href;
  if (typeof file !== 'string')
    throw new BloomError('usage', `a file must be a name or a URL, not ${valueType(file)}`, hint);
  return file === '-' ? './-' : file;
}
