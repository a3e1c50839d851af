import { damaged } from '../../errors.ts';
import { bloom } from '../../filters/bloom.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import type { Description } from '../description.ts';
import type { FlatDraft } from '../flat-draft.ts';
import { requireProbes } from '../flat-file.ts';
import type { FlatFile } from '../format.ts';
import { inMemory } from '../whole-file.ts';
import {
  BYTES_LIMIT,
  binaryOf,
  bip37,
  ENVELOPE_BYTES,
  FLAGS_LIMIT,
  isEnveloped,
  K_LIMIT,
  startOf,
  TRAILER_BYTES,
  WIDE,
} from './bip37.ts';

/** More bytes than the longest message in hexadecimal has. */
const SIZE_LIMIT = 2 * (ENVELOPE_BYTES + 3 + BYTES_LIMIT + TRAILER_BYTES) + 2;

/** A message of a filter of so many bytes. */
export function draftOf(k: number, tweak: bigint, bytes: number): FlatDraft {
  const count = bytes < WIDE ? [bytes] : [WIDE, bytes & 0xff, bytes >> 8];
  const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
  trailer.setUint32(0, k, true);
  trailer.setUint32(4, Number(tweak), true);
  const pieces = [Uint8Array.from(count), { array: 0, from: 0, bytes }, new Uint8Array(trailer.buffer)];
  const description = describe(k, tweak, 8 * bytes, count.length + bytes + TRAILER_BYTES);
  return {
    description,
    arrays: [{ shape: arrayOf(k, 8 * bytes), bytes }],
    countsKeys: false,
    written: () => ({ description, pieces }),
  };
}

function arrayOf(k: number, bits: number): FlatShape {
  return { bits, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } };
}

function describe(k: number, tweak: bigint, bits: number, size: number): Description {
  return {
    format: bip37,
    kind: bloom,
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

export async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const file = await readWhole(source);
  if (file.length > SIZE_LIMIT) throw damaged(name, 'it is longer than the messages of BIP37 are');
  const { binary } = binaryOf(file);
  const isSent = isEnveloped(binary);
  if (isSent) await requireChecksum(binary, name);
  const message = isSent ? binary.subarray(ENVELOPE_BYTES) : binary;
  const { description, bytes, offset } = decoded(message, name, file.length);
  const { shape, rules } = description;
  return {
    layout: 'flat',
    name,
    description,
    ...inMemory(message, name).arrays([{ shape: arrayOf(shape.k, shape.bits), offset, bytes }]),
    like: () => draftOf(shape.k, rules.seed, bytes),
    verified: isSent ? 'opened' : undefined,
    close: () => source.close(),
  };
}

/** The filter of a message, and where its bits are. Throws a `format` error for what is none. */
function decoded(message: Uint8Array, name: string, size: number) {
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
  return { description: describe(k, BigInt(tweak), bits, size), bytes: count, offset: at };
}

/** Throws a `format` error for a message that is not as it was sent. */
async function requireChecksum(sent: Uint8Array, name: string): Promise<void> {
  // Here, as few need it and it takes time to load.
  const { createHash } = await import('node:crypto');
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const checksum = sha(sha(sent.subarray(ENVELOPE_BYTES))).subarray(0, 4);
  if (Buffer.compare(checksum, sent.subarray(20, ENVELOPE_BYTES)) !== 0)
    throw damaged(name, 'it does not match its checksum');
}
