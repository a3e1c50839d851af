// The commands after the database of an append-only file: arrays of bulk strings of RESP, and lines with remarks,
// which begin with #.

import { damaged } from '../../errors.ts';
import type { Tape } from './tape.ts';

/** The filters that a command may change. */
export interface Watched {
  readonly keys: readonly Uint8Array[];
  /** The user named no key, so there must be no other filter. */
  readonly isOnly: boolean;
}

/** Commands that may change keys without naming them. */
const OF_ANY_KEY = /^(FLUSHALL|FLUSHDB|SWAPDB|EVAL|FCALL)/;
const OF_FILTERS = /^(BF|CF)\./;

/** The largest length of the name of a command, and of a line. */
const NAME_LIMIT = 64;
const LINE_LIMIT = 64;

/**
 * The first command that may change one of the filters, from the position of a tape to the end of its file. Undefined
 * if there is none. Throws a `format` error if the bytes are not commands.
 */
export function firstChange(tape: Tape, size: number, name: string, { keys, isOnly }: Watched): string | undefined {
  while (tape.position() < size) {
    const line = readLine(tape, name);
    if (line.startsWith('#')) continue;
    const count = numberIn(line, '*', name);
    let command = '';
    let isNamed = false;
    for (let i = 0; i < count; i++) {
      const length = numberIn(readLine(tape, name), '$', name);
      const isRead = i === 0 ? length <= NAME_LIMIT : keys.some((key) => key.length === length);
      const text = isRead ? Buffer.from(tape.take(length)) : undefined;
      if (text === undefined) tape.skip(length);
      else if (i === 0) command = text.toString('latin1').toUpperCase();
      else isNamed ||= keys.some((key) => text.equals(key));
      if (readLine(tape, name) !== '') throw notCommands(name);
    }
    if (isNamed || OF_ANY_KEY.test(command) || (isOnly && OF_FILTERS.test(command))) return command;
  }
  return undefined;
}

/** The next line without its end. */
function readLine(tape: Tape, name: string): string {
  let line = '';
  while (!line.endsWith('\r\n')) {
    if (line.length === LINE_LIMIT) throw notCommands(name);
    line += String.fromCharCode(tape.byte());
  }
  return line.slice(0, -2);
}

function numberIn(line: string, sign: string, name: string): number {
  if (!/^.\d{1,15}$/.test(line) || !line.startsWith(sign)) throw notCommands(name);
  return Number(line.slice(1));
}

const notCommands = (name: string) => damaged(name, 'the bytes after its database are not commands');
