import { cursorOf, entriesOf } from './entries.ts';
import type { SortedTable } from './table.ts';

/** What a table of RocksDB says of itself. */
export interface Properties {
  text(name: string): string | undefined;
  /** A number, which is a varint. */
  count(name: string): number | undefined;
}

/** The properties of a table; undefined where it has none. Throws a `format` error for what cannot be read. */
export function readProperties({ file, meta, read, block }: SortedTable): Properties | undefined {
  const handle = meta.get('rocksdb.properties');
  if (handle === undefined) return undefined;
  const label = 'its properties';
  const name = `${file.name}: ${label}`;
  const { wrapping, ...stored } = block(handle, label);
  const content = read({ ...stored, wrapping: { ...wrapping, isNumbered: true } });
  const values = new Map(
    entriesOf(content, name).map(({ key, value }) => [Buffer.from(key).toString('latin1'), value]),
  );
  return {
    text(property) {
      const value = values.get(property);
      return value && Buffer.from(value).toString('latin1');
    },
    count(property) {
      const value = values.get(property);
      return value && cursorOf(value, name).varint();
    },
  };
}
