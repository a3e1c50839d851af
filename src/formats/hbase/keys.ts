import type { KeyTypes } from '../key-types.ts';

/** The keys of a filter of rows and columns. */
export const CELLS: KeyTypes = { cell: { encoding: 'hbase-cell' } };
