// The metadata of a Parquet file (parquet.thrift of Apache Parquet), as far as filters need it.

import { BloomError, damaged } from '../../errors.ts';
import { type LeafType, leavesOf, readSchemaElement, type SchemaElement } from './schema.ts';
import { readStruct, type ThriftValue } from './thrift.ts';

/** A filter that the metadata states: its offset, and its length with the header if that is stated. */
export interface PromisedFilter {
  readonly offset: bigint;
  readonly bytes: bigint | undefined;
}

/** A column in a row group. */
export interface ColumnChunk {
  readonly name: string;
  readonly filter: PromisedFilter | undefined;
  readonly isEncrypted: boolean;
  /** Values of the column, nulls included. */
  readonly values: number;
  /** Nulls among them, if the number is stated. */
  readonly nulls: number | undefined;
}

export interface ParquetFooter {
  /** The types of the columns by their names. Dots separate the levels of a name. */
  readonly types: ReadonlyMap<string, LeafType>;
  /** The columns of each row group. */
  readonly rowGroups: readonly (readonly ColumnChunk[])[];
  /** Metadata of the writer. */
  readonly properties: ReadonlyMap<string, string>;
  /** The program that wrote the file, if it is stated. */
  readonly createdBy: string;
}

/** The largest number of columns, row groups, and columns in row groups that is read. */
const ENTRIES_LIMIT = 2 ** 21;

/** Reads the metadata of the file with this name. Throws a `format` error. */
export function readFooter(bytes: Uint8Array, name: string): ParquetFooter {
  const schema: SchemaElement[] = [];
  const rowGroups: ColumnChunk[][] = [];
  const properties = new Map<string, string>();
  let createdBy = '';
  /** Entries that may still be read. A few bytes of the file become many in memory. */
  let left = ENTRIES_LIMIT;
  const countEntry = () => {
    if (--left < 0) throw new BloomError('memory', `${name} has too many columns in row groups`, 'split the file');
  };
  readStruct(bytes, name, {
    2: (value) =>
      value.list((element) => {
        countEntry();
        schema.push(readSchemaElement(element, name));
      }),
    4: (value) =>
      value.list((group) => {
        countEntry();
        rowGroups.push(readRowGroup(group, name, countEntry));
      }),
    5: (value) => value.list((property) => readProperty(property, properties)),
    6: (value) => {
      createdBy = value.text();
    },
  });
  return { types: leavesOf(schema, name, bytes.length), rowGroups, properties, createdBy };
}

function readProperty(property: ThriftValue, properties: Map<string, string>): void {
  let key = '';
  property.struct({
    1: (value) => {
      key = value.text();
    },
    2: (value) => properties.set(key, value.text()),
  });
}

function readRowGroup(group: ThriftValue, name: string, count: () => void): ColumnChunk[] {
  const chunks: ColumnChunk[] = [];
  group.struct({
    1: (value) =>
      value.list((chunk) => {
        count();
        chunks.push(readChunk(chunk, name));
      }),
  });
  return chunks;
}

function readChunk(chunk: ThriftValue, file: string): ColumnChunk {
  let isElsewhere = false;
  let isEncrypted = false;
  const path: string[] = [];
  let offset: bigint | undefined;
  let bytes: bigint | undefined;
  let values = 0;
  let nulls: number | undefined;
  chunk.struct({
    1: (value) => {
      isElsewhere = value.text() !== '';
    },
    3: (metadata) =>
      metadata.struct({
        3: (value) => value.list((level) => path.push(level.text())),
        5: (value) => {
          values = countOf(value, file);
        },
        12: (statistics) =>
          statistics.struct({
            3: (value) => {
              nulls = countOf(value, file);
            },
          }),
        14: (value) => {
          offset = value.int();
        },
        15: (value) => {
          bytes = value.int();
        },
      }),
    8: (crypto) => {
      isEncrypted = true;
      crypto.struct({ 2: (withKey) => withKey.struct({ 1: (value) => readPath(value, path) }) });
    },
  });
  if (isElsewhere)
    throw new BloomError('format', `${file} has its columns in other files`, 'query the files that have the columns');
  if (path.length === 0 && !isEncrypted) throw damaged(file, 'its metadata has a column without a name');
  const filter = offset === undefined ? undefined : { offset, bytes };
  return { name: path.join('.'), filter, isEncrypted, values, nulls };
}

/** The path of a column whose metadata is encrypted too. */
function readPath(value: ThriftValue, path: string[]): void {
  const levels: string[] = [];
  value.list((level) => levels.push(level.text()));
  if (path.length === 0) path.push(...levels);
}

function countOf(value: ThriftValue, name: string): number {
  const count = value.int();
  if (count < 0 || count > Number.MAX_SAFE_INTEGER)
    throw damaged(name, `its metadata states an impossible number, ${count}`);
  return Number(count);
}
