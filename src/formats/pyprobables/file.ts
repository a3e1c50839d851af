import { BloomError, damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { requireProbes } from '../bit-array-file.ts';
import { type Description, statedKeys, statedTarget } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { inMemory, type WholeFile, wholeFile } from '../whole-file.ts';
import { binaryFooter, type Footer, textFooter } from './footer.ts';
import { VARIANTS } from './versions.ts';

/** The largest number of bits that the kernel can divide by. */
const BITS_LIMIT = 2 ** 40;

/** The longest string of Node. */
const DIGITS_LIMIT = 2 ** 29 - 32;

/**
 * Opens a filter. `stated` is the format that the user stated. Throws a `format` error, and a `memory` error for long
 * text.
 */
export async function open(source: ByteSource, format: Format, stated: string | undefined): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const whole = await wholeFile(source, name);
  const { footer, bits } = decoded(whole, name);
  const { k } = footer;
  requireProbes(name, footer.bits, k);
  if (footer.bits > BITS_LIMIT) throw damaged(name, `its footer states ${footer.bits} bits, which are too many`);
  const isChained = requireVersion(stated, name) === 'pyprobables-0.4';
  const shape: BitArrayShape = { bits: footer.bits, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } };
  return {
    layout: 'arrays',
    name,
    description: describe(format, footer, isChained, whole.size),
    ...bits.arrays([{ shape, offset: 0, bytes: Math.ceil(footer.bits / 8) }]),
    verified: undefined,
    close: () => source.close(),
  };
}

/** The footer, and a file that begins with the bits. Throws a `format` error if it is not a filter. */
function decoded(whole: WholeFile, name: string): { readonly footer: Footer; readonly bits: WholeFile } {
  const { size } = whole;
  const part = (at: number, length: number) => bytesOf(whole.read(at, length));
  const length = Math.min(size, 64);
  const [head, tail] = [part(0, length), part(size - length, length)];
  const binary = binaryFooter(tail, size);
  if (binary !== undefined) return { footer: binary, bits: whole };
  const text = textFooter(head, tail, size);
  if (text === undefined)
    throw damaged(name, `it has ${size} bytes, which do not fit its footer, which is of pyprobables`);
  if (size > DIGITS_LIMIT)
    throw new BloomError(
      'memory',
      `${name} has ${size} digits, which are too many`,
      'write the filter in binary, with export',
    );
  const digits = Buffer.from(part(0, 2 * Math.ceil(text.bits / 8))).toString('latin1');
  const bytes = Buffer.from(digits, 'hex');
  if (2 * bytes.length < digits.length) throw damaged(name, 'it has bytes that are not hexadecimal');
  return { footer: text, bits: inMemory(bytes, name) };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) => new Uint8Array(buffer, byteOffset, byteLength);

/**
 * The stated version. Throws a `format` error if none is stated, because a wrong version would report members as
 * absent.
 */
function requireVersion(stated: string | undefined, name: string): string {
  const version = VARIANTS.find((variant) => variant.name === stated);
  if (version !== undefined) return version.name;
  throw new BloomError(
    'format',
    `${name} does not show its version of pyprobables, and versions differ in their hashes`,
    'state --format pyprobables-0.5 (0.5.0 or newer) or --format pyprobables-0.4; the right version finds a key of the filter with -e KEY',
  );
}

function describe(format: Format, footer: Footer, isChained: boolean, bytes: number): Description {
  const { capacity, added, fpr, bits, k } = footer;
  return {
    format,
    kind: bloomStructure,
    shape: { bits, segments: 1, segmentBits: bits, k },
    rules: {
      hash: 'fnv1a-text',
      seed: 0n,
      parameters: [k, bits, isChained ? 1 : 0].map(BigInt),
      words: k,
      ignoreCase: false,
      trim: false,
    },
    target: statedTarget(capacity, fpr),
    inserted: statedKeys(added),
    bytes,
  };
}
