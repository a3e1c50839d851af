import { BloomError, damaged } from '../../errors.ts';
import { steppedBloom } from '../../filters/stepped.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import { STEPS } from '../../sizing/steps.ts';
import { requireProbes } from '../bit-array-file.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { inMemory } from '../whole-file.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The longest string of Node. */
const LETTERS_LIMIT = 2 ** 29 - 32;

/** `getDefaultSeed` of the package. It also replaces a seed of 0. */
const DEFAULT_SEED = 0x1234567890;

interface Fields {
  readonly m: number;
  readonly k: number;
  readonly seed: number;
  readonly bits: Uint8Array;
}

/**
 * Opens a filter. Throws a `format` error with the type of an object that is not a filter, and a `memory` error for
 * long text.
 */
export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const text = await readWhole(source);
  if (text.length > LETTERS_LIMIT)
    throw new BloomError(
      'memory',
      `${name} is JSON of ${text.length} bytes, which is too large`,
      'build the filter with bloom build',
    );
  const { m, k, seed, bits } = fieldsOf(parsed(text, name), name);
  requireProbes(name, m, k);
  const bytes = Math.ceil(m / 8);
  if (bits.length < bytes) throw damaged(name, `it has ${bits.length} bytes of bits, and ${m} bits need ${bytes}`);
  const shape = { bits: m, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } } as const;
  return {
    layout: 'arrays',
    name,
    description: {
      format,
      kind: steppedBloom(STEPS['npm-bloom-filters']),
      shape: { bits: m, segments: 1, segmentBits: m, k },
      rules: {
        hash: 'xxh64-low',
        seed: hashSeed(seed + 1),
        parameters: [hashSeed(seed + 2), BigInt(k), BigInt(m)],
        words: k,
        ignoreCase: false,
        trim: false,
      },
      target: undefined,
      inserted: undefined,
      bytes: text.length,
    },
    ...inMemory(bits.subarray(0, bytes), name).arrays([{ shape, offset: 0, bytes }]),
    verified: undefined,
    close: () => source.close(),
  };
}

/** The seed of XXH64: the lower 32 bits of a number, as in JavaScript. */
function hashSeed(seed: number): bigint {
  return BigInt((seed === 0 ? DEFAULT_SEED : seed) >>> 0);
}

function parsed(text: Uint8Array, name: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text).toString());
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Text that is not JSON gets the error below.
  }
  throw damaged(name, "it begins like JSON of npm's bloom-filters, but it is not");
}

/**
 * The fields of the JSON. Throws a `format` error for other types, for versions before 3.0, and for impossible
 * filters.
 */
function fieldsOf(json: Readonly<Record<string, unknown>>, name: string): Fields {
  const { type, _size: m, _nbHashes: k, _seed: seed, _filter: filter } = json;
  if (type !== 'BloomFilter')
    throw new BloomError(
      'format',
      `${name} is a ${String(type)} of npm's bloom-filters`,
      'bloom reads only a BloomFilter of this package',
    );
  if (Array.isArray(filter))
    throw new BloomError(
      'format',
      `${name} was made by npm's bloom-filters before 3.0, which used other hashes`,
      'build it again from its keys, with version 3 or with bloom build',
    );
  const isNumbered = isWhole(m) && isWhole(k) && typeof seed === 'number';
  if (isNumbered && typeof filter === 'object' && filter !== null && 'content' in filter) {
    const { content } = filter;
    if (typeof content === 'string' && content.length % 4 === 0 && BASE64.test(content))
      return { m, k, seed, bits: Buffer.from(content, 'base64') };
  }
  throw damaged(name, 'its JSON does not describe a filter');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
