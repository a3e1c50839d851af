// The commands that restore a filter, shown here one per line:
//
//   BF.LOADCHUNK key 1 header
//   BF.LOADCHUNK key n bits
//
// n is 1 plus the number of bytes of bits up to the end of this command, as in BF.SCANDUMP. The commands are arrays of bulk strings of
// RESP, the protocol of Redis: `*4`, and for each string `$` and its length, and the string; every line ends with CR LF.
// `SELECT 0` may precede them: an append-only file begins with it.

import { BloomError, damaged } from '../../errors.ts';
import type { Cursor } from '../../io/cursor.ts';
import { COMMANDS_BEGIN, SELECT_BEGIN } from './containers.ts';
import { decodeHeader, HEADER_LIMIT } from './header.ts';
import type { Links } from './links.ts';

/** The end of a line and of a command. */
export const LINE_END = Buffer.from('\r\n');

/** The command that selects a database. Empty if none is selected. */
export function selection(database: string | undefined): Uint8Array {
  return Buffer.from(database === undefined ? '' : `${SELECT_BEGIN}$${database.length}\r\n${database}\r\n`);
}

/** A command without its last string, which has this many bytes. */
export function commandBefore(key: Uint8Array, iterator: number, bytes: number): Uint8Array {
  const digits = String(iterator);
  const rest = `\r\n$${digits.length}\r\n${digits}\r\n$${bytes}\r\n`;
  return Buffer.concat([Buffer.from(`${COMMANDS_BEGIN}$${key.length}\r\n`), key, Buffer.from(rest)]);
}

/** The largest length of a name, and of a line of RESP. */
const NAME_LIMIT = 2 ** 20;
const LINE_LIMIT = 32;

/** The header of a filter, and its bits in the commands that follow. */
export interface Chunks {
  readonly links: Links;
  /** The key under which the filter is restored. */
  readonly key: Uint8Array;
  /** The database, if a command selects it. */
  readonly database: string | undefined;
  /**
   * Begins the next chunk, which has bits of one array. The cursor is then at its first byte. Returns the number of its
   * bytes.
   */
  begin(): Promise<number>;
  /** Ends a chunk. */
  end(): Promise<void>;
  /** Requires that nothing follows the last chunk. */
  finish(): Promise<void>;
}

/** Reads the first command. All functions throw a `format` error for unexpected content. */
export async function readCommands(cursor: Cursor, name: string): Promise<Chunks> {
  const first = await readCommand(cursor, name);
  if (first === undefined)
    throw new BloomError('format', `${name} has no filter of RedisBloom`, 'its only command selects a database');
  if (first.iterator !== '1' || first.length > HEADER_LIMIT) throw damaged(name, 'its first command has no header');
  const links = decodeHeader(viewOf(await take(cursor, name, first.length)), name);
  await endLine(cursor, name);
  const lengths = links.links.map(({ bytes }) => bytes);
  let link = 0;
  let inLink = 0;
  let bytesBefore = 0;
  const isSame = ({ key, database = first.database }: Command) => key === first.key && database === first.database;
  return {
    links,
    key: Buffer.from(first.key, 'latin1'),
    database: first.database,
    async begin() {
      const command = await readCommand(cursor, name);
      if (command === undefined) throw damaged(name, 'it ends within its bits');
      const { iterator, length } = command;
      if (!isSame(command)) throw several(name);
      inLink += length;
      bytesBefore += length;
      if (length === 0 || inLink > (lengths[link] ?? 0) || iterator !== String(1 + bytesBefore))
        throw damaged(name, `its commands are out of order after ${bytesBefore - length} bytes of its bits`);
      if (inLink === lengths[link]) [link, inLink] = [link + 1, 0];
      return length;
    },
    end: () => endLine(cursor, name),
    async finish() {
      const command = await readCommand(cursor, name);
      if (command !== undefined)
        throw isSame(command) ? damaged(name, 'it has more bytes after its end') : several(name);
    },
  };
}

/** A command whose last string has not been read. */
interface Command {
  /** The database that a command before it selected, if any. */
  readonly database: string | undefined;
  readonly key: string;
  readonly iterator: string;
  /** Bytes of its last string. */
  readonly length: number;
}

/** The next command. Undefined at the end. */
async function readCommand(cursor: Cursor, name: string): Promise<Command | undefined> {
  const next = async (length: number) => Buffer.from(await cursor.take(length)).toString('latin1');
  let database: string | undefined;
  let start = await next(SELECT_BEGIN.length);
  while (start.toUpperCase() === SELECT_BEGIN) {
    database = await readString(cursor, name);
    if (!/^\d{1,9}$/.test(database)) throw damaged(name, 'it selects a database without a number');
    start = await next(SELECT_BEGIN.length);
  }
  if (start === '') return undefined;
  start += await next(COMMANDS_BEGIN.length - SELECT_BEGIN.length);
  if (start.toUpperCase() !== COMMANDS_BEGIN) throw otherCommand(name, start);
  const [key, iterator] = [await readString(cursor, name), await readString(cursor, name)];
  return { database, key, iterator, length: await readLength(cursor, name) };
}

async function readString(cursor: Cursor, name: string): Promise<string> {
  const length = await readLength(cursor, name);
  if (length > NAME_LIMIT) throw damaged(name, 'one of its commands has no name');
  const bytes = await take(cursor, name, length);
  await endLine(cursor, name);
  return Buffer.from(bytes).toString('latin1');
}

/** The length of a string, which is on a line of its own. */
async function readLength(cursor: Cursor, name: string): Promise<number> {
  let line = '';
  while (!line.endsWith('\r\n') && line.length < LINE_LIMIT)
    line += String.fromCharCode(...(await take(cursor, name, 1)));
  const [, digits] = /^\$(\d{1,15})\r\n$/.exec(line) ?? [];
  if (digits === undefined) throw damaged(name, 'one of its commands does not state the length of a string');
  return Number(digits);
}

async function endLine(cursor: Cursor, name: string): Promise<void> {
  const [first, second] = await take(cursor, name, 2);
  if (first !== 0x0d || second !== 0x0a) throw damaged(name, 'one of its commands has a wrong length');
}

async function take(cursor: Cursor, name: string, length: number): Promise<Uint8Array> {
  const bytes = await cursor.take(length);
  if (bytes.length < length) throw damaged(name, 'it ends within a command');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The name of another command in an append-only file, in its first string. */
const COMMAND = /^\*\d+\r\n\$\d+\r\n([A-Za-z.|_-]+)/;

/** The error for bytes that do not begin a command that loads a filter. */
function otherCommand(name: string, start: string): BloomError {
  const [, command] = COMMAND.exec(start) ?? [];
  if (command === undefined) return damaged(name, 'it has content other than commands');
  return new BloomError(
    'format',
    `${name} has commands that do not load a filter, such as ${command.toUpperCase()}`,
    'write the filter to a file with redis-cli --raw DUMP KEY > FILE, and use that',
  );
}

function several(name: string): BloomError {
  return new BloomError(
    'format',
    `${name} has several filters`,
    'store the commands of each filter in a file of its own',
  );
}
