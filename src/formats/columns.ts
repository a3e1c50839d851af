// Table files, whose parts have one filter per column. This module selects the filters to query.

import { BloomError, damaged, Unfiltered } from '../errors.ts';
import type { Structure } from '../filters/kind.ts';
import { joined, linkedShape, linkShape } from '../filters/linked.ts';
import type { RandomAccess } from '../io/random-access.ts';
import type { Description, KeyRules } from './description.ts';
import type { BitArrayFile, BitsInOrder, Format, StoredArray } from './format.ts';
import type { KeyType } from './key-types.ts';
import type { Opening } from './opening.ts';

/** A column of a file, and its filters. */
export interface FilteredColumn {
  /** Dots separate the levels of the name. */
  readonly name: string;
  readonly type: string;
  readonly kind: Structure;
  /** The type of the records. Undefined if no type is known to fit the column. */
  readonly keyType: KeyType | undefined;
  /**
   * Types that `--key-type` may state. The hash of each value of these types is the hash that the writer of the file
   * made.
   */
  readonly accepts: readonly KeyType[];
  readonly rules: KeyRules;
  /** The filters cannot be read. */
  readonly isEncrypted: boolean;
  /** What a report says about the column. */
  readonly remarks?: readonly string[] | undefined;
  /** Parts of the file that have values of the column and no filter. */
  readonly unfiltered: readonly string[];
  /** Finds the filters. Throws `input` and `format` errors. */
  find(): readonly ColumnFilter[];
}

/** A filter of a column. */
export interface ColumnFilter extends Omit<StoredArray, 'stored'> {
  /** The bits, or their offset in the file. */
  readonly bits: Uint8Array | number;
}

/** A file with a table. */
export interface TableFile {
  /** The name in messages. */
  readonly name: string;
  readonly format: Format;
  readonly bytes: RandomAccess;
  readonly columns: readonly FilteredColumn[];
  close(): void;
}

/** The filter of one column, or of several columns that hash keys alike. Then any of the columns may have the key. */
export function openSelected(table: TableFile, { column, keyType }: Opening): BitArrayFile {
  const selected = column === undefined ? alike(table, keyType) : [named(table, column)];
  for (const { name, type, keyType: known, accepts, isEncrypted } of selected) {
    const what = `${table.name} has filters of ${name}`;
    if (isEncrypted)
      throw new BloomError('format', `${what}, but they are encrypted`, 'query another column with --column NAME');
    if (accepts.length === 0 || (known === undefined && keyType === undefined))
      throw new BloomError(
        'format',
        `${what}, but this bloom cannot read values of its type, ${type}`,
        `${accepts.includes('hex') ? 'give their bytes with --key-type hex, or query' : 'query'} another column with --column NAME`,
      );
    if (keyType !== undefined && !accepts.includes(keyType))
      throw new BloomError(
        'mismatch',
        `${what} of type ${type}, and --key-type ${keyType} would not find its values`,
        `state ${known === undefined ? '' : 'no --key-type, or '}${accepts.join(' or ')}`,
      );
  }
  return filterOf(table, selected);
}

/** One filter per column that is not encrypted, for reports. Closing one filter closes all. */
export function openEach(table: TableFile): BitArrayFile[] {
  requireFilters(table);
  let isOpen = true;
  const close = () => {
    if (isOpen) table.close();
    isOpen = false;
  };
  const readable = table.columns.filter(({ isEncrypted }) => !isEncrypted);
  if (readable.length === 0)
    throw new BloomError('format', `${table.name} has only filters of encrypted columns`, 'decrypt it first');
  return readable.map((column) => filterOf({ ...table, close }, [column]));
}

/** The columns to query if all of them hash a record alike. If all columns accept the stated type, it alone decides. */
function alike(table: TableFile, stated: KeyType | undefined): readonly FilteredColumn[] {
  requireFilters(table);
  const [first, ...others] = table.columns;
  const isLike = (one: FilteredColumn, other: FilteredColumn) => {
    const isStated = stated !== undefined && one.accepts.includes(stated) && other.accepts.includes(stated);
    if (isStated && (one.keyType !== stated || other.keyType !== stated)) return true;
    return other.keyType === one.keyType && areAlike(other.rules, one.rules);
  };
  if (first === undefined || others.every((other) => isLike(first, other))) return table.columns;
  throw new BloomError(
    'usage',
    `${table.name} has filters of columns of several types: ${listed(table)}`,
    'choose one with --column NAME',
  );
}

function areAlike(one: KeyRules, other: KeyRules): boolean {
  const fields = Object.keys({ ...one, ...other }) as (keyof KeyRules)[];
  return fields.every((field) => String(one[field]) === String(other[field]));
}

function named(table: TableFile, name: string): FilteredColumn {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  requireFilters(table);
  throw new Unfiltered(`${table.name} has no filter of the column ${name}`, `it has filters of ${listed(table)}`);
}

function requireFilters({ name, columns }: TableFile): void {
  if (columns.length > 0) return;
  throw new Unfiltered(
    `${name} has no Bloom filter, so any key may be present`,
    'write it again with Bloom filters of the columns to query',
  );
}

/** Columns that a message lists. */
const LISTED = 20;

function listed({ columns }: TableFile): string {
  const some = columns.slice(0, LISTED).map(({ name, type }) => `${name} (${type})`);
  return [...some, ...(columns.length > LISTED ? [`${columns.length - LISTED} more`] : [])].join(', ');
}

/** The filters of some columns as one file. */
function filterOf(table: TableFile, columns: readonly FilteredColumn[]): BitArrayFile {
  const { name, format, bytes, close } = table;
  const [first] = columns;
  if (first === undefined) throw new Error(`${name} has no columns`);
  const filters = columns.flatMap((column) => column.find());
  requireApart(table, filters);
  const shapes = filters.map(({ shape }) => shape);
  const [only, ...more] = shapes;
  const isOne = only !== undefined && more.length === 0;
  const description: Description = {
    format,
    kind: isOne ? first.kind : joined(first.kind),
    shape: isOne ? linkShape(only) : linkedShape(shapes),
    rules: first.rules,
    ...(first.keyType === undefined || first.rules.encoding === undefined ? {} : { keyType: first.keyType }),
    target: undefined,
    inserted: undefined,
    remarks: first.remarks ?? [],
    bytes: bytes.size,
  };
  return {
    layout: 'arrays',
    name,
    description,
    ...arraysOf(bytes, filters),
    verified: undefined,
    unfiltered: columns.flatMap(({ unfiltered }) => unfiltered),
    close,
  };
}

/** Throws a `format` error if the filters have more bytes than their file. Several filters may claim the same bytes. */
function requireApart({ name, bytes }: TableFile, filters: readonly ColumnFilter[]): void {
  const inFile = filters.filter(({ bits }) => typeof bits === 'number');
  if (inFile.reduce((sum, filter) => sum + filter.bytes, 0) > bytes.size)
    throw damaged(name, 'its filters have more bytes than the file');
}

/**
 * The arrays of filters. Bits that are all in the file are read on demand; otherwise one array is read after the
 * other.
 */
export function arraysOf(
  bytes: RandomAccess,
  filters: readonly ColumnFilter[],
): Pick<BitArrayFile, 'arrays' | 'inOrder'> {
  const { file } = bytes;
  const inFile = filters.flatMap(({ bits, ...filter }): StoredArray[] =>
    file !== undefined && typeof bits === 'number'
      ? [{ ...filter, stored: { file, parts: [{ offset: bits, bytes: filter.bytes }] } }]
      : [],
  );
  if (inFile.length === filters.length) return { arrays: inFile, inOrder: undefined };
  let [current, done] = [0, 0];
  const inOrder: BitsInOrder = {
    async readBits(array, into) {
      if (array !== current) [current, done] = [array, 0];
      const { bits = new Uint8Array(0) } = filters[array] ?? {};
      into.set(
        typeof bits === 'number' ? bytes.read(bits + done, into.length) : bits.subarray(done, done + into.length),
      );
      done += into.length;
    },
    finish: async () => {},
  };
  return { arrays: filters.map(({ bits, ...filter }) => ({ ...filter, stored: undefined })), inOrder };
}
