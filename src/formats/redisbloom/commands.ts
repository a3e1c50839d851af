// The commands that restore a filter, one a line here:
//
//   BF.LOADCHUNK key 1 header
//   BF.LOADCHUNK key n bits
//
// where n is 1 more than the bytes of all bits up to the last of these, as BF.SCANDUMP has it. They are arrays of bulk strings of
// RESP, the protocol of Redis: `*4`, and for each string `$` and its length, and the string; every line ends with CR LF.
// `SELECT 0` may stand before them: an append-only file begins so.

import { BloomError, damaged } from '../../errors.ts';
import type { Cursor } from '../../io/cursor.ts';
import { COMMANDS_BEGIN, SELECT_BEGIN } from './containers.ts';
import { decodeHeader, HEADER_LIMIT } from './header.ts';
import type { Links } from './links.ts';

/** The end of a line, and so of a command. */
export const LINE_END = Buffer.from('\r\n');

/** What selects a database; nothing where none is. */
export function selection(database: string | undefined): Uint8Array {
  return Buffer.from(database === undefined ? '' : `${SELECT_BEGIN}$${database.length}\r\n${database}\r\n`);
}

/** A command up to its last string, of so many bytes. */
export function commandBefore(key: Uint8Array, iterator: number, bytes: number): Uint8Array {
  const digits = String(iterator);
  const rest = `\r\n$${digits.length}\r\n${digits}\r\n$${bytes}\r\n`;
  return Buffer.concat([Buffer.from(`${COMMANDS_BEGIN}$${key.length}\r\n`), key, Buffer.from(rest)]);
}

/** Bytes that a name, and a line of RESP, may have. */
const NAME_LIMIT = 2 ** 20;
const LINE_LIMIT = 32;

/** The header of a filter, and its bits as the commands that follow have them. */
export interface Chunks {
  readonly links: Links;
  /** Under which the filter is restored. */
  readonly key: Uint8Array;
  /** The database in which it is, where one is selected. */
  readonly database: string | undefined;
  /** Begins the next chunk, which is of one array: the cursor stands at its first byte. Returns its bytes. */
  begin(): Promise<number>;
  /** Ends it. */
  end(): Promise<void>;
  /** Sees to it that nothing follows the last one. */
  finish(): Promise<void>;
}

/** Reads the first command. All of this throws a `format` error for what is not as it should be. */
export async function readCommands(cursor: Cursor, name: string): Promise<Chunks> {
  const first = await readCommand(cursor, name);
  if (first === undefined)
    throw new BloomError('format', `${name} has no filter of RedisBloom`, 'all that it does is select a database');
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
        throw damaged(name, `its commands do not follow each other, from ${bytesBefore - length} bytes of its bits on`);
      if (inLink === lengths[link]) [link, inLink] = [link + 1, 0];
      return length;
    },
    end: () => endLine(cursor, name),
    async finish() {
      const command = await readCommand(cursor, name);
      if (command !== undefined) throw isSame(command) ? damaged(name, 'more bytes follow its end') : several(name);
    },
  };
}

/** A command of which all but the last string was read. */
interface Command {
  /** The database that was selected just before it, if one was. */
  readonly database: string | undefined;
  readonly key: string;
  readonly iterator: string;
  /** Bytes of its last string. */
  readonly length: number;
}

/** The next command; undefined at the end. */
async function readCommand(cursor: Cursor, name: string): Promise<Command | undefined> {
  const next = async (length: number) => Buffer.from(await cursor.take(length)).toString('latin1');
  let database: string | undefined;
  let start = await next(SELECT_BEGIN.length);
  while (start.toUpperCase() === SELECT_BEGIN) {
    database = await readString(cursor, name);
    if (!/^\d{1,9}$/.test(database)) throw damaged(name, 'it selects a database that has no number');
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
  if (length > NAME_LIMIT) throw damaged(name, 'a command of it has no name');
  const bytes = await take(cursor, name, length);
  await endLine(cursor, name);
  return Buffer.from(bytes).toString('latin1');
}

/** The length of a string, which is a line of its own. */
async function readLength(cursor: Cursor, name: string): Promise<number> {
  let line = '';
  while (!line.endsWith('\r\n') && line.length < LINE_LIMIT)
    line += String.fromCharCode(...(await take(cursor, name, 1)));
  const [, digits] = /^\$(\d{1,15})\r\n$/.exec(line) ?? [];
  if (digits === undefined) throw damaged(name, 'a command of it does not say how long its strings are');
  return Number(digits);
}

async function endLine(cursor: Cursor, name: string): Promise<void> {
  const [first, second] = await take(cursor, name, 2);
  if (first !== 0x0d || second !== 0x0a) throw damaged(name, 'a command of it is longer than it says');
}

async function take(cursor: Cursor, name: string, length: number): Promise<Uint8Array> {
  const bytes = await cursor.take(length);
  if (bytes.length < length) throw damaged(name, 'it ends within a command');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What an append-only file may have besides filters, by its first string. */
const COMMAND = /^\*\d+\r\n\$\d+\r\n([A-Za-z.|_-]+)/;

/** The error for what is not a command that loads a filter, by its first bytes. */
function otherCommand(name: string, start: string): BloomError {
  const [, command] = COMMAND.exec(start) ?? [];
  if (command === undefined) return damaged(name, 'it has something else than commands');
  return new BloomError(
    'format',
    `${name} has commands that do not load a filter, such as ${command.toUpperCase()}`,
    'give what redis-cli --raw DUMP prints of the key of a filter',
  );
}

function several(name: string): BloomError {
  return new BloomError('format', `${name} has several filters`, 'put the commands of each into a file of its own');
}
