import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import type { PositionRuleName } from '../filters/position-rules.ts';
import { putBack } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { randomAccess } from '../io/random-access.ts';
import { type ByteSource, memorySource } from '../io/source.ts';
import { GUAVA_33_4_SIZING, GUAVA_MITZ32_SIZING, GUAVA_SIZING } from '../sizing/systems/guava.ts';
import type { SystemSizing } from '../sizing/systems/system.ts';
import type { Making } from './flat-draft.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { type Headed, headedDraft, headedMerging, requireWords } from './headed-draft.ts';
import { isStream } from './java/objects.ts';
import { readSerialForm, SERIAL_FORM } from './java/serial-form.ts';
import { BYTES, withKeyType } from './key-types.ts';

const HEADER_BYTES = 6;

/** Hashes that a head has room for. */
const K_LIMIT = 255;

/**
 * How a digest becomes positions: MURMUR128_MITZ_32, the default of old releases, and MURMUR128_MITZ_64. What follows the bits
 * that these reach is never set, and never asked.
 */
const MITZ_32: Strategy = { name: 'MURMUR128_MITZ_32', number: 0, rule: 'guava-32', reach: 2 ** 31 };
const MITZ_64: Strategy = { name: 'MURMUR128_MITZ_64', number: 1, rule: 'guava-64', reach: 2 ** 63 };
const STRATEGIES: readonly Strategy[] = [MITZ_32, MITZ_64];

interface Strategy {
  /** Where Java serializes it. */
  readonly name: string;
  /** In a head, and in `STRATEGIES`. */
  readonly number: number;
  readonly rule: PositionRuleName;
  readonly reach: number;
}

/**
 * What `writeTo` of a Guava BloomFilter writes, big-endian: i8 strategy, u8 k, i32 words, the words of 8 bytes. Keys are the
 * bytes that its funnel made of objects, which the file does not name: of strings, as a rule, UTF-8. What Java serializes of the
 * filter names the funnel.
 */
export const guava: Format = {
  name: 'guava',
  system: 'Guava',
  purpose: 'programs in Java with Guava',
  signatures: [SERIAL_FORM],
  fits(head, size) {
    const { strategy, k, words } = fieldsOf(head);
    if (strategy === undefined) return false;
    return size === undefined ? k > 0 && words > 0 : words >= 0 && k + words > 0 && size === HEADER_BYTES + 8 * words;
  },
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: {
    ...BYTES,
    utf16: { encoding: 'utf16le' },
    int8: { encoding: 'int8' },
    int16: { encoding: 'int16le' },
    int32: { encoding: 'int32le' },
    int64: { encoding: 'int64le' },
    float: { encoding: 'float32le' },
    double: { encoding: 'float64le' },
    boolean: { encoding: 'boolean' },
  },
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + bits / 8,
  open,
  makings: [
    making(GUAVA_SIZING, MITZ_64, 'files for Guava, sized as up to release 33.3'),
    making(GUAVA_33_4_SIZING, MITZ_64, 'the same, sized as from release 33.4 on: k differs for a few keys'),
    making(GUAVA_MITZ32_SIZING, MITZ_32, 'files for Guava before release 13, by its older strategy'),
  ],
};

/** Filters of a strategy. Throws a `usage` error for those of which no file can say how they are. */
function making(sizing: SystemSizing, strategy: Strategy, purpose: string): Making {
  return {
    name: sizing.name,
    purpose,
    sizing,
    async draft({ k, bits }) {
      requireWords(sizing, bits, 2 ** 31 - 1);
      return headedDraft(headedBy(strategy, k, bits / 64));
    },
  };
}

function fieldsOf(head: DataView) {
  return { strategy: STRATEGIES[head.getInt8(0)], k: head.getUint8(1), words: head.getInt32(2) };
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const begun = new Uint8Array(head.buffer);
  return isStream(begun) ? openObject(putBack(begun, source), name) : openRaw(source, head, name);
}

/** Opens what `writeTo` wrote, and of which the head was read. */
function openRaw(source: ByteSource, head: DataView, name: string): FlatFile {
  const { strategy, k, words } = fieldsOf(head);
  if (strategy === undefined) throw damaged(name, 'its strategy is none that Guava has');
  requireProbes(name, words, k);
  const known = headed(head, strategy);
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
    merging: headedMerging(known, { strategy: strategy.number, words }),
  });
}

/** Opens a filter that Java has serialized, which has its strategy behind its words: what is no file is read as a whole. */
async function openObject(source: ByteSource, name: string): Promise<FlatFile> {
  const whole = await randomAccess(source);
  const { strategy, k, words, offset, funnel, keyType } = await readSerialForm(whole, name);
  requireProbes(name, words, k);
  if (k > K_LIMIT) throw damaged(name, `its object gives an impossible number of hashes, ${k}`);
  const known = headedBy(strategy === MITZ_32.name ? MITZ_32 : MITZ_64, k, words);
  const { description, array, bytes } = known;
  const isFile = whole.file !== undefined;
  const file = flatFile(isFile ? source : memorySource(name, whole.read(offset, bytes)), {
    name,
    description: keyType === undefined ? { ...description, keysBy: funnel } : withKeyType(description, keyType, name),
    array,
    offset: isFile ? offset : 0,
    bytes,
    mayHaveMore: true,
    like: () => headedDraft(known),
  });
  return { ...file, description: { ...file.description, bytes: whole.size }, close: () => source.close() };
}

/** A filter, and the head that it has. */
function headedBy(strategy: Strategy, k: number, words: number): Headed {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setInt8(0, strategy.number);
  head.setUint8(1, k);
  head.setInt32(2, words);
  return headed(head, strategy);
}

/** What a head says of a possible filter. */
function headed(head: DataView, { rule, reach }: Strategy): Headed {
  const { k, words } = fieldsOf(head);
  const bits = Math.min(64 * words, reach);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format: guava,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'murmur3-128', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule, order: 'be64' },
    bytes: 8 * words,
  };
}
