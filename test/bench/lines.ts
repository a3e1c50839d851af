import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes of a line, with its end. */
export const LINE_BYTES = 26;

const LINES_AT_ONCE = 10_000;

/** Writes distinct lines: a tag of three letters, a scrambled number and the number itself. `tagOf` picks the tag. */
export function writeLines(file: string, lines: number, tagOf: (line: number) => string): void {
  const fd = openSync(file, 'w');
  const chunk = Buffer.alloc(LINE_BYTES * LINES_AT_ONCE);
  for (let i = 0; i < lines; ) {
    let end = 0;
    for (; end < chunk.length && i < lines; i++) {
      const scrambled = (Math.imul(i, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
      end += chunk.write(`${tagOf(i)}${scrambled}-${String(i).padStart(13, '0')}\n`, end, 'latin1');
    }
    writeSync(fd, chunk, 0, end);
  }
  closeSync(fd);
}
