/** Computes the digest of a key from its bytes. */
export interface Hash {
  readonly name: string;
  /**
   * The loop of the kernel: (spans, count, digests, parameters). A span is a u64 with the address in its low half and
   * the length in its high half. The parameters are u64s; the first is the seed.
   */
  readonly entry: string;
  /** 64-bit words of a digest. Filters made of segments need one word. */
  readonly words: number;
  /** The description in the help. */
  readonly purpose: string;
  /** 64-bit words of scratch memory that the loop needs, between the seed and the other parameters. */
  readonly scratchWords?: number;
}

/** A hash of bloomery's own format. */
interface OwnHash extends Hash {
  /** The number in files. The list is append-only: a number never changes its meaning and is never reused. */
  readonly id: number;
}

/** The hashes of bloomery's own format, in the order of their numbers in files, from 1 on. */
export const HASH_NAMES = ['xxh64', 'xxh3', 'murmur3', 'farm64'] as const;

export type OwnHashName = (typeof HASH_NAMES)[number];

/** The name of the hash with this number, if any. */
export function hashNameWithId(id: number): OwnHashName | undefined {
  return HASH_NAMES[id - 1];
}

/** Every hash of bloomery's own format. The first is the default. */
export const HASHES = [
  {
    id: 1,
    name: 'xxh64',
    entry: 'xxh64Hash',
    words: 1,
    purpose: 'the default: fast for keys of any length',
  },
  { id: 2, name: 'xxh3', entry: 'xxh3Hash', words: 1, purpose: 'XXH3 with 64 bits, as fast as xxh64 here' },
  {
    id: 3,
    name: 'murmur3',
    entry: 'murmur3Hash',
    words: 1,
    purpose: 'the first 64 bits of MurmurHash3 x64 128',
  },
  {
    id: 4,
    name: 'farm64',
    entry: 'farm64Hash',
    words: 1,
    purpose: 'FarmHash Fingerprint64, the fastest up to 64 bytes',
  },
] as const satisfies readonly OwnHash[];

/** The hashes that only filters of other systems use. */
export const FOREIGN_HASHES = [
  { name: 'murmur3-256', entry: 'bitsAndBloomsHash', words: 4, purpose: 'MurmurHash3 x64 128, also with a byte more' },
  { name: 'wyhash1', entry: 'poppyHash', words: 2, purpose: 'the first wyhash, of keys beyond 8 bytes, and its own' },
  { name: 'fnv1', entry: 'fnv1Hash', words: 1, purpose: 'FNV-1 with 64 bits' },
  { name: 'murmur3-128', entry: 'murmur3WideHash', words: 2, purpose: 'MurmurHash3 x64 128, all of it' },
  { name: 'cassandra-murmur3', entry: 'cassandraHash', words: 2, purpose: 'MurmurHash3 x64 128 as Cassandra has it' },
  { name: 'xxh64-128', entry: 'datasketchesHash', words: 2, purpose: 'XXH64, twice, but none of an empty key' },
  {
    name: 'lookup3-chain',
    entry: 'hadoopJenkinsHash',
    words: 1,
    purpose: "Jenkins' lookup3, each the seed of the next",
  },
  {
    name: 'murmur2-chain',
    entry: 'hadoopMurmurHash',
    words: 1,
    purpose: "Hadoop's MurmurHash2, each the seed of the next",
  },
  { name: 'murmur3-32-each', entry: 'bip37Hash', words: 1, purpose: 'MurmurHash3 x86 32, of each position' },
  {
    name: 'keccak256',
    entry: 'ethereumHash',
    words: 3,
    scratchWords: 42,
    purpose: 'Keccak-256, its first three pairs of bytes',
  },
  { name: 'md5-pieces', entry: 'marcanHash', words: 1, scratchWords: 122, purpose: 'MD5, in pieces' },
  {
    name: 'pybloom',
    entry: 'pybloomHash',
    words: 1,
    scratchWords: 120,
    purpose: 'MD5, XXH3 with 128 bits, SHA-1 or SHA-2, behind salts',
  },
  { name: 'xxh64-low', entry: 'npmBloomFiltersHash', words: 1, purpose: 'the low halves of XXH64 with two seeds' },
  { name: 'fnv1a-text', entry: 'pyprobablesTextHash', words: 1, purpose: 'FNV-1a of characters, of each position' },
  { name: 'fnv1a-bytes', entry: 'pyprobablesBytesHash', words: 1, purpose: 'FNV-1a of bytes, of each position' },
  { name: 'spark-murmur3', entry: 'sparkHash', words: 1, purpose: 'MurmurHash3 x86 32 as Spark has it, twice' },
  { name: 'murmur64a', entry: 'murmur64aTwice', words: 2, purpose: 'MurmurHash64A, twice' },
  { name: 'xxph3', entry: 'xxph3Hash', words: 3, purpose: 'XXH3 with 64 bits before it was final, and a part' },
  { name: 'leveldb', entry: 'leveldbHash', words: 3, purpose: 'the 32 bits of LevelDB, and a part' },
  { name: 'hbase-jenkins', entry: 'hbaseJenkinsHash', words: 3, purpose: "Jenkins' lookup3, twice, and a part" },
  { name: 'hbase-murmur2', entry: 'hbaseMurmur2Hash', words: 3, purpose: 'MurmurHash2 with signed bytes, the same' },
  { name: 'hbase-murmur3', entry: 'hbaseMurmur3Hash', words: 3, purpose: 'MurmurHash3 x86 32, the same' },
  { name: 'postgres', entry: 'postgresHash', words: 1, purpose: "PostgreSQL's hash of texts and numbers" },
  { name: 'rocksdb', entry: 'rocksdbHash', words: 3, purpose: 'the same with signed bytes, and a part' },
  { name: 'orc-murmur3', entry: 'orcHash', words: 1, purpose: 'one half of MurmurHash3 x64 128, by itself' },
  { name: 'orc-wang', entry: 'orcNumberHash', words: 1, purpose: "Thomas Wang's hash of numbers with 64 bits" },
  { name: 'murmur64a-once', entry: 'murmur64aOnce', words: 1, purpose: 'MurmurHash64A' },
  { name: 'number', entry: 'numberHash', words: 1, purpose: 'none: the key is a number' },
  { name: 'murmur2', entry: 'murmur2Twice', words: 2, purpose: 'MurmurHash2 with 32 bits, twice' },
] as const satisfies readonly Hash[];

export type HashName = OwnHashName | (typeof FOREIGN_HASHES)[number]['name'];

/** The hash of bloomery's own format with this id, if any. */
export function hashWithId(id: number): (typeof HASHES)[number] | undefined {
  return HASHES.find((hash) => hash.id === id);
}

/** The hash of bloomery's own format with this name. Throws for a hash of another system. */
export function ownHashNamed(name: HashName): (typeof HASHES)[number] {
  const hash = HASHES.find((candidate) => candidate.name === name);
  if (hash === undefined) throw new Error(`${name} is no hash of our own filters`);
  return hash;
}

export function hashNamed(
  name: HashName,
): (typeof HASHES | typeof FOREIGN_HASHES)[number] & Pick<Hash, 'scratchWords'> {
  const hash = [...HASHES, ...FOREIGN_HASHES].find((candidate) => candidate.name === name);
  if (hash === undefined) throw new Error(`there is no hash ${name}`);
  return hash;
}
