import { BloomError } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import type { FlatShape } from '../filters/position-rules.ts';
import { displayName } from '../io/look.ts';
import type { ByteSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { cassandraSizing } from '../sizing/systems/cassandra.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format, FormatVariant } from './format.ts';
import { type Headed, headedDraft, headedMerging, requireWords } from './headed-draft.ts';
import { BYTES } from './key-types.ts';
import type { Opening } from './opening.ts';

const HEADER_BYTES = 8;

/** More hashes than Cassandra gives any filter. */
const K_LIMIT = 20;

/** Versions of Cassandra that differ in what a key is in a filter. */
interface Version extends FormatVariant, Pick<FlatShape, 'rule' | 'order'> {
  /** Those of SSTables, in the names of their files. */
  readonly tables: RegExp;
}

const VERSIONS: readonly Version[] = [
  {
    name: 'cassandra-2',
    purpose: 'Cassandra 1.2 to 2.2: files of SSTables ia to lb',
    tables: /^[ijkl][a-z]$/,
    rule: 'cassandra-2',
    order: 'be64',
  },
  {
    name: 'cassandra-3',
    purpose: 'Cassandra 3, and ScyllaDB: ma to ms',
    tables: /^m[a-z]$/,
    rule: 'cassandra',
    order: 'be64',
  },
  {
    name: 'cassandra-4',
    purpose: 'Cassandra 4 and 5: na to oa, da',
    tables: /^(?:[no][a-z]|d[a-z])$/,
    rule: 'cassandra',
    order: 'bytes',
  },
];

/** The end of a name: `nb-1-big-Filter.db`, or up to 2.1 `keyspace-table-ka-1-Filter.db`. */
const FILE_NAME = /(?:^|[^A-Za-z0-9])([a-z]{2})-[0-9a-z_]+(?:-(?:big|bti))?-Filter\.db$/;

/**
 * The Filter.db of an SSTable: i32 k, i32 words, big-endian, and the words of 8 bytes, which are big-endian up to Cassandra 3.
 * Keys are partition keys as Cassandra serialises them: of text its UTF-8.
 */
export const cassandra: Format = {
  name: 'cassandra',
  system: 'Cassandra',
  purpose: 'a node of Apache Cassandra or ScyllaDB',
  fits: (head, size) =>
    head.getUint32(0) > 0 && head.getUint32(0) <= K_LIMIT && (size === undefined || size === 8 + 8 * head.getUint32(4)),
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
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
  limits: ['its files do not say which version has written them: their names do, or --format'],
  fileBytes: ({ bits }) => HEADER_BYTES + bits / 8,
  open,
  makings: VERSIONS.map((version) => ({
    name: version.name,
    purpose: `Filter.db of SSTables of ${version.purpose.replace(/.*: /, '')}`,
    sizing: cassandraSizing(version.name),
    async draft({ k, bits }) {
      requireWords(cassandraSizing(version.name), bits, 2 ** 31 - 1);
      const head = new DataView(new ArrayBuffer(HEADER_BYTES));
      head.setUint32(0, k);
      head.setUint32(4, bits / 64);
      return headedDraft(headed(head, version));
    },
  })),
};

async function open(source: ByteSource, _: Kernel | undefined, { format }: Opening): Promise<FlatFile> {
  const name = displayName(source.name);
  const version = versionOf(source.name, format);
  const head = await readHead(source, name, HEADER_BYTES);
  requireProbes(name, head.getUint32(4), head.getUint32(0));
  const known = headed(head, version);
  const { description, array, bytes } = known;
  const draft = headedDraft(known);
  return flatFile(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES,
    bytes,
    mayHaveMore: false,
    draft,
    // Nothing in the head is of the keys.
    like: () => draft,
    merging: headedMerging(known, { version: version.name }),
  });
}

/** What a head says of a possible filter. */
function headed(head: DataView, { rule, order }: Version): Headed {
  const [k, words] = [head.getUint32(0), head.getUint32(4)];
  const bits = 64 * words;
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format: cassandra,
      kind: bloom,
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
  'it has one word, as where CQLSSTableWriter did not know how many keys would come: it says yes to nearly every key until its table is compacted';

/** The version that is stated, or else that of the name of the file. Throws a `format` error where neither says it. */
function versionOf(file: string, stated: string | undefined): Version {
  const [, table = ''] = FILE_NAME.exec(file) ?? [];
  const version = VERSIONS.find(({ name }) => name === stated) ?? VERSIONS.find(({ tables }) => tables.test(table));
  if (version !== undefined) return version;
  const [first, ...others] = VERSIONS.map(({ name }) => name);
  throw new BloomError(
    'format',
    `${displayName(file)} is a filter of Cassandra, of which neither it nor its name says the version`,
    `its name ended as in nb-1-big-Filter.db; or state --format ${first}, ${others.join(' or ')}: the right one finds, with -e KEY, a key that is in the table`,
  );
}
