import { BloomError, damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import { type Description, statedKeys, statedTarget } from '../description.ts';
import { requireProbes } from '../flat-file.ts';
import type { FlatFile, Format } from '../format.ts';
import { inMemory, type WholeFile, wholeFile } from '../whole-file.ts';
import { binaryFooter, type Footer, textFooter } from './footer.ts';
import { VARIANTS } from './versions.ts';

/** Most bits: the kernel divides by no more. */
const BITS_LIMIT = 2 ** 40;

/** Digits that a string of Node can have. */
const DIGITS_LIMIT = 2 ** 29 - 32;

/** Opens a filter. `stated` is its format, where somebody has said so. Throws a `format` error, and a `memory` error for long text. */
export async function open(source: ByteSource, format: Format, stated: string | undefined): Promise<FlatFile> {
  const name = displayName(source.name);
  const whole = await wholeFile(source, name);
  const { footer, bits } = decoded(whole, name);
  const { k } = footer;
  requireProbes(name, footer.bits, k);
  if (footer.bits > BITS_LIMIT)
    throw damaged(name, `its footer gives ${footer.bits} bits, more than a filter can have`);
  const isChained = requireVersion(stated, name) === 'pyprobables-0.4';
  const shape: FlatShape = { bits: footer.bits, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } };
  return {
    layout: 'flat',
    name,
    description: describe(format, footer, isChained, whole.size),
    ...bits.arrays([{ shape, offset: 0, bytes: Math.ceil(footer.bits / 8) }]),
    verified: undefined,
    close: () => source.close(),
  };
}

/** The footer, and a file that begins with the bits. Throws a `format` error for what is no filter. */
function decoded(whole: WholeFile, name: string): { readonly footer: Footer; readonly bits: WholeFile } {
  const { size } = whole;
  const part = (at: number, length: number) => bytesOf(whole.read(at, length));
  const length = Math.min(size, 64);
  const [head, tail] = [part(0, length), part(size - length, length)];
  const binary = binaryFooter(tail, size);
  if (binary !== undefined) return { footer: binary, bits: whole };
  const text = textFooter(head, tail, size);
  if (text === undefined)
    throw damaged(name, `it has ${size} bytes, which are not those that its last ones, as of pyprobables, promise`);
  if (size > DIGITS_LIMIT)
    throw new BloomError('memory', `${name} has ${size} digits, too many`, 'write the filter with export, in binary');
  const digits = Buffer.from(part(0, 2 * Math.ceil(text.bits / 8))).toString('latin1');
  const bytes = Buffer.from(digits, 'hex');
  if (2 * bytes.length < digits.length) throw damaged(name, 'not all of it is hexadecimal');
  return { footer: text, bits: inMemory(bytes, name) };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) => new Uint8Array(buffer, byteOffset, byteLength);

/** The version that is stated. Throws a `format` error where none is, as members would be called absent under the wrong one. */
function requireVersion(stated: string | undefined, name: string): string {
  const version = VARIANTS.find((variant) => variant.name === stated);
  if (version !== undefined) return version.name;
  throw new BloomError(
    'format',
    `${name} does not say which version of pyprobables made it, and their hashes differ`,
    'state --format pyprobables-0.5 (0.5.0 or newer) or pyprobables-0.4: the right one finds, with -e KEY, a key that is in it',
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
