import { createHash } from 'node:crypto';
import { type CacheFolder, UNFINISHED } from '../cache-folder.ts';
import type { FileVersion } from './answers.ts';

/** Bytes of a file from a position on. */
export interface CopiedPiece {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** What of a version of a file is read each time. */
export interface Copy {
  readonly version: FileVersion;
  readonly pieces: readonly CopiedPiece[];
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
 * bytes; a line of JSON with the version, and position and length of each piece; and the pieces. That checksum shows damage; only
 * the folder, in which nobody else can write, keeps others from putting a copy there that calls members absent.
 */
export function copiesIn(folder: CacheFolder | undefined, url: string, limit = FOLDER_LIMIT): Copies {
  if (folder === undefined) return { find: () => undefined, keep() {}, drop() {} };
  const name = `${digestOf(Buffer.from(url)).toString('hex')}.copy`;
  return {
    find() {
      const file = folder.read(name);
      const copy = file && decode(file);
      if (copy !== undefined) folder.touch(name);
      return copy;
    },
    keep(copy) {
      const bytes = encode(copy);
      if (bytes.length > COPY_LIMIT) return;
      folder.keep(name, [bytes]);
      makeRoom(folder, limit);
    },
    drop: () => folder.remove(name),
  };
}

/** The bytes from one to before another, if one piece has them all. */
export function pieceWith(pieces: readonly CopiedPiece[], from: number, to: number): Uint8Array | undefined {
  const piece = pieces.find(({ position, bytes }) => position <= from && to <= position + bytes.length);
  return piece?.bytes.subarray(from - piece.position, to - piece.position);
}

/** The names of copies, and of those that are being written, also of releases before. */
const OURS = new RegExp(`^[0-9a-f]{64}\\.copy${UNFINISHED}$|^[0-9a-f]{16}\\.part$`);
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
  const said: { version: FileVersion; places: [number, number][] } = JSON.parse(content.subarray(0, end).toString());
  let at = end + 1;
  const pieces = said.places.map(([position, length]) => {
    const bytes = content.subarray(at, at + length);
    at += length;
    return { position, bytes };
  });
  return { version: said.version, pieces };
}

/** Removes what was used least lately until the rest has not more bytes than that. */
function makeRoom(folder: CacheFolder, limit: number): void {
  let total = 0;
  for (const { name, bytes } of folder.files(OURS).toSorted((a, b) => b.used - a.used)) {
    total += bytes;
    if (total > limit) folder.remove(name);
  }
}
