import { BloomError, damaged } from '../../errors.ts';
import { HASH_NAMES, hashWithId, type OwnHashName, ownHashNamed } from '../../hashes/registry.ts';
import { K_LIMIT } from '../../sizing/bloom.ts';
import type { Checksum } from '../checksum.ts';
import type { CaseRule, KeyRules } from '../description.ts';
import { INDEX_MAGIC } from './file-index.ts';
import { PAGE_BYTES, pagedBytes } from './pages.ts';

/** The fields of the header of an index. */
export interface IndexHeader {
  readonly rules: KeyRules & { readonly hash: OwnHashName };
  /** Rows per key. */
  readonly k: number;
  readonly targetFpr: number;
  /** A checksum of the flags that select the keys of a record; 0 if they are unknown. */
  readonly selectionChecksum: bigint;
  /** Whether it has a checksum of the content of each file. */
  readonly hasChecksums: boolean;
  readonly files: number;
  readonly groups: number;
  /** Bytes of the rows of all groups. */
  readonly rowBytes: number;
  /** Bytes of the names of all files. */
  readonly nameBytes: number;
}

// The layout, little-endian (INDEX.md says the same for readers in other languages):
//
//   offset bytes field
//        0     8 magic: 89 42 4C 49 0D 0A 1A 0A
//        8     2 version, 1
//       10     2 header length, 128
//       12     2 hash id
//       14     2 flags: 1 ignore case, 2 trim, 4 ignore case of all letters, 8 checksums of files
//       16     4 hashes, k
//       20     4 bytes of a page, 4096
//       24     8 seed of the hash
//       32     8 target rate, p, as a double
//       40     8 files
//       48     8 groups
//       56     8 bytes of rows
//       64     8 bytes of names
//       72     8 checksum of the selection of keys, or 0
//       80    40 zeros
//      120     8 XXH64, seed 0, of bytes 0 to 119

export const INDEX_HEADER_BYTES = 128;
const CHECKED_BYTES = INDEX_HEADER_BYTES - 8;
const VERSION = 1;
const FLAGS = { ignoreCase: 1, trim: 2, unicodeCase: 4, checksums: 8 } as const;
const KNOWN_FLAGS = Object.values(FLAGS).reduce((all, flag) => all | flag, 0);
const BOTH_CASES = FLAGS.ignoreCase | FLAGS.unicodeCase;

function caseFlag(rule: CaseRule): number {
  if (rule === 'unicode') return FLAGS.unicodeCase;
  return rule ? FLAGS.ignoreCase : 0;
}

/** Bytes of the entry of a group, of a column and of a file. */
export const GROUP_BYTES = 24;
export const COLUMN_BYTES = 4;
export const FILE_BYTES = 40;
export const FILE_CHECKSUM_BYTES = 8;

/** The offsets of the sections of the content. */
export function sectionsOf({ rowBytes, groups, files, nameBytes, hasChecksums }: IndexHeader) {
  const columns = rowBytes + GROUP_BYTES * groups;
  const entries = columns + COLUMN_BYTES * files;
  const names = entries + FILE_BYTES * files;
  const checksums = names + nameBytes;
  const end = checksums + (hasChecksums ? FILE_CHECKSUM_BYTES * files : 0);
  return { groups: rowBytes, columns, entries, names, checksums, end };
}

/** Bytes of the file. */
export function indexBytes(header: IndexHeader): number {
  return INDEX_HEADER_BYTES + pagedBytes(sectionsOf(header).end);
}

export async function encodeIndexHeader(header: IndexHeader, checksum: Checksum): Promise<Uint8Array> {
  const { rules, k, targetFpr, selectionChecksum, files, groups, rowBytes, nameBytes } = header;
  const trim = rules.trim ? FLAGS.trim : 0;
  const checksums = header.hasChecksums ? FLAGS.checksums : 0;
  const bytes = new Uint8Array(INDEX_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(INDEX_MAGIC);
  view.setUint16(8, VERSION, true);
  view.setUint16(10, INDEX_HEADER_BYTES, true);
  view.setUint16(12, ownHashNamed(rules.hash).id, true);
  view.setUint16(14, caseFlag(rules.ignoreCase) | trim | checksums, true);
  view.setUint32(16, k, true);
  view.setUint32(20, PAGE_BYTES, true);
  view.setBigUint64(24, rules.seed, true);
  view.setFloat64(32, targetFpr, true);
  for (const [i, number] of [files, groups, rowBytes, nameBytes].entries())
    view.setBigUint64(40 + 8 * i, BigInt(number), true);
  view.setBigUint64(72, selectionChecksum, true);
  view.setBigUint64(CHECKED_BYTES, await checksum(bytes.subarray(0, CHECKED_BYTES)), true);
  return bytes;
}

/** The checksum of a header. It is the seed of the checksums of pages. */
export function indexChecksum(header: Uint8Array): bigint {
  return new DataView(header.buffer, header.byteOffset).getBigUint64(CHECKED_BYTES, true);
}

/** Throws a `format` error if the bytes are not a header, or if the header needs a newer bloom. */
export async function decodeIndexHeader(bytes: Uint8Array, name: string, checksum: Checksum): Promise<IndexHeader> {
  if (!INDEX_MAGIC.every((byte, i) => bytes[i] === byte))
    throw new BloomError('format', `${name} is not an index of files`, 'bloom index FILE... -o INDEX makes one');
  if (bytes.length < INDEX_HEADER_BYTES) throw damaged(name, 'it ends within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if ((await checksum(bytes.subarray(0, CHECKED_BYTES))) !== indexChecksum(bytes))
    throw damaged(name, 'its header does not match its checksum');
  const version = view.getUint16(8, true);
  if (version !== VERSION) throw newer(name, `version ${version} of the index`);
  const flags = view.getUint16(14, true);
  if ((flags & ~KNOWN_FLAGS) !== 0 || (flags & BOTH_CASES) === BOTH_CASES)
    throw newer(name, `flags 0x${flags.toString(16)}`);
  const hash = hashWithId(view.getUint16(12, true));
  if (hash === undefined)
    throw newer(name, `hash number ${view.getUint16(12, true)} (known: ${HASH_NAMES.join(', ')})`);
  const number = (offset: number): number => {
    const value = view.getBigUint64(offset, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged(name, `its header has an impossible number, ${value}`);
    return Number(value);
  };
  const header: IndexHeader = {
    rules: {
      hash: hash.name,
      seed: view.getBigUint64(24, true),
      ignoreCase: (flags & FLAGS.unicodeCase) !== 0 ? 'unicode' : (flags & FLAGS.ignoreCase) !== 0,
      trim: (flags & FLAGS.trim) !== 0,
    },
    k: view.getUint32(16, true),
    targetFpr: view.getFloat64(32, true),
    files: number(40),
    groups: number(48),
    rowBytes: number(56),
    nameBytes: number(64),
    selectionChecksum: view.getBigUint64(72, true),
    hasChecksums: (flags & FLAGS.checksums) !== 0,
  };
  const isPossible =
    view.getUint16(10, true) === INDEX_HEADER_BYTES &&
    view.getUint32(20, true) === PAGE_BYTES &&
    header.k >= 1 &&
    header.k <= K_LIMIT &&
    header.targetFpr > 0 &&
    header.targetFpr < 1 &&
    header.groups <= header.files &&
    Number.isSafeInteger(indexBytes(header));
  if (!isPossible) throw damaged(name, 'its header has impossible numbers');
  return header;
}

function newer(name: string, what: string): BloomError {
  return new BloomError('format', `${name} has ${what}, which this bloom does not know`, 'use a newer bloom');
}
