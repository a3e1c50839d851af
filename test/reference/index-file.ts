// A reader of index files after src/formats/index-file/INDEX.md. It reads a whole file, and throws if the file breaks the
// format.

import { xxh64 } from './xxh64.ts';

const MASK = 2n ** 64n - 1n;

export interface ReferenceIndex {
  readonly k: number;
  readonly targetFpr: number;
  readonly seed: bigint;
  readonly files: readonly ReferenceFile[];
  readonly groups: readonly { readonly rows: number; readonly files: readonly number[] }[];
  /** The names of the files that maybe contain the key of a digest, in the order of the files. */
  filesWith(digest: bigint): string[];
}

export interface ReferenceFile {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
  readonly keys: number;
  readonly ones: number;
  readonly checksum: bigint | undefined;
  readonly rows: number;
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

export function decodeIndex(bytes: Uint8Array): ReferenceIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = (at: number) => Number(view.getBigUint64(at, true));
  demand(Buffer.from(bytes.subarray(0, 8)).toString('hex') === '89424c490d0a1a0a', 'magic');
  demand(view.getUint16(8, true) === 1 && view.getUint16(10, true) === 128, 'version');
  demand(view.getUint32(20, true) === 4096, 'page');
  const header = view.getBigUint64(120, true);
  demand(xxh64(bytes.subarray(0, 120), 0n) === header, 'checksum of the header');
  const [files, groupCount, rowBytes, nameBytes] = [number(40), number(48), number(56), number(64)];
  const pieces: Uint8Array[] = [];
  for (let at = 128, page = 0n; at < bytes.length; at += 4096, page++) {
    const piece = bytes.subarray(at, at + 4096);
    const end = piece.length - 8;
    const stated = new DataView(piece.buffer, piece.byteOffset + end).getBigUint64(0, true);
    demand(xxh64(piece.subarray(0, end), (header + page) & MASK) === stated, `checksum of page ${page}`);
    pieces.push(piece.subarray(0, end));
  }
  const content = Buffer.concat(pieces);
  const hasChecksums = (view.getUint16(14, true) & 8) !== 0;
  const checksumsAt = rowBytes + 24 * groupCount + 44 * files + nameBytes;
  demand(content.length === checksumsAt + (hasChecksums ? 8 * files : 0), 'length');
  const columnsAt = rowBytes + 24 * groupCount;
  const filesAt = columnsAt + 4 * files;
  const namesAt = filesAt + 40 * files;
  const groups = Array.from({ length: groupCount }, (_, i) => {
    const at = rowBytes + 24 * i;
    const first = content.readUInt32LE(at + 20);
    const columns = Array.from({ length: content.readUInt32LE(at + 16) }, (_column, j) =>
      content.readUInt32LE(columnsAt + 4 * (first + j)),
    );
    return {
      start: Number(content.readBigUInt64LE(at)),
      rows: Number(content.readBigUInt64LE(at + 8)),
      files: columns,
    };
  });
  const rowsOf = new Map(groups.flatMap((group) => group.files.map((file) => [file, group.rows] as const)));
  let begin = 0;
  const entries = Array.from({ length: files }, (_, i): ReferenceFile => {
    const at = filesAt + 40 * i;
    const end = Number(content.readBigUInt64LE(at));
    const name = content.subarray(namesAt + begin, namesAt + end).toString();
    begin = end;
    return {
      name,
      size: Number(content.readBigUInt64LE(at + 8)),
      modified: content.readDoubleLE(at + 16),
      keys: Number(content.readBigUInt64LE(at + 24)),
      ones: Number(content.readBigUInt64LE(at + 32)),
      checksum: hasChecksums ? content.readBigUInt64LE(checksumsAt + 8 * i) : undefined,
      rows: rowsOf.get(i) ?? 0,
    };
  });
  const k = view.getUint32(16, true);
  return {
    ...{ k, targetFpr: view.getFloat64(32, true), seed: view.getBigUint64(24, true), files: entries, groups },
    filesWith(digest) {
      const found: number[] = [];
      for (const { start, rows, files: columns } of groups) {
        const at = referenceRows(digest, k, rows);
        for (const [column, file] of columns.entries()) {
          const has = (row: number) => {
            const bit = row * columns.length + column;
            return ((content[start + Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1;
          };
          if (at.every(has)) found.push(file);
        }
      }
      return found.sort((a, b) => a - b).map((file) => entries[file]?.name ?? '');
    },
  };
}

/** The rows of a digest. */
export function referenceRows(digest: bigint, k: number, rows: number): number[] {
  const start = digest === 0n ? 1n : digest;
  return Array.from({ length: k }, (_, i) => {
    let z = (start + BigInt(i + 1) * 0x9e3779b97f4a7c15n) & MASK;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    z ^= z >> 31n;
    return Number((z * BigInt(rows)) >> 64n);
  });
}
