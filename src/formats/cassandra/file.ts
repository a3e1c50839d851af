import { BloomError } from '../../errors.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { cassandraSizing } from '../../sizing/systems/cassandra.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { readHead, requireProbes } from '../bit-array-file.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedFile, requireWords } from '../headed-blueprint.ts';
import type { Opening } from '../opening.ts';
import { type CassandraVersion, HEADER_BYTES, VERSIONS } from './head.ts';

/** The end of a name: `nb-1-big-Filter.db`, or up to 2.1 `keyspace-table-ka-1-Filter.db`. */
const FILE_NAME = /(?:^|[^A-Za-z0-9])([a-z]{2})-[0-9a-z_]+(?:-(?:big|bti))?-Filter\.db$/;

/** An empty filter. Throws a `usage` error for a size that a file cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, format: Format, version: CassandraVersion): ArrayBlueprint {
  requireWords(cassandraSizing(version.name), bits, 2 ** 31 - 1);
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setUint32(0, k);
  head.setUint32(4, bits / 64);
  return headedBlueprint(headed(head, format, version));
}

export async function open(source: ByteSource, format: Format, { format: stated }: Opening): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const version = versionOf(source.name, stated);
  const head = await readHead(source, name, HEADER_BYTES);
  requireProbes(name, head.getUint32(4), head.getUint32(0));
  return headedFile(source, name, headed(head, format, version), { version: version.name });
}

/** The description of a head. The filter must be possible. */
function headed(head: DataView, format: Format, { rule, order }: CassandraVersion): Headed {
  const [k, words] = [head.getUint32(0), head.getUint32(4)];
  const bits = 64 * words;
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format,
      kind: bloomBy(rule),
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'cassandra-murmur3', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
      remarks: words === 1 ? [ONE_WORD] : [],
    },
    array: { bits, k, rule, order },
    bytes: 8 * words,
  };
}

const ONE_WORD =
  'it has only one word, as CQLSSTableWriter writes it; it accepts nearly every key until its table is compacted';

/** The stated version, or that of the file name. Throws a `format` error if neither exists. */
function versionOf(file: string, stated: string | undefined): CassandraVersion {
  const [, table = ''] = FILE_NAME.exec(file) ?? [];
  const version = VERSIONS.find(({ name }) => name === stated) ?? VERSIONS.find(({ tables }) => tables.test(table));
  if (version !== undefined) return version;
  const [first, ...others] = VERSIONS.map(({ name }) => name);
  throw new BloomError(
    'format',
    `${displayName(file)} is a filter of Cassandra, and its name does not show the version`,
    `give it its old name, such as nb-1-big-Filter.db, or state --format ${first}, ${others.join(' or ')}: the right version finds a key of the table with -e KEY`,
  );
}
