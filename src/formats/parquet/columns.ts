// The filters of a Parquet file by column.

import { damaged } from '../../errors.ts';
import { splitBlocks } from '../../filters/split-blocks.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import type { ColumnFilter, FilteredColumn } from '../columns.ts';
import type { FilteredPart } from '../format.ts';
import type { ColumnChunk, ParquetFooter, PromisedFilter } from './footer.ts';
import { RULES, readHeader, shapeOf } from './header.ts';
import { HEADER_LIMIT } from './sizes.ts';
import { typeOf } from './types.ts';

/** A column in a row group, and the number of the row group. */
interface NumberedChunk {
  readonly chunk: ColumnChunk;
  readonly group: number;
}

const labelOf = ({ group }: NumberedChunk) => `row group ${group}`;

/** The columns that have a filter in a row group, in the order of the file. */
export function columnsOf(
  { types, rowGroups, createdBy }: ParquetFooter,
  bytes: RandomAccess,
  file: string,
): FilteredColumn[] {
  const byName = new Map<string, NumberedChunk[]>();
  for (const [group, chunksThere] of rowGroups.entries())
    for (const chunk of chunksThere) {
      const chunks = byName.get(chunk.name);
      const numbered = { chunk, group };
      if (chunks === undefined) byName.set(chunk.name, [numbered]);
      else chunks.push(numbered);
    }
  const columns = [...byName].filter(([, chunks]) => chunks.some(({ chunk }) => chunk.filter !== undefined));
  return columns.map(([name, chunks]): FilteredColumn => {
    const leaf = types.get(name);
    if (leaf === undefined) throw damaged(file, `its schema does not have the column ${name}`);
    const { type, remarks, ...typed } = typeOf(leaf, createdBy);
    const isEncrypted = chunks.some(({ chunk }) => chunk.isEncrypted);
    return {
      name,
      type,
      kind: splitBlocks,
      keyType: typed.keyType,
      accepts: typed.accepts,
      rules: { ...RULES, encoding: typed.encoding, encodingParameters: typed.encodingParameters },
      isEncrypted,
      remarks,
      unfiltered: chunks.filter(hasNone).map(labelOf),
      find: () => chunks.flatMap((numbered) => filterOf(numbered, { name, type }, bytes, file)),
    };
  });
}

/** Whether a row group has values of a column but no filter of them. */
function hasNone({ chunk: { filter, values, nulls } }: NumberedChunk): boolean {
  return filter === undefined && values > (nulls ?? 0);
}

function filterOf(
  numbered: NumberedChunk,
  { name, type }: Pick<FilteredColumn, 'name' | 'type'>,
  bytes: RandomAccess,
  file: string,
): ColumnFilter[] {
  const { filter, values, nulls = 0 } = numbered.chunk;
  if (filter === undefined) return [];
  const label = labelOf(numbered);
  const part: FilteredPart = { label, column: name, type, values: Math.max(0, values - nulls) };
  const { offset, length } = locate(filter, bytes, `${file}: the filter of ${name} in ${label}`);
  return [{ shape: shapeOf(length), bytes: length, bits: offset, part }];
}

/**
 * The position of the bits of a filter. `whose` names it in messages. Throws a `format` error if it is outside the
 * file.
 */
function locate(promised: PromisedFilter, bytes: RandomAccess, whose: string): { offset: number; length: number } {
  const { offset: at, bytes: claimed } = promised;
  if (at < 0 || at >= bytes.size)
    throw damaged(whose, `it should begin at byte ${at}, and the file has ${bytes.size} bytes`);
  const { headerBytes, length } = readHeader(bytes.read(Number(at), HEADER_LIMIT), whose);
  const offset = Number(at) + headerBytes;
  if (length > bytes.size - offset)
    throw damaged(whose, `its header states ${length} bytes, and the file has ${bytes.size}`);
  if (claimed !== undefined && claimed < headerBytes + length)
    throw damaged(whose, `it has ${headerBytes + length} bytes, and the metadata states ${claimed}`);
  return { offset, length };
}
