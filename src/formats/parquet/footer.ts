// The metadata of a Parquet file (parquet.thrift of Apache Parquet), as far as it tells of filters.

import { BloomError, damaged } from '../../errors.ts';
import { type LeafType, leavesOf, readSchemaElement, type SchemaElement } from './schema.ts';
import { readStruct, type ThriftValue } from './thrift.ts';

/** A filter that the metadata promises: where it is, and how many bytes it has with its header, if that is said. */
export interface PromisedFilter {
  readonly offset: bigint;
  readonly bytes: bigint | undefined;
}

/** A column in a row group. */
export interface ColumnChunk {
  readonly name: string;
  readonly filter: PromisedFilter | undefined;
  readonly isEncrypted: boolean;
  /** Values that it has, nulls and all. */
  readonly values: number;
  /** Of these the nulls, if that is said. */
  readonly nulls: number | undefined;
}

export interface ParquetFooter {
  /** Types of the columns by their names, the levels of which are separated by dots. */
  readonly types: ReadonlyMap<string, LeafType>;
  /** The columns in each row group. */
  readonly rowGroups: readonly (readonly ColumnChunk[])[];
  /** What whoever wrote it has put there. */
  readonly properties: ReadonlyMap<string, string>;
  /** What wrote it, if it says so. */
  readonly createdBy: string;
}

/** Columns, row groups, and columns in these, that are read. */
const ENTRIES_LIMIT = 2 ** 21;

/** Reads the metadata of the file of this name. Throws a `format` error. */
export function readFooter(bytes: Uint8Array, name: string): ParquetFooter {
  const schema: SchemaElement[] = [];
  const rowGroups: ColumnChunk[][] = [];
  const properties = new Map<string, string>();
  let createdBy = '';
  /** What takes a few bytes there takes many here. */
  let left = ENTRIES_LIMIT;
  const count = () => {
    if (--left < 0)
      throw new BloomError('memory', `${name} has more columns in row groups than this program reads`, 'split it up');
  };
  readStruct(bytes, name, {
    2: (value) =>
      value.list((element) => {
        count();
        schema.push(readSchemaElement(element, name));
      }),
    4: (value) =>
      value.list((group) => {
        count();
        rowGroups.push(readRowGroup(group, name, count));
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
    throw new BloomError('format', `${file} has its columns in other files`, 'ask those: this one only sums them up');
  if (path.length === 0 && !isEncrypted) throw damaged(file, 'its metadata has a column without a name');
  const filter = offset === undefined ? undefined : { offset, bytes };
  return { name: path.join('.'), filter, isEncrypted, values, nulls };
}

/** The path of a column whose own metadata is encrypted too. */
function readPath(value: ThriftValue, path: string[]): void {
  const levels: string[] = [];
  value.list((level) => levels.push(level.text()));
  if (path.length === 0) path.push(...levels);
}

function countOf(value: ThriftValue, name: string): number {
  const count = value.int();
  if (count < 0 || count > Number.MAX_SAFE_INTEGER)
    throw damaged(name, `its metadata gives an impossible count, ${count}`);
  return Number(count);
}
