import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { displayName } from '../io/look.ts';
import type { ByteSource } from '../io/source.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { BYTES } from './key-types.ts';

const HEADER_BYTES = 6;

/**
 * How a digest becomes positions: MURMUR128_MITZ_32, the default of old releases, and MURMUR128_MITZ_64. What follows the bits
 * that these reach is never set, and never asked.
 */
const STRATEGIES = [
  { rule: 'guava-32', reach: 2 ** 31 },
  { rule: 'guava-64', reach: 2 ** 63 },
] as const;

/**
 * What `writeTo` of a Guava BloomFilter writes, big-endian: i8 strategy, u8 k, i32 words, the words of 8 bytes. Keys are the
 * bytes that its funnel made of objects, which the file does not name: of strings, as a rule, UTF-8.
 */
export const guava: Format = {
  name: 'guava',
  system: 'Guava',
  purpose: 'programs in Java with Guava',
  fits(head, size) {
    const { strategy, k, words } = fieldsOf(head);
    if (strategy === undefined) return false;
    return size === undefined ? k > 0 && words > 0 : words >= 0 && k + words > 0 && size === HEADER_BYTES + 8 * words;
  },
  abilities: ['ask', 'report'],
  keyTypes: {
    ...BYTES,
    utf16: { encoding: 'utf16le' },
    int32: { encoding: 'int32le' },
    int64: { encoding: 'int64le' },
  },
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + bits / 8,
  open,
};

function fieldsOf(head: DataView) {
  return { strategy: STRATEGIES[head.getInt8(0)], k: head.getUint8(1), words: head.getInt32(2) };
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const { strategy, k, words } = fieldsOf(await readHead(source, name, HEADER_BYTES));
  if (strategy === undefined) throw damaged(name, 'its strategy is none that Guava has');
  requireProbes(name, words, k);
  const bits = Math.min(64 * words, strategy.reach);
  return flatFile(source, {
    name,
    description: {
      format: guava,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'murmur3-128', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: strategy.rule, order: 'be64' },
    offset: HEADER_BYTES,
    bytes: 8 * words,
    mayHaveMore: false,
  });
}
