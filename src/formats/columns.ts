// Files of tables, which have a filter of each column in each part of them: which of them are asked.

import { BloomError, damaged, Unfiltered } from '../errors.ts';
import type { Structure } from '../filters/kind.ts';
import { joined, linkedShape, linkShape } from '../filters/linked.ts';
import type { RandomAccess } from '../io/random-access.ts';
import type { Description, KeyRules } from './description.ts';
import type { BitsInOrder, FlatFile, Format, StoredArray } from './format.ts';
import type { KeyType } from './key-types.ts';
import type { Opening } from './opening.ts';

/** A column of a file, and its filters. */
export interface FilteredColumn {
  /** Its levels are separated by dots. */
  readonly name: string;
  readonly type: string;
  readonly kind: Structure;
  /** What records are; undefined where none is said to be such a value. */
  readonly keyType: KeyType | undefined;
  /** The types that records may be said to have: each value that one of them can write is hashed as the file's writer hashes it. */
  readonly accepts: readonly KeyType[];
  readonly rules: KeyRules;
  /** Nothing is known of its filters. */
  readonly isEncrypted: boolean;
  /** What else is to be known of it. */
  readonly remarks?: readonly string[] | undefined;
  /** Where the file has values of it and no filter of them. */
  readonly unfiltered: readonly string[];
  /** Finds its filters. Throws `input` and `format` errors. */
  find(): readonly ColumnFilter[];
}

/** A filter of a column. */
export interface ColumnFilter extends Omit<StoredArray, 'stored'> {
  /** Its bits, or where they begin in the file. */
  readonly bits: Uint8Array | number;
}

/** A file of a table. */
export interface TableFile {
  /** For messages. */
  readonly name: string;
  readonly format: Format;
  readonly bytes: RandomAccess;
  readonly columns: readonly FilteredColumn[];
  close(): void;
}

/** The filter of one column, or of several whose keys are hashed alike, any of which may have a key. */
export function openAsked(table: TableFile, { column, keyType }: Opening): FlatFile {
  const asked = column === undefined ? alike(table, keyType) : [named(table, column)];
  for (const { name, type, keyType: known, accepts, isEncrypted } of asked) {
    const what = `${table.name} has filters of ${name}`;
    if (isEncrypted) throw new BloomError('format', `${what}, which are encrypted`, 'ask another column');
    if (accepts.length === 0 || (known === undefined && keyType === undefined))
      throw new BloomError(
        'format',
        `${what}, whose type is ${type}: this bloom does not know how a record stands for such a value`,
        `${accepts.includes('hex') ? 'give their bytes with --key-type hex, or query' : 'query'} another column with --column NAME`,
      );
    if (keyType !== undefined && !accepts.includes(keyType))
      throw new BloomError(
        'mismatch',
        `${what}, whose type is ${type}: with --key-type ${keyType} its values would not be found`,
        `state ${known === undefined ? '' : 'no --key-type, or '}${accepts.join(' or ')}`,
      );
  }
  return filterOf(table, asked);
}

/** A filter of each column, but for those that are encrypted, for reports: they are closed together, as soon as one is. */
export function openEach(table: TableFile): FlatFile[] {
  requireFilters(table);
  let isOpen = true;
  const close = () => {
    if (isOpen) table.close();
    isOpen = false;
  };
  const readable = table.columns.filter(({ isEncrypted }) => !isEncrypted);
  if (readable.length === 0)
    throw new BloomError('format', `${table.name} has filters of encrypted columns alone`, 'decrypt it first');
  return readable.map((column) => filterOf({ ...table, close }, [column]));
}

/** The columns, if none of them has to be picked: all hash a record alike. A stated type that all accept is hashed by itself. */
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
    'pick one with --column NAME',
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
  throw new Unfiltered(`${table.name} has no filter of a column ${name}`, `it has of ${listed(table)}`);
}

function requireFilters({ name, columns }: TableFile): void {
  if (columns.length > 0) return;
  throw new Unfiltered(
    `${name} has no Bloom filter: any key may be in it`,
    'write it with Bloom filters of the columns that are to be asked',
  );
}

/** Columns that are named where all are. */
const LISTED = 20;

function listed({ columns }: TableFile): string {
  const some = columns.slice(0, LISTED).map(({ name, type }) => `${name} (${type})`);
  return [...some, ...(columns.length > LISTED ? [`${columns.length - LISTED} more`] : [])].join(', ');
}

/** The filters of some columns as one file. */
function filterOf(table: TableFile, columns: readonly FilteredColumn[]): FlatFile {
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
    layout: 'flat',
    name,
    description,
    ...arraysOf(bytes, filters),
    verified: undefined,
    unfiltered: columns.flatMap(({ unfiltered }) => unfiltered),
    close,
  };
}

/** Throws a `format` error for filters that have more bytes than their file, as each may claim the same. */
function requireApart({ name, bytes }: TableFile, filters: readonly ColumnFilter[]): void {
  const inFile = filters.filter(({ bits }) => typeof bits === 'number');
  if (inFile.reduce((sum, filter) => sum + filter.bytes, 0) > bytes.size)
    throw damaged(name, 'its filters have more bytes than itself');
}

/** The arrays of filters: bits are read where they are first wanted if all are in a file, and one array after the other if not. */
export function arraysOf(bytes: RandomAccess, filters: readonly ColumnFilter[]): Pick<FlatFile, 'arrays' | 'inOrder'> {
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
