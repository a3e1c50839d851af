import type { BitArrayShape } from '../../filters/position-rules.ts';
import type { FormatVariant } from '../mark.ts';

export const HEADER_BYTES = 8;

/** Versions of Cassandra whose filters hash keys differently. */
export interface CassandraVersion extends FormatVariant, Pick<BitArrayShape, 'rule' | 'order'> {
  /** The versions of SSTables in the names of their files. */
  readonly tables: RegExp;
}

export const VERSIONS: readonly CassandraVersion[] = [
  {
    name: 'cassandra-2',
    purpose: 'Cassandra 1.2 to 2.2: SSTables ia to lb',
    tables: /^[ijkl][a-z]$/,
    rule: 'cassandra-2',
    order: 'be64',
  },
  {
    name: 'cassandra-3',
    purpose: 'Cassandra 3 and ScyllaDB: SSTables ma to ms',
    tables: /^m[a-z]$/,
    rule: 'cassandra',
    order: 'be64',
  },
  {
    name: 'cassandra-4',
    purpose: 'Cassandra 4 and 5: SSTables na to oa, and da',
    tables: /^(?:[no][a-z]|d[a-z])$/,
    rule: 'cassandra',
    order: 'bytes',
  },
];
