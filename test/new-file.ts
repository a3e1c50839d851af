import { rmSync, writeFileSync } from 'node:fs';

/** Writes a file, and deletes an old one first. A disk creates a file in a tenth of the time that it needs to empty one. */
export function writeNewFile(name: string, content: string | Uint8Array, encoding?: BufferEncoding): void {
  rmSync(name, { force: true });
  writeFileSync(name, content, encoding);
}
