import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { putBack } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import type { ByteSource } from '../io/source.ts';
import { SPARK_1_SIZING, SPARK_2_SIZING, SPARK_SIZING } from '../sizing/systems/spark.ts';
import type { SystemSizing } from '../sizing/systems/system.ts';
import type { Making } from './flat-draft.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { type Headed, headedDraft, headedMerging, requireWords } from './headed-draft.ts';
import { blockData, leastBytes } from './java/block-data.ts';
import { createJavaStream, isStream, objectOf } from './java/objects.ts';
import { BYTES } from './key-types.ts';

/** Bytes before the words, in versions 1 and 2, and the least that tell the version. */
const HEADER_BYTES = { 1: 12, 2: 16 } as const;
const VERSION_BYTES = 4;

/** Bits that positions of a version reach: what follows them is never set, and never asked. */
const REACH = { 1: 2 ** 31, 2: 2 ** 63 } as const;

const OBJECTS = ['BloomFilterImpl', 'BloomFilterImplV2'].map((name) =>
  objectOf(`org.apache.spark.util.sketch.${name}`),
);

/**
 * What `writeTo` of Spark's BloomFilter writes, big-endian: i32 version, k, from version 2 on the seed, words, and the words of 8
 * bytes. Keys are the bytes of binary values, of strings their UTF-8, and of all whole numbers those of a long.
 */
export const spark: Format = {
  name: 'spark',
  system: 'Spark',
  purpose: 'jobs of Apache Spark',
  signatures: OBJECTS,
  fits(head, size) {
    const version = versionOf(head);
    if (version === undefined) return false;
    const { k, words } = fieldsOf(head, version);
    return size === undefined ? k > 0 && words > 0 : words >= 0 && size === HEADER_BYTES[version] + 8 * words;
  },
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
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
  makings: [
    making(SPARK_SIZING, 2, 'files for Spark from release 4.1 on, as it makes them'),
    making(SPARK_1_SIZING, 1, 'files for any release of Spark: version 1'),
    making(SPARK_2_SIZING, 2, 'version 2, which is what spark makes'),
  ],
};

/** Filters of a version; only the second has a seed. */
function making(sizing: SystemSizing, version: 1 | 2, purpose: string): Making {
  return {
    name: sizing.name,
    purpose,
    sizing,
    ...(version === 1 ? {} : { seeds: [0n, 2n ** 31n - 1n] }),
    async draft({ k, bits }, seed) {
      requireWords(sizing, bits, 2 ** 31 - 1);
      const head = new DataView(new ArrayBuffer(HEADER_BYTES[version]));
      const fields = [version, k, ...(version === 1 ? [] : [Number(seed)]), bits / 64];
      for (const [i, value] of fields.entries()) head.setInt32(4 * i, value);
      return headedDraft(headed(head, version));
    },
  };
}

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
  const whole = putBack(new Uint8Array(begun.buffer), source);
  return isStream(new Uint8Array(begun.buffer)) ? openObject(whole, name) : openRaw(whole, name);
}

/** Opens what `writeTo` wrote. */
async function openRaw(source: ByteSource, name: string): Promise<FlatFile> {
  const begun = await readHead(source, name, VERSION_BYTES);
  const version = versionOf(begun);
  if (version === undefined) throw damaged(name, 'its version is none that Spark has');
  const head = await readHead(source, name, HEADER_BYTES[version], begun);
  const { k, words } = fieldsOf(head, version);
  requireProbes(name, words, k);
  const known = headed(head, version);
  const { description, array, bytes } = known;
  const draft = headedDraft(known);
  return flatFile(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES[version],
    bytes,
    mayHaveMore: false,
    draft,
    // Nothing in the head is of the keys.
    like: () => draft,
    merging: headedMerging(known, { version, words }),
  });
}

/** Opens a filter that Java has serialized: an object that has written the same by itself, in pieces. */
async function openObject(source: ByteSource, name: string): Promise<FlatFile> {
  const stream = createJavaStream(source, name);
  await stream.begin();
  await stream.thing();
  const file = await openRaw(blockData(source, name), name);
  const least = stream.position() + leastBytes(file.description.bytes ?? 0);
  const { size = least } = source;
  if (size < least) throw damaged(name, `it has ${size} bytes where it promises ${least}`);
  return { ...file, description: { ...file.description, bytes: size }, draft: undefined, merging: undefined };
}

/** What a head says of a possible filter. */
function headed(head: DataView, version: 1 | 2): Headed {
  const { k, seed, words } = fieldsOf(head, version);
  const bits = Math.min(64 * words, REACH[version]);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES[version]),
    description: {
      format: spark,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'spark-murmur3', seed: BigInt(seed), ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: `spark-${version}`, order: 'be64' },
    bytes: 8 * words,
  };
}
