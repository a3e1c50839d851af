import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Bytes per line, including its end. */
export const LINE_BYTES = 26;

const LINES_AT_ONCE = 10_000;

/** Digits of a number, some of which are not 0. */
const DIGITS = 10;
const ZERO = 48;

/**
 * Writes lines: a tag of three letters, a scrambled number and the number itself. `tagOf` selects the tag. `numberOf` selects the
 * number, by default that of the line, so that lines are distinct.
 */
export function writeLines(
  file: string,
  lines: number,
  tagOf: (line: number) => string,
  numberOf: (line: number) => number = (line) => line,
): void {
  const fd = openSync(file, 'w');
  const chunk = Buffer.alloc(LINE_BYTES * LINES_AT_ONCE);
  for (let i = 0; i < lines; ) {
    let end = 0;
    for (; end < chunk.length && i < lines; i++) {
      const number = numberOf(i);
      const scrambled = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
      end += chunk.write(`${tagOf(i)}${scrambled}-${String(number).padStart(13, '0')}\n`, end, 'latin1');
    }
    writeSync(fd, chunk, 0, end);
  }
  closeSync(fd);
}

/** The numbers of such lines, in order. */
export function* numbersIn(file: string): Generator<number> {
  const fd = openSync(file, 'r');
  const chunk = Buffer.alloc(LINE_BYTES * LINES_AT_ONCE);
  try {
    for (let bytes = readSync(fd, chunk); bytes > 0; bytes = readSync(fd, chunk)) {
      for (let end = LINE_BYTES - 1; end < bytes; end += LINE_BYTES) {
        let number = 0;
        for (let at = end - DIGITS; at < end; at++) number = 10 * number + (chunk[at] ?? 0) - ZERO;
        yield number;
      }
    }
  } finally {
    closeSync(fd);
  }
}
