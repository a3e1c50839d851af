import { BloomError, damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { asWhole } from '../../io/conversion.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import type { ArrayBlueprint, ArrayMerging } from '../array-blueprint.ts';
import { requireProbes } from '../bit-array-file.ts';
import type { Description } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging } from '../headed-blueprint.ts';
import { inMemory } from '../whole-file.ts';
import {
  BYTES_LIMIT,
  binaryOf,
  COMMAND,
  ENVELOPE_BYTES,
  FLAGS_LIMIT,
  isEnveloped,
  K_LIMIT,
  messageBytes,
  startOf,
  TRAILER_BYTES,
  WIDE,
} from './head.ts';

/** Larger than the longest message in hexadecimal. */
const SIZE_LIMIT = 2 * (ENVELOPE_BYTES + messageBytes(BYTES_LIMIT)) + 2;

/** A message of a filter without keys. */
export function newBlueprint(format: Format, message: Omit<Message, 'flags'>): ArrayBlueprint {
  return making(format, { ...message, flags: 0 }).blueprint;
}

/** The fields of a message without the bits. */
interface Message {
  readonly k: number;
  readonly tweak: bigint;
  readonly flags: number;
  readonly bytes: number;
}

/** How a message in its wrapping is made, and merged with others. */
function making(
  format: Format,
  message: Message,
  wrapping: Wrapping = {},
): { blueprint: ArrayBlueprint; merging: ArrayMerging } {
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

/** The shape of the bits of a message. */
function arrayOf({ k, bytes }: Message): BitArrayShape {
  return { bits: 8 * bytes, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } };
}

/** The filter of a message in a file of this size. */
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

/** Opens a message. `isStated` is true if the user stated the format. Throws a `format` error. */
export async function open(source: ByteSource, format: Format, isStated: boolean): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const file = await readWhole(source, SIZE_LIMIT);
  if (file === undefined || file.length > SIZE_LIMIT) throw damaged(name, 'it is longer than any message of BIP37');
  const { binary, lineEnd } = binaryOf(file);
  const isSent = isEnveloped(binary);
  const { message, network } = isSent ? await unwrapped(binary, name) : { message: binary, network: undefined };
  if (lineEnd !== undefined && !isSent && !isStated) requireMessage(message, name);
  const { offset, ...said } = decoded(message, name);
  const array = arrayOf(said);
  return {
    layout: 'arrays',
    name,
    description: describe(format, said, file.length),
    ...inMemory(message, name).arrays([{ shape: array, offset, bytes: said.bytes }]),
    ...making(format, said, { network, lineEnd }),
    like: () => making(format, said).blueprint,
    verified: isSent ? 'opened' : undefined,
    close: () => source.close(),
  };
}

/** Throws a `format` error for hexadecimal text that is not a whole message. It may be any text. */
function requireMessage(bytes: Uint8Array, name: string): void {
  const { count, at } = startOf(bytes);
  if (bytes.length === at + count + TRAILER_BYTES) return;
  throw new BloomError(
    'format',
    `${name} is hexadecimal text, but not a filter that bloom knows`,
    'if it is a filterload message of BIP37, state --format bip37',
  );
}

/** The fields of a message and the offset of its bits. Throws a `format` error if it is malformed. */
function decoded(message: Uint8Array, name: string): Message & { readonly offset: number } {
  const { count, at } = startOf(message);
  if (message.length !== at + count + TRAILER_BYTES)
    throw damaged(
      name,
      `it has ${message.length} bytes instead of the ${at + count + TRAILER_BYTES} that its first bytes state for BIP37`,
    );
  const trailer = new DataView(message.buffer, message.byteOffset + at + count, TRAILER_BYTES);
  const [k, tweak, flags] = [trailer.getUint32(0, true), trailer.getUint32(4, true), trailer.getUint8(8)];
  const bits = 8 * count;
  requireProbes(name, bits, k);
  if (k > K_LIMIT || count > BYTES_LIMIT || flags > FLAGS_LIMIT)
    throw damaged(
      name,
      `it has ${k} hash functions, ${count} bytes and the flags ${flags}, which BIP37 does not allow`,
    );
  return { k, tweak: BigInt(tweak), flags, bytes: count, offset: at };
}

// The wrapping of a BIP37 message in a file: the envelope of a node, and hexadecimal.

/** The wrapping of a message in a file. */
interface Wrapping {
  /** The network in the envelope. Undefined without an envelope. */
  readonly network?: Uint8Array | undefined;
  /** The text after the hexadecimal digits. Undefined for a binary file. */
  readonly lineEnd?: string | undefined;
}

/** Bytes of the file of a message with this many bytes. */
function wrappedBytes(message: number, { network, lineEnd }: Wrapping): number {
  const sent = message + (network === undefined ? 0 : ENVELOPE_BYTES);
  return lineEnd === undefined ? sent : 2 * sent + lineEnd.length;
}

/** The bytes of the file of a message. */
async function wrapped(message: Uint8Array, { network, lineEnd }: Wrapping): Promise<Uint8Array> {
  const sent = network === undefined ? message : Buffer.concat([await envelopeOf(message, network), message]);
  return lineEnd === undefined ? sent : Buffer.from(Buffer.from(sent).toString('hex') + lineEnd);
}

async function envelopeOf(message: Uint8Array, network: Uint8Array): Promise<Uint8Array> {
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, message.length, true);
  const command = Buffer.from(COMMAND, 'latin1');
  return Buffer.concat([network, command, new Uint8Array(length.buffer), await checksumOf(message)]);
}

/** The message in an envelope, and its network. Throws a `format` error if the checksum does not match. */
async function unwrapped(
  sent: Uint8Array,
  name: string,
): Promise<{ readonly message: Uint8Array; readonly network: Uint8Array }> {
  const message = sent.subarray(ENVELOPE_BYTES);
  if (Buffer.compare(await checksumOf(message), sent.subarray(ENVELOPE_BYTES - 4, ENVELOPE_BYTES)) !== 0)
    throw damaged(name, 'its checksum does not match');
  return { message, network: sent.slice(0, 4) };
}

/** The first 4 bytes of SHA-256 of SHA-256. */
async function checksumOf(message: Uint8Array): Promise<Uint8Array> {
  // Few files need this module, and it takes time to load.
  const { createHash } = await import('node:crypto');
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  return sha(sha(message)).subarray(0, 4);
}
