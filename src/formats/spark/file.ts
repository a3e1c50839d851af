import { damaged } from '../../errors.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { SystemPlan, SystemSizing } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { readHead, requireProbes } from '../bit-array-file.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedFile, requireWords } from '../headed-blueprint.ts';
import { blockData, leastBytes } from '../java/block-data.ts';
import { createJavaStream } from '../java/objects.ts';
import { isStream } from '../java/signatures.ts';
import { fieldsOf, HEADER_BYTES, versionOf } from './head.ts';

/** The least number of bytes that show the version. */
const VERSION_BYTES = 4;

/** Bits that the positions of a version reach. Later bits are never set and never tested. */
const REACH = { 1: 2 ** 31, 2: 2 ** 63 } as const;

/** The filters of one variant. */
interface Made {
  readonly format: Format;
  readonly sizing: SystemSizing;
  readonly version: 1 | 2;
}

/** An empty filter. Throws a `usage` error for a size that a file cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, seed: bigint, { format, sizing, version }: Made): ArrayBlueprint {
  requireWords(sizing, bits, 2 ** 31 - 1);
  const head = new DataView(new ArrayBuffer(HEADER_BYTES[version]));
  const fields = [version, k, ...(version === 1 ? [] : [Number(seed)]), bits / 64];
  for (const [i, value] of fields.entries()) head.setInt32(4 * i, value);
  return headedBlueprint(headed(head, format, version));
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const begun = await readHead(source, name, VERSION_BYTES);
  const whole = putBack(new Uint8Array(begun.buffer), source);
  return isStream(new Uint8Array(begun.buffer)) ? openObject(whole, name, format) : openRaw(whole, name, format);
}

/** Opens the output of `writeTo`. */
async function openRaw(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const begun = await readHead(source, name, VERSION_BYTES);
  const version = versionOf(begun);
  if (version === undefined) throw damaged(name, 'its version is unknown to Spark');
  const head = await readHead(source, name, HEADER_BYTES[version], begun);
  const { k, words } = fieldsOf(head, version);
  requireProbes(name, words, k);
  return headedFile(source, name, headed(head, format, version), { version, words });
}

/** Opens a filter that Java has serialized. The object contains the output of `writeTo` in pieces. */
async function openObject(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const stream = createJavaStream(source, name);
  await stream.begin();
  await stream.object();
  const file = await openRaw(blockData(source, name), name, format);
  const least = stream.position() + leastBytes(file.description.bytes ?? 0);
  const { size = least } = source;
  if (size < least) throw damaged(name, `it has ${size} bytes, and it states at least ${least}`);
  const description = { ...file.description, bytes: size };
  return { ...file, fixedAs: 'it is a Java object', description, blueprint: undefined, merging: undefined };
}

/** The description of a head. The filter must be possible. */
function headed(head: DataView, format: Format, version: 1 | 2): Headed {
  const { k, seed, words } = fieldsOf(head, version);
  const bits = Math.min(64 * words, REACH[version]);
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES[version]),
    description: {
      format,
      kind: bloomBy(`spark-${version}`),
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'spark-murmur3', seed: BigInt(seed), ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: `spark-${version}`, order: 'be64' },
    bytes: 8 * words,
  };
}
