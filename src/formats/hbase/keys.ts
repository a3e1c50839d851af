import type { KeyTypes } from '../key-types.ts';

/** What a filter of rows and columns has for keys. */
export const CELLS: KeyTypes = { cell: { encoding: 'hbase-cell' } };
