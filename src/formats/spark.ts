import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { displayName } from '../io/look.ts';
import type { ByteSource } from '../io/source.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { BYTES } from './key-types.ts';

/** Bytes before the words, in versions 1 and 2, and the least that tell the version. */
const HEADER_BYTES = { 1: 12, 2: 16 } as const;
const VERSION_BYTES = 4;

/** Bits that positions of a version reach: what follows them is never set, and never asked. */
const REACH = { 1: 2 ** 31, 2: 2 ** 63 } as const;

/**
 * What `writeTo` of Spark's BloomFilter writes, big-endian: i32 version, k, from version 2 on the seed, words, and the words of 8
 * bytes. Keys are the bytes of binary values, of strings their UTF-8, and of all whole numbers those of a long.
 */
export const spark: Format = {
  name: 'spark',
  system: 'Spark',
  purpose: 'jobs of Apache Spark',
  fits(head, size) {
    const version = versionOf(head);
    if (version === undefined) return false;
    const { k, words } = fieldsOf(head, version);
    return size === undefined ? k > 0 && words > 0 : words >= 0 && size === HEADER_BYTES[version] + 8 * words;
  },
  abilities: ['ask', 'report'],
  keyTypes: {
    ...BYTES,
    int8: { encoding: 'int8-in-64le' },
    int16: { encoding: 'int16-in-64le' },
    int32: { encoding: 'int32-in-64le' },
    int64: { encoding: 'int64le' },
  },
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES[2] + bits / 8,
  open,
};

function versionOf(head: DataView): 1 | 2 | undefined {
  const version = head.getInt32(0);
  return version === 1 || version === 2 ? version : undefined;
}

function fieldsOf(head: DataView, version: 1 | 2) {
  return {
    k: head.getInt32(4),
    seed: version === 1 ? 0 : head.getInt32(8),
    words: head.getInt32(HEADER_BYTES[version] - 4),
  };
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, VERSION_BYTES);
  const version = versionOf(begun);
  if (version === undefined) throw damaged(name, 'its version is none that Spark has');
  const { k, seed, words } = fieldsOf(await readHead(source, name, HEADER_BYTES[version], begun), version);
  requireProbes(name, words, k);
  const bits = Math.min(64 * words, REACH[version]);
  return flatFile(source, {
    name,
    description: {
      format: spark,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'spark-murmur3', seed: BigInt(seed), ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: `spark-${version}`, order: 'be64' },
    offset: HEADER_BYTES[version],
    bytes: 8 * words,
    mayHaveMore: false,
  });
}
