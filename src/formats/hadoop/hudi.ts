// The filter of record keys that Apache Hudi stores in the base files of a table, beside other metadata.

import { damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { ColumnFilter, FilteredColumn } from '../columns.ts';
import { inMemory } from '../whole-file.ts';
import { decoded, readHadoop } from './file.ts';

/** The key of the filter in the metadata, and the key in old files. */
const NAMES = ['org.apache.hudi.bloomfilter', 'com.uber.hoodie.bloomfilter'];

/** The column of record keys. */
const COLUMN = { column: '_hoodie_record_key', type: 'string' };

/** The record keys of a file with these properties, if Hudi wrote it. `file` is its name. Throws a `format` error. */
export function hudiColumn(properties: ReadonlyMap<string, string>, file: string): FilteredColumn | undefined {
  const text = NAMES.map((name) => properties.get(name)).find((value) => value !== undefined);
  if (text === undefined) return undefined;
  const whose = `${file}: its filter of record keys`;
  const bytes = decoded(Buffer.from(text), whose);
  const { shape, rules, offsets, bytes: length, sort } = readHadoop(inMemory(bytes, whose), whose);
  if (sort === 'counting' || sort === 'retouched')
    throw damaged(whose, `it is a ${sort} filter, which Hudi does not write`);
  const filters = offsets.map((offset, row): ColumnFilter => {
    const label = sort === 'dynamic' ? `footer, row ${row}` : 'footer';
    return { shape, bytes: length, bits: bytes.subarray(offset, offset + length), part: { label, ...COLUMN } };
  });
  return {
    name: COLUMN.column,
    type: COLUMN.type,
    kind: bloomStructure,
    keyType: 'text',
    accepts: ['text'],
    rules,
    isEncrypted: false,
    unfiltered: [],
    find: () => filters,
  };
}

/** The columns of a file. One of them may be that of the record keys; the other columns have several filters. */
export function withRecordKeys(
  columns: readonly FilteredColumn[],
  properties: ReadonlyMap<string, string>,
  file: string,
): readonly FilteredColumn[] {
  const keys = hudiColumn(properties, file);
  return keys === undefined || columns.some(({ name }) => name === keys.name) ? columns : [keys, ...columns];
}
