import { displayName } from '../../io/look.ts';
import { randomAccess } from '../../io/random-access.ts';
import type { ByteSource } from '../../io/source.ts';
import { openEach, openSelected, type TableFile } from '../columns.ts';
import type { FilterFile, Format } from '../format.ts';
import { withRecordKeys } from '../hadoop/hudi.ts';
import type { Opening } from '../opening.ts';
import { columnsOf } from './filters.ts';
import { readFooter } from './footer.ts';

/** Opens the filters of the column to query: see `Format.open`. */
export async function open(source: ByteSource, format: Format, opening: Opening): Promise<FilterFile> {
  return openSelected(await readTable(source, format), opening);
}

/** Opens the filters of each column: see `Format.openColumns`. */
export async function openColumns(source: ByteSource, format: Format): Promise<readonly FilterFile[]> {
  return openEach(await readTable(source, format));
}

async function readTable(source: ByteSource, format: Format): Promise<TableFile> {
  const name = displayName(source.name);
  const bytes = await randomAccess(source);
  const footer = await readFooter(bytes, name);
  const columns = withRecordKeys(columnsOf(footer, bytes, name), footer.properties, name);
  return { name, format, bytes, columns, close: () => source.close() };
}
