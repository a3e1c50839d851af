import { cassandraSizing } from '../../sizing/systems/cassandra.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { HEADER_BYTES, VERSIONS } from './head.ts';

/** More hash functions than Cassandra gives any filter. */
const K_LIMIT = 20;

/**
 * The Filter.db of an SSTable: i32 k, i32 words, both big-endian, and the words of 8 bytes, which are big-endian up
 * to Cassandra 3. Keys are serialised partition keys; a text is serialised as UTF-8.
 */
export const cassandra: Format = {
  name: 'cassandra',
  system: 'Cassandra',
  purpose: 'nodes of Apache Cassandra and ScyllaDB',
  fits: (head, size) =>
    head.getUint32(0) > 0 && head.getUint32(0) <= K_LIMIT && (size === undefined || size === bytesOf(head)),
  promises: bytesOf,
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: {
    ...BYTES,
    int8: { encoding: 'int8' },
    int16: { encoding: 'int16be' },
    int32: { encoding: 'int32be' },
    int64: { encoding: 'int64be' },
    float: { encoding: 'float32be' },
    double: { encoding: 'float64be' },
    boolean: { encoding: 'boolean' },
    date: { encoding: 'date32be-middle' },
    uuid: { encoding: 'uuid' },
  },
  integrity: undefined,
  variants: VERSIONS.map(({ name, purpose }) => ({ name, purpose })),
  limits: ['only the name of a file shows its version: keep the name, or state --format'],
  open: async (source, _, opening) => (await import('./file.ts')).open(source, cassandra, opening),
  makings: VERSIONS.map((version) => ({
    name: version.name,
    purpose: `Filter.db for ${version.purpose}`,
    sizing: cassandraSizing(version.name),
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, cassandra, version),
  })),
};

/** Bytes of the file with this head. */
function bytesOf(head: DataView): number {
  return HEADER_BYTES + 8 * head.getUint32(4);
}
