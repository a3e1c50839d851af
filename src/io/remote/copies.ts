import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../random.ts';
import type { Version } from './answers.ts';

/** Bytes of a file from a position on. */
export interface Piece {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** What of a version of a file is read each time. */
export interface Copy {
  readonly version: Version;
  readonly pieces: readonly Piece[];
}

/** The copy of a file in the user's cache folder. It is no loss if there is none, or none can be kept. */
export interface Copies {
  find(): Copy | undefined;
  keep(copy: Copy): void;
  drop(): void;
}

/** Bytes of one copy, and of all in the folder: the copies that nobody has used for longest go first. */
const COPY_LIMIT = 2 ** 26;
const FOLDER_LIMIT = 2 ** 28;

/**
 * The copies of a URL in a folder. Each is a file of its own, with the name SHA-256 of the URL: the SHA-256 of what follows, in 32
 * bytes; a line of JSON with the version, and position and length of each piece; and the pieces.
 */
export function copiesIn(folder: string | undefined, url: string, limit = FOLDER_LIMIT): Copies {
  if (folder === undefined) return { find: () => undefined, keep() {}, drop() {} };
  const file = join(folder, `${digestOf(Buffer.from(url)).toString('hex')}${ENDING}`);
  return {
    find: () =>
      orNothing(() => {
        const copy = decode(readFileSync(file));
        const now = new Date();
        utimesSync(file, now, now);
        return copy;
      }),
    keep(copy) {
      orNothing(() => {
        const bytes = encode(copy);
        if (bytes.length > COPY_LIMIT) return;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const temporary = join(folder, `${randomHex(8)}.part`);
        try {
          writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
          renameSync(temporary, file);
        } finally {
          rmSync(temporary, { force: true });
        }
        makeRoom(folder, limit);
      });
    },
    drop: () => orNothing(() => rmSync(file, { force: true })),
  };
}

/** The bytes from one to before another, if one piece has them all. */
export function pieceWith(pieces: readonly Piece[], from: number, to: number): Uint8Array | undefined {
  const piece = pieces.find(({ position, bytes }) => position <= from && to <= position + bytes.length);
  return piece?.bytes.subarray(from - piece.position, to - piece.position);
}

const ENDING = '.copy';
const DIGEST_BYTES = 32;
const LINE_END = 0x0a;

function digestOf(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function encode({ version, pieces }: Copy): Uint8Array {
  const places = pieces.map(({ position, bytes }) => [position, bytes.length]);
  const parts = [Buffer.from(`${JSON.stringify({ version, places })}\n`), ...pieces.map(({ bytes }) => bytes)];
  return Buffer.concat([digestOf(...parts), ...parts]);
}

/** The copy in a file; undefined if it is not what it was. */
function decode(file: Buffer): Copy | undefined {
  const content = file.subarray(DIGEST_BYTES);
  if (!digestOf(content).equals(file.subarray(0, DIGEST_BYTES))) return undefined;
  const end = content.indexOf(LINE_END);
  const said: { version: Version; places: [number, number][] } = JSON.parse(content.subarray(0, end).toString());
  let at = end + 1;
  const pieces = said.places.map(([position, length]) => {
    const bytes = content.subarray(at, at + length);
    at += length;
    return { position, bytes };
  });
  return { version: said.version, pieces };
}

/** Removes what was used least lately until the rest has not more bytes than that. */
function makeRoom(folder: string, limit: number): void {
  const copies = readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ file, bytes: stat.size, used: stat.mtimeMs }];
  });
  let bytes = 0;
  for (const copy of copies.sort((a, b) => b.used - a.used)) {
    bytes += copy.bytes;
    if (bytes > limit) rmSync(copy.file, { force: true });
  }
}

/** What some work gives; nothing where the system does not let us, or the file is not ours. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
