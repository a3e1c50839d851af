import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import type { FlatShape } from '../filters/position-rules.ts';
import { displayName } from '../io/look.ts';
import { type ByteSource, readWhole } from '../io/source.ts';
import { BIP37_SIZING } from '../sizing/systems/bip37.ts';
import type { Description } from './description.ts';
import type { FlatDraft } from './flat-draft.ts';
import { requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { BYTES } from './key-types.ts';
import { inMemory } from './whole-file.ts';

/** What follows the bits: u32 k, u32 tweak, u8 flags. */
const TRAILER_BYTES = 9;
const K_LIMIT = 50;
const BYTES_LIMIT = 36_000;
const FLAGS_LIMIT = 3;

/** A number below 253 takes a byte, and others below 2^16 two behind one that says so. */
const WIDE = 253;

/** What a node puts before a message: the network, the command, its length, and the first 4 bytes of a checksum. */
const ENVELOPE_BYTES = 24;
const COMMAND = 'filterload\0\0';

/** More bytes than the longest message in hexadecimal has. */
const SIZE_LIMIT = 2 * (ENVELOPE_BYTES + 3 + BYTES_LIMIT + TRAILER_BYTES) + 2;

/**
 * The message `filterload` of BIP37: the number of bytes, these, u32 k, u32 tweak, u8 flags, little-endian; or as nodes send it,
 * or in hexadecimal.
 */
export const bip37: Format = {
  name: 'bip37',
  system: 'BIP37',
  purpose: 'wallets and nodes of Bitcoin',
  fits(head, size) {
    const { binary, isHex } = binaryOf(bytesOf(head), size);
    if (!isHex) return isEnveloped(binary);
    if (size === undefined) return binary.length >= ENVELOPE_BYTES;
    // There may be a line end.
    return [size, size - 1, size - 2].some((digits) => isMessage(binary, digits / 2));
  },
  ends(tail, size, head) {
    if (!isMessage(bytesOf(head), size)) return false;
    const end = tail.byteLength;
    const [k, flags] = [tail.getUint32(end - TRAILER_BYTES, true), tail.getUint8(end - 1)];
    return k <= K_LIMIT && flags <= FLAGS_LIMIT;
  },
  abilities: ['ask', 'report', 'build'],
  keyTypes: BYTES,
  integrity: 'it matches its checksum',
  fileBytes: ({ bits }) => (bits / 8 < WIDE ? 1 : 3) + bits / 8 + TRAILER_BYTES,
  open,
  makings: [
    {
      name: 'bip37',
      purpose: 'messages filterload of BIP37; the seed is the tweak',
      sizing: BIP37_SIZING,
      seeds: [0n, 2n ** 32n - 1n],
      draft: async ({ k, bits }, seed) => draftOf(k, seed, bits / 8),
    },
  ],
};

/** A message of a filter of so many bytes. */
function draftOf(k: number, tweak: bigint, bytes: number): FlatDraft {
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

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, 64));

/** The bytes of hexadecimal, as far as it is some. */
function binaryOf(bytes: Uint8Array, size = bytes.length): { binary: Uint8Array; isHex: boolean } {
  const text = Buffer.from(bytes.subarray(0, size)).toString('latin1').trim();
  const isHex = text.length > 0 && /^[0-9a-fA-F]+$/.test(text);
  return { binary: isHex ? Buffer.from(text, 'hex') : bytes, isHex };
}

const isEnveloped = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 16)).toString('latin1') === COMMAND;

/** How many bytes there are of bits, and where these begin. */
function startOf(bytes: Uint8Array): { count: number; at: number } {
  const [first = 0, low = 0, high = 0] = bytes;
  return first < WIDE ? { count: first, at: 1 } : { count: first === WIDE ? low + 256 * high : BYTES_LIMIT + 1, at: 3 };
}

/** Whether a message of this length may begin so. */
function isMessage(bytes: Uint8Array, size: number): boolean {
  if (isEnveloped(bytes)) return isMessage(bytes.subarray(ENVELOPE_BYTES), size - ENVELOPE_BYTES);
  const { count, at } = startOf(bytes);
  return count > 0 && count <= BYTES_LIMIT && size === at + count + TRAILER_BYTES;
}

async function open(source: ByteSource): Promise<FlatFile> {
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
