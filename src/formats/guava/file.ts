import { damaged } from '../../errors.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { randomAccess } from '../../io/random-access.ts';
import { type ByteSource, memorySource } from '../../io/source.ts';
import type { SystemPlan, SystemSizing } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { fileOfArray, readHead, requireProbes } from '../bit-array-file.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedFile, requireWords } from '../headed-blueprint.ts';
import { readSerialForm } from '../java/serial-form.ts';
import { isStream } from '../java/signatures.ts';
import { withKeyType } from '../stated-keys.ts';
import { fieldsOf, HEADER_BYTES, MITZ_32, MITZ_64, type Strategy } from './head.ts';

/** The largest number of hash functions that fits into a head. */
const K_LIMIT = 255;

/** The filters of one variant. */
interface Made {
  readonly format: Format;
  readonly sizing: SystemSizing;
  readonly strategy: Strategy;
}

/** An empty filter. Throws a `usage` error for a size that a file cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, { format, sizing, strategy }: Made): ArrayBlueprint {
  requireWords(sizing, bits, 2 ** 31 - 1);
  return headedBlueprint(headedBy(format, strategy, { k, words: bits / 64 }));
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const begun = new Uint8Array(head.buffer);
  return isStream(begun) ? openObject(putBack(begun, source), name, format) : openRaw(source, head, name, format);
}

/** Opens the output of `writeTo`, whose head was read. */
function openRaw(source: ByteSource, head: DataView, name: string, format: Format): BitArrayFile {
  const { strategy, k, words } = fieldsOf(head);
  if (strategy === undefined) throw damaged(name, 'its strategy is unknown to Guava');
  requireProbes(name, words, k);
  return headedFile(source, name, headed(head, format, strategy), { strategy: strategy.number, words });
}

/** Opens a filter that Java has serialized. Its strategy follows its words, so a pipe is read completely. */
async function openObject(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const whole = await randomAccess(source);
  const { strategy, k, words, offset, funnel, keyType } = await readSerialForm(whole, name);
  requireProbes(name, words, k);
  if (k > K_LIMIT) throw damaged(name, `its object states an impossible number of hash functions, ${k}`);
  const known = headedBy(format, strategy === MITZ_32.name ? MITZ_32 : MITZ_64, { k, words });
  const { description, array, bytes } = known;
  const isFile = whole.file !== undefined;
  const file = fileOfArray(isFile ? source : memorySource(name, whole.read(offset, bytes)), {
    name,
    description: keyType === undefined ? { ...description, keysBy: funnel } : withKeyType(description, keyType, name),
    array,
    offset: isFile ? offset : 0,
    bytes,
    mayHaveMore: true,
    like: () => headedBlueprint(known),
  });
  const described = { ...file.description, bytes: whole.size };
  return { ...file, fixedAs: 'it is a Java object', description: described, close: () => source.close() };
}

/** A filter and its head. */
function headedBy(format: Format, strategy: Strategy, { k, words }: { k: number; words: number }): Headed {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setInt8(0, strategy.number);
  head.setUint8(1, k);
  head.setInt32(2, words);
  return headed(head, format, strategy);
}

/** The description of a head. The filter must be possible. */
function headed(head: DataView, format: Format, { rule, reach }: Strategy): Headed {
  const { k, words } = fieldsOf(head);
  const bits = Math.min(64 * words, reach);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format,
      kind: bloomBy(rule),
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'murmur3-128', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule, order: 'be64' },
    bytes: 8 * words,
  };
}
