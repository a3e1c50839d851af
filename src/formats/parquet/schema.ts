// The schema of a Parquet file: a tree whose leaves are columns.

import { damaged } from '../../errors.ts';
import type { ThriftFields, ThriftValue } from './thrift.ts';

/** How values are stored, by the numbers of parquet.thrift. */
export const PHYSICAL = ['boolean', 'int32', 'int64', 'int96', 'float', 'double', 'byte array', 'fixed'] as const;
export type Physical = (typeof PHYSICAL)[number];

/** A node of the schema. Its children follow it. */
export interface SchemaElement {
  readonly name: string;
  readonly physical: Physical | undefined;
  /** Bytes per value, if all values have the same length. */
  readonly length: number;
  readonly children: number;
  readonly logical: Logical | undefined;
}

/** The meaning of values. */
export interface Logical {
  readonly name: 'string' | 'decimal' | 'date' | 'time' | 'timestamp' | 'integer' | 'uuid' | 'float16' | 'other';
  /** Digits after the point of a decimal. */
  readonly scale?: number;
  /** The unit of a time. */
  readonly unit?: 'ms' | 'us' | 'ns';
  /** The width of an integer. */
  readonly bits?: number;
  readonly isSigned?: boolean;
}

/** The type of a column. */
export type LeafType = Pick<SchemaElement, 'physical' | 'length' | 'logical'>;

/** Reads a node of the schema of a file. Throws a `format` error if it is impossible. */
export function readSchemaElement(element: ThriftValue, file: string): SchemaElement {
  let name: string | undefined;
  let physical: Physical | undefined;
  let [length, children, scale] = [0, 0, 0];
  let converted: number | undefined;
  let logical: Logical | undefined;
  element.struct({
    1: (value) => {
      physical = PHYSICAL[Number(value.int())];
    },
    2: (value) => {
      length = Number(value.int());
    },
    4: (value) => {
      name = value.text();
    },
    5: (value) => {
      children = Number(value.int());
    },
    6: (value) => {
      converted = Number(value.int());
    },
    7: (value) => {
      scale = Number(value.int());
    },
    10: (value) => {
      logical = readLogical(value);
    },
  });
  if (name === undefined) throw damaged(file, 'its schema has a column without a name');
  return { name, physical, length, children, logical: logical ?? ofConverted(converted, scale) };
}

const UNITS = ['ms', 'us', 'ns'] as const;

/** The union of logical types. Each alternative is a struct. */
function readLogical(union: ThriftValue): Logical | undefined {
  let logical: Logical | undefined;
  const plain = (name: Logical['name']) => (value: ThriftValue) => {
    value.struct({});
    logical = { name };
  };
  const withUnit = (name: Logical['name']) => (value: ThriftValue) => {
    let unit: Logical['unit'];
    const units: ThriftFields = Object.fromEntries(
      UNITS.map((known, i) => [
        i + 1,
        (of: ThriftValue) => {
          of.struct({});
          unit = known;
        },
      ]),
    );
    value.struct({ 2: (of) => of.struct(units) });
    logical = unit === undefined ? { name } : { name, unit };
  };
  union.struct({
    1: plain('string'),
    4: plain('string'),
    5: (value) => {
      let scale = 0;
      value.struct({
        1: (of) => {
          scale = Number(of.int());
        },
      });
      logical = { name: 'decimal', scale };
    },
    6: plain('date'),
    7: withUnit('time'),
    8: withUnit('timestamp'),
    10: (value) => {
      let [bits, isSigned] = [64, true];
      value.struct({
        1: (of) => {
          bits = Number(of.int());
        },
        2: (of) => {
          isSigned = of.bool();
        },
      });
      logical = { name: 'integer', bits, isSigned };
    },
    12: plain('string'),
    13: plain('other'),
    14: plain('uuid'),
    15: plain('float16'),
  });
  return logical;
}

/** The meaning of values in older files, by the numbers of parquet.thrift. */
function ofConverted(converted: number | undefined, scale: number): Logical | undefined {
  const integer = (isSigned: boolean, bits: number): Logical => ({ name: 'integer', bits, isSigned });
  const known: Readonly<Record<number, Logical>> = {
    0: { name: 'string' },
    4: { name: 'string' },
    5: { name: 'decimal', scale },
    6: { name: 'date' },
    7: { name: 'time', unit: 'ms' },
    8: { name: 'time', unit: 'us' },
    9: { name: 'timestamp', unit: 'ms' },
    10: { name: 'timestamp', unit: 'us' },
    11: integer(false, 8),
    12: integer(false, 16),
    13: integer(false, 32),
    14: integer(false, 64),
    15: integer(true, 8),
    16: integer(true, 16),
    17: integer(true, 32),
    18: integer(true, 64),
    19: { name: 'string' },
    20: { name: 'other' },
    21: { name: 'other' },
  };
  return converted === undefined ? undefined : known[converted];
}

/** The largest number of levels of a schema. */
const LEVELS_LIMIT = 100;

/** The largest total length of all paths if the metadata is small. */
const PATHS_LIMIT = 2 ** 20;

/**
 * The leaves of a tree by their paths. The first node is the root, and paths do not contain it. `bytes` is the length
 * of the metadata, which repeats each path in every row group. Throws a `format` error if the nodes are not a tree.
 */
export function leavesOf(
  elements: readonly SchemaElement[],
  file: string,
  bytes: number,
): ReadonlyMap<string, LeafType> {
  let left = Math.max(PATHS_LIMIT, bytes);
  const leaves = new Map<string, LeafType>();
  /** Open nodes, and the number of their children that have not been read. */
  const open: { readonly path: string; left: number }[] = [];
  for (const [i, element] of elements.entries()) {
    const parent = open.at(-1);
    if (i > 0 && parent === undefined) throw damaged(file, 'its schema is not a tree');
    const path = parent === undefined ? '' : parent.path === '' ? element.name : `${parent.path}.${element.name}`;
    if (parent !== undefined) parent.left--;
    left -= path.length;
    if (left < 0) throw damaged(file, 'the names of its schema are too long');
    if (element.children > 0) open.push({ path, left: element.children });
    else if (i > 0) leaves.set(path, element);
    if (open.length > LEVELS_LIMIT) throw damaged(file, 'its schema is nested too deeply');
    while (open.at(-1)?.left === 0) open.pop();
  }
  if (open.length > 0) throw damaged(file, 'its schema is not a tree');
  return leaves;
}
