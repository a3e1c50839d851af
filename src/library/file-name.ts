import { fileURLToPath } from 'node:url';

/** The name of a file, as the engine takes it: a URL of a server stays one, and "-" is a file here, not the standard input. */
export function nameOfFile(file: string | URL): string {
  if (file instanceof URL) return file.protocol === 'file:' ? fileURLToPath(file) : file.href;
  return file === '-' ? './-' : file;
}
