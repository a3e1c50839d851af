import type { FlatShape } from '../../filters/position-rules.ts';
import type { FormatVariant } from '../mark.ts';

export const HEADER_BYTES = 8;

/** Versions of Cassandra that differ in what a key is in a filter. */
export interface CassandraVersion extends FormatVariant, Pick<FlatShape, 'rule' | 'order'> {
  /** Those of SSTables, in the names of their files. */
  readonly tables: RegExp;
}

export const VERSIONS: readonly CassandraVersion[] = [
  {
    name: 'cassandra-2',
    purpose: 'Cassandra 1.2 to 2.2: files of SSTables ia to lb',
    tables: /^[ijkl][a-z]$/,
    rule: 'cassandra-2',
    order: 'be64',
  },
  {
    name: 'cassandra-3',
    purpose: 'Cassandra 3, and ScyllaDB: files of SSTables ma to ms',
    tables: /^m[a-z]$/,
    rule: 'cassandra',
    order: 'be64',
  },
  {
    name: 'cassandra-4',
    purpose: 'Cassandra 4 and 5: files of SSTables na to oa, da',
    tables: /^(?:[no][a-z]|d[a-z])$/,
    rule: 'cassandra',
    order: 'bytes',
  },
];
