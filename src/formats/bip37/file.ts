import { BloomError, damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { asWhole } from '../../io/conversion.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import type { ArrayBlueprint, FlatMerging } from '../array-blueprint.ts';
import type { Description } from '../description.ts';
import { requireProbes } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging } from '../headed-blueprint.ts';
import { inMemory } from '../whole-file.ts';
import {
  BYTES_LIMIT,
  binaryOf,
  ENVELOPE_BYTES,
  FLAGS_LIMIT,
  isEnveloped,
  K_LIMIT,
  messageBytes,
  startOf,
  TRAILER_BYTES,
  WIDE,
} from './head.ts';
import { unwrapped, type Wrapping, wrapped, wrappedBytes } from './wrapping.ts';

/** More bytes than the longest message in hexadecimal has. */
const SIZE_LIMIT = 2 * (ENVELOPE_BYTES + messageBytes(BYTES_LIMIT)) + 2;

/** A message of a filter without keys. */
export function newBlueprint(format: Format, message: Omit<Message, 'flags'>): ArrayBlueprint {
  return making(format, { ...message, flags: 0 }).blueprint;
}

/** What a message says, but for the bits. */
interface Message {
  readonly k: number;
  readonly tweak: bigint;
  readonly flags: number;
  readonly bytes: number;
}

/** What is done with a message in its wrapping: it is made, and merged with others. */
function making(
  format: Format,
  message: Message,
  wrapping: Wrapping = {},
): { blueprint: ArrayBlueprint; merging: FlatMerging } {
  const { k, tweak, flags, bytes } = message;
  const head = Uint8Array.from(bytes < WIDE ? [bytes] : [WIDE, bytes & 0xff, bytes >> 8]);
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
  trailer.setUint32(0, k, true);
  trailer.setUint32(4, Number(tweak), true);
  trailer.setUint8(8, flags);
  const headed: Headed = {
    head,
    description: describe(format, message, wrappedBytes(messageBytes(bytes), wrapping)),
    array: arrayOf(message),
    bytes,
    convert: asWhole((all) => wrapped(all, wrapping)),
  };
  const rest = new Uint8Array(trailer.buffer);
  return { blueprint: headedBlueprint(headed, rest), merging: headedMerging(headed, { flags }, rest) };
}

/** What fixes the bits of a message. */
function arrayOf({ k, bytes }: Message): FlatShape {
  return { bits: 8 * bytes, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } };
}

/** The filter of a message, in a file of so many bytes. */
function describe(format: Format, { k, tweak, bytes }: Message, size: number): Description {
  const bits = 8 * bytes;
  return {
    format,
    kind: bloomStructure,
    shape: { bits, segments: 1, segmentBits: bits, k },
    rules: {
      hash: 'murmur3-32-each',
      seed: tweak,
      parameters: [k, bits].map(BigInt),
      words: k,
      ignoreCase: false,
      trim: false,
    },
    target: undefined,
    inserted: undefined,
    bytes: size,
  };
}

/** Opens a message; `isStated` where somebody has said that it is one. Throws a `format` error. */
export async function open(source: ByteSource, format: Format, isStated: boolean): Promise<FlatFile> {
  const name = displayName(source.name);
  const file = await readWhole(source, SIZE_LIMIT);
  if (file === undefined || file.length > SIZE_LIMIT)
    throw damaged(name, 'it is longer than the messages of BIP37 are');
  const { binary, lineEnd } = binaryOf(file);
  const isSent = isEnveloped(binary);
  const { message, network } = isSent ? await unwrapped(binary, name) : { message: binary, network: undefined };
  if (lineEnd !== undefined && !isSent && !isStated) requireMessage(message, name);
  const { offset, ...said } = decoded(message, name);
  const array = arrayOf(said);
  return {
    layout: 'flat',
    name,
    description: describe(format, said, file.length),
    ...inMemory(message, name).arrays([{ shape: array, offset, bytes: said.bytes }]),
    ...making(format, said, { network, lineEnd }),
    like: () => making(format, said).blueprint,
    verified: isSent ? 'opened' : undefined,
    close: () => source.close(),
  };
}

/** Throws a `format` error for hexadecimal that is not a whole message: it may be any text. */
function requireMessage(bytes: Uint8Array, name: string): void {
  const { count, at } = startOf(bytes);
  if (bytes.length === at + count + TRAILER_BYTES) return;
  throw new BloomError(
    'format',
    `${name} is hexadecimal text, and not a filter that bloom knows`,
    'if it is a message filterload of BIP37, state --format bip37',
  );
}

/** What a message says, and where its bits are. Throws a `format` error for what is none. */
function decoded(message: Uint8Array, name: string): Message & { readonly offset: number } {
  const { count, at } = startOf(message);
  if (message.length !== at + count + TRAILER_BYTES)
    throw damaged(
      name,
      `it has ${message.length} bytes where its first ones, as of BIP37, promise ${at + count + TRAILER_BYTES}`,
    );
  const trailer = new DataView(message.buffer, message.byteOffset + at + count, TRAILER_BYTES);
  const [k, tweak, flags] = [trailer.getUint32(0, true), trailer.getUint32(4, true), trailer.getUint8(8)];
  const bits = 8 * count;
  requireProbes(name, bits, k);
  if (k > K_LIMIT || count > BYTES_LIMIT || flags > FLAGS_LIMIT)
    throw damaged(name, `it has ${k} hashes, ${count} bytes and flags ${flags}, which BIP37 does not allow`);
  return { k, tweak: BigInt(tweak), flags, bytes: count, offset: at };
}
