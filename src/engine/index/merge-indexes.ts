import { BloomError } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { openTemporaryFile } from '../../io/temporary-file.ts';
import { copySignatures } from './copy-signatures.ts';
import type { FileIndex } from './open-index.ts';
import { arrange, type SignedFile, type UnwrittenIndex } from './write-index.ts';

/** The files of several indexes, ready to be written as one. */
export interface MergedIndexes extends UnwrittenIndex {
  /** Removes the temporary file. */
  close(): void;
}

/** Throws `mismatch` errors for indexes that differ in more than their files, or have a file in common. */
export function mergeIndexes(indexes: readonly FileIndex[]): MergedIndexes {
  const [first, ...others] = indexes;
  if (first === undefined) throw new Error('there is no index to merge');
  for (const other of others) requireLike(first, other);
  const into = openTemporaryFile('signatures');
  try {
    const signed: SignedFile[] = [];
    const owners = new Map<string, FileIndex>();
    for (const index of indexes) {
      const positions = new Map<string, number>();
      for (let i = 0; i < index.header.files; i++) {
        const { name } = index.file(i);
        requireNew(name, owners.get(name), index);
        owners.set(name, index);
        positions.set(name, signed.length + i);
      }
      copySignatures(
        index,
        () => true,
        into,
        (file) => {
          signed[positions.get(file.name) ?? 0] = file;
        },
      );
    }
    return { ...arrange(first.header, signed), close: into.close };
  } catch (error) {
    into.close();
    throw error;
  }
}

/** What must be equal, with the flag that states it. */
const COMMON = [
  ['-p', ({ header }: FileIndex) => header.targetFpr],
  ['--hash', ({ header }: FileIndex) => header.rules.hash],
  ['--seed', ({ header }: FileIndex) => header.rules.seed],
  ['--ignore-case', ({ header }: FileIndex) => header.rules.ignoreCase],
  ['--trim', ({ header }: FileIndex) => header.rules.trim],
  ['--checksum', ({ header }: FileIndex) => header.hasChecksums],
  ['hash functions', ({ header }: FileIndex) => header.k],
] as const;

function requireLike(first: FileIndex, other: FileIndex): void {
  const names = `${displayName(first.name)} and ${displayName(other.name)}`;
  const differing = COMMON.filter(([, property]) => property(first) !== property(other)).map(
    ([flag, property]) => `${flag} (${property(first)} and ${property(other)})`,
  );
  if (differing.length > 0) {
    throw new BloomError(
      'mismatch',
      `${names} do not fit together: they differ in ${differing.join(', ')}`,
      'make them again with the same flags',
    );
  }
  if (first.header.selectionChecksum !== other.header.selectionChecksum) {
    throw new BloomError(
      'mismatch',
      `${names} do not fit together: their keys were chosen by different flags, such as --tokens or -f`,
      'make them again with the same flags',
    );
  }
}

function requireNew(file: string, owner: FileIndex | undefined, index: FileIndex): void {
  if (owner === undefined) return;
  throw new BloomError(
    'mismatch',
    `${displayName(owner.name)} and ${displayName(index.name)} both have a file ${displayName(file)}`,
    'make one of them again with other names, such as from another folder',
  );
}
