import { createHash } from 'node:crypto';
import { type CacheFolder, UNFINISHED } from '../cache-folder.ts';
import type { FileVersion } from './answers.ts';

/** Bytes of a file from a position. */
export interface CopiedPiece {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The parts of a version of a file that each run reads. */
export interface Copy {
  readonly version: FileVersion;
  readonly pieces: readonly CopiedPiece[];
}

/**
 * The copy of one file in the user's cache folder. A missing copy does no harm, and neither does a copy that cannot be
 * kept.
 */
export interface Copies {
  find(): Copy | undefined;
  keep(copy: Copy): void;
  drop(): void;
}

/**
 * The most bytes of one copy, and of all copies in the folder. The copies that were not used for longest are removed
 * first.
 */
const COPY_LIMIT = 2 ** 26;
const FOLDER_LIMIT = 2 ** 28;

/**
 * The copy of the file at `url`, in a folder. The name of the copy is the SHA-256 of the URL without its signature. Its content:
 * 1. the SHA-256 of the rest, in 32 bytes;
 * 2. a line of JSON with the version, and position and length of each piece;
 * 3. the pieces.
 * The checksum shows damage. Only the rights to the folder keep other users from placing a copy that calls members
 * absent.
 */
export function copiesIn(folder: CacheFolder | undefined, url: string, limit = FOLDER_LIMIT): Copies {
  if (folder === undefined) return { find: () => undefined, keep() {}, drop() {} };
  const name = `${digestOf(Buffer.from(withoutSignature(url))).toString('hex')}.copy`;
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
      makeSpace(folder, limit);
    },
    drop: () => folder.remove(name),
  };
}

/** The bytes from `from` to before `to`, if one piece has all of them. */
export function pieceWith(pieces: readonly CopiedPiece[], from: number, to: number): Uint8Array | undefined {
  const piece = pieces.find(({ position, bytes }) => position <= from && to <= position + bytes.length);
  return piece?.bytes.subarray(from - piece.position, to - piece.position);
}

/**
 * Parameters of signed URLs. The first ones are those of Amazon S3, Google Cloud Storage and Alibaba Cloud OSS. The others belong to a
 * signature only if its own parameter is there: that of CloudFront and of earlier versions, and that of Azure (docs of each, 2026).
 */
const SIGNATURES: readonly { readonly if: RegExp; readonly names: RegExp }[] = [
  { if: /^/, names: /^x-(amz|goog|oss)-/i },
  {
    if: /^signature$/i,
    names: /^(signature|expires|policy|key-pair-id|awsaccesskeyid|googleaccessid|ossaccesskeyid)$/i,
  },
  { if: /^sig$/, names: /^(sv|ss|srt|sp|st|se|spr|sig|sr|sip|si|sdd|ses|skoid|sktid|skt|ske|sks|skv)$/ },
];

/** A URL without the parameters of its signature, so that each signature of a file names the same copy. */
function withoutSignature(url: string): string {
  const plain = new URL(url);
  const names = [...plain.searchParams.keys()];
  for (const signature of SIGNATURES) {
    if (!names.some((name) => signature.if.test(name))) continue;
    for (const name of names) if (signature.names.test(name)) plain.searchParams.delete(name);
  }
  plain.hash = '';
  return plain.href;
}

/** The names of copies and unfinished copies, those of earlier releases included. */
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

/** The copy in a file; undefined if the checksum does not match. */
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

/** Removes the least recently used copies until the rest has at most `limit` bytes. */
function makeSpace(folder: CacheFolder, limit: number): void {
  let total = 0;
  for (const { name, bytes } of folder.files(OURS).toSorted((a, b) => b.used - a.used)) {
    total += bytes;
    if (total > limit) folder.remove(name);
  }
}
