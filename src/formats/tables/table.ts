// Tables of LevelDB and RocksDB have blocks, and a metaindex with the positions of the filter blocks.

import { BloomError, Unfiltered } from '../../errors.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import type { ByteSource } from '../../io/source.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';
import { fileOf } from '../ranged-file.ts';
import { createBlockReader, type ReadBlock, type StoredBlock } from '../stored-blocks.ts';
import { type BlockHandle, cursorOf, entriesOf, handleAt } from './entries.ts';
import type { TableFooter } from './footer.ts';
import { type TableBlock, TRAILER_BYTES } from './table-block.ts';

/** An open table. */
export interface SortedTable {
  readonly file: PositionedFile;
  readonly footer: TableFooter;
  /** Handles of blocks without data, by their names. */
  readonly meta: ReadonlyMap<string, BlockHandle>;
  readonly read: ReadBlock;
  /** A block with a name for messages. */
  block(handle: BlockHandle, label: string): StoredBlock & { readonly wrapping: TableBlock };
}

/** Opens a table. Throws `input` errors, and a `format` error if it is malformed or can only be read in order. */
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

/** The error for a table without a filter that bloom can query. */
export function withoutFilter({ file, meta }: SortedTable, policy: string): BloomError {
  const others = [...meta.keys()].filter((key) => key.includes('filter.'));
  return others.length === 0
    ? new Unfiltered(`${file.name} has no filter`, `write the table with ${policy}`)
    : new BloomError(
        'format',
        `${file.name} has a filter that this bloom does not know: ${others.join(', ')}`,
        `write the table with ${policy}`,
      );
}
