// What the tables of LevelDB and of RocksDB have in common: blocks, and a metaindex that says where those of filters are.

import { BloomError, Unfiltered } from '../../errors.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { ByteSource } from '../../io/source.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';
import { fileOf } from '../ranged-file.ts';
import { createBlockReader, type ReadBlock, type StoredBlock } from '../stored-blocks.ts';
import { type BlockHandle, cursorOf, entriesOf, handleAt } from './entries.ts';
import type { TableFooter } from './footer.ts';
import { type TableBlock, TRAILER_BYTES } from './table-block.ts';

/** A table that is open. */
export interface SortedTable {
  readonly file: PositionedFile;
  readonly footer: TableFooter;
  /** Handles of what is no data, by their names. */
  readonly meta: ReadonlyMap<string, BlockHandle>;
  readonly read: ReadBlock;
  /** A block that has what the table calls so. */
  block(handle: BlockHandle, label: string): StoredBlock & { readonly wrapping: TableBlock };
}

/** Opens a table. Throws `input` errors, and a `format` error for what is none, and for what can only be read in order. */
export function openTable(
  source: ByteSource,
  system: string,
  readFooter: (file: PositionedFile, kernel: Kernel) => TableFooter,
  kernel: Kernel = loadKernel(),
): SortedTable {
  const file = fileOf(source, system);
  const footer = readFooter(file, kernel);
  const read = createBlockReader(file, kernel);
  const block = ({ offset, bytes }: BlockHandle, label: string) => ({
    label,
    offset,
    bytes: bytes + TRAILER_BYTES,
    wrapping: footer.wrapping(offset),
  });
  const name = 'its metaindex';
  const entries = entriesOf(read(block(footer.metaindex, name)), `${file.name}: ${name}`);
  const meta = entries.map(({ key, value }): [string, BlockHandle] => [
    Buffer.from(key).toString('latin1'),
    handleAt(cursorOf(value, file.name)),
  ]);
  return { file, footer, meta: new Map(meta), read, block };
}

/** The error for a table without a filter that can be asked. */
export function withoutFilter({ file, meta }: SortedTable, policy: string): BloomError {
  const others = [...meta.keys()].filter((key) => key.includes('filter.'));
  return others.length === 0
    ? new Unfiltered(`${file.name} has no filter`, `it was written without ${policy}`)
    : new BloomError(
        'format',
        `${file.name} has a filter that this bloom does not know: ${others.join(', ')}`,
        `it knows those of ${policy}`,
      );
}
