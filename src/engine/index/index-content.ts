import type { IndexHeader } from '../../formats/index-file/index-header.ts';
import { indexBytes } from '../../formats/index-file/index-header.ts';
import { signatureRate } from '../../sizing/signatures.ts';
import type { FileIndex } from './open-index.ts';

/** Files of an index, and the rates that their signatures have. */
export interface IndexedFiles {
  readonly files: number;
  readonly keys: number;
  readonly leastKeys: number;
  readonly mostKeys: number;
  readonly meanFpr: number;
  readonly highestFpr: number;
}

/** The files of a group. */
export interface GroupContent extends IndexedFiles {
  readonly rows: number;
}

/** What an index has. */
export interface IndexContent {
  readonly name: string;
  readonly header: IndexHeader;
  readonly bytes: number;
  readonly keys: number;
  /** Files that a query of an absent key names, on average. */
  readonly expectedFiles: number;
  readonly groups: readonly GroupContent[];
}

/** Reads the table of files. Throws `input` and `format` errors. */
export async function contentOfIndex(index: FileIndex): Promise<IndexContent> {
  const { name, header } = index;
  await index.fetchEntries();
  const groups = index.groups.map((group): GroupContent => {
    const known = index.filesOf(group).map((file) => {
      const { keys, ones } = index.entry(file);
      const rate = signatureRate(ones, group.rows, header.k);
      return { files: 1, keys, leastKeys: keys, mostKeys: keys, meanFpr: rate, highestFpr: rate };
    });
    return { rows: group.rows, ...together(known) };
  });
  return {
    ...{ name, header, groups, bytes: indexBytes(header) },
    keys: groups.reduce((sum, { keys }) => sum + keys, 0),
    expectedFiles: groups.reduce((sum, { files, meanFpr }) => sum + files * meanFpr, 0),
  };
}

/** The same of all of these files. */
export function together(all: readonly IndexedFiles[]): IndexedFiles {
  const files = all.reduce((sum, one) => sum + one.files, 0);
  return {
    files,
    keys: all.reduce((sum, one) => sum + one.keys, 0),
    leastKeys: all.reduce((least, one) => Math.min(least, one.leastKeys), Number.POSITIVE_INFINITY),
    mostKeys: all.reduce((most, one) => Math.max(most, one.mostKeys), 0),
    meanFpr: all.reduce((sum, one) => sum + one.files * one.meanFpr, 0) / files,
    highestFpr: all.reduce((highest, one) => Math.max(highest, one.highestFpr), 0),
  };
}
