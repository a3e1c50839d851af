import { BloomError, damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import { bip37 } from '../bip37/bip37.ts';
import type { Description } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { inMemory } from '../whole-file.ts';
import { BLOOM_BYTES, RAW, SIZE_LIMIT } from './sizes.ts';

const BITS = 8 * BLOOM_BYTES;
const K = 3;

const ARRAY: BitArrayShape = { bits: BITS, k: K, rule: 'hashed', order: 'bytes', digest: { words: K, first: 0 } };

const DIGITS = /^(?:0x)?([0-9a-f]*)(?:\r?\n)?$/i;

/** Opens the bloom of a block or of a receipt. `stated` is the format that the user stated. Throws a `format` error. */
export async function open(source: ByteSource, format: Format, stated: string | undefined): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const file = await readWhole(source, SIZE_LIMIT);
  if (file === undefined || file.length > SIZE_LIMIT) throw damaged(name, 'it is longer than an Ethereum logsBloom');
  const bits = stated === RAW ? file : bytesOfText(file, name);
  if (bits.length !== BLOOM_BYTES)
    throw damaged(name, `it has ${bits.length} bytes, and an Ethereum logsBloom has ${BLOOM_BYTES}`);
  if (stated === undefined && isMessage(file)) throw ambiguous(name);
  return {
    layout: 'arrays',
    name,
    description: describe(format, file.length),
    ...inMemory(bits, name).arrays([{ shape: ARRAY, offset: 0, bytes: BLOOM_BYTES }]),
    verified: undefined,
    close: () => source.close(),
  };
}

/** Decodes hexadecimal. Throws a `format` error for any other text. */
function bytesOfText(file: Uint8Array, name: string): Uint8Array {
  const [, digits] = DIGITS.exec(Buffer.from(file).toString('latin1')) ?? [];
  if (digits !== undefined && digits.length % 2 === 0) return Buffer.from(digits, 'hex');
  throw damaged(name, 'it is not an Ethereum logsBloom in hexadecimal');
}

/** Whether a text may also be a message of BIP37, by its first and its last bytes. */
function isMessage(file: Uint8Array): boolean {
  const view = (bytes: Uint8Array) => new DataView(Uint8Array.from(bytes).buffer);
  return bip37.ends?.(view(file.subarray(-64)), file.length, view(file.subarray(0, 73))) === true;
}

function ambiguous(name: string): BloomError {
  return new BloomError(
    'format',
    `${name} may be an Ethereum logsBloom or a filterload message of BIP37`,
    'state --format ethereum or --format bip37',
  );
}

/** A filter in a file of this size. Its number of keys is unknown. */
function describe(format: Format, bytes: number): Description {
  return {
    format,
    kind: bloomStructure,
    shape: { bits: BITS, segments: 1, segmentBits: BITS, k: K },
    rules: {
      hash: 'keccak256',
      seed: 0n,
      encoding: 'hex',
      ignoreCase: false,
      trim: false,
    },
    keyType: 'hex',
    target: undefined,
    inserted: undefined,
    bytes,
  };
}
