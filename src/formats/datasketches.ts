import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { displayName } from '../io/look.ts';
import { signatureOf } from '../io/signature.ts';
import type { ByteSource } from '../io/source.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { BYTES } from './key-types.ts';

/** Bytes before the bits; an image of an empty filter has fewer, and no bits. */
const HEADER_BYTES = 32;
const EMPTY_BYTES = 24;
const IS_EMPTY = 4;

/**
 * The image of a Bloom filter of Apache DataSketches, little-endian: its preamble in words of 8 bytes, 3 or 4, version 1, family 21,
 * flags; u16 k, two NULs; u64 seed; u32 words, four NULs; u64 bits that are set, or -1 where nobody has counted; the words. An
 * empty one ends before the bits that are set.
 */
export const datasketches: Format = {
  name: 'datasketches',
  system: 'Apache DataSketches',
  purpose: 'programs in Java and C++ with its library',
  signatures: ['\x03\x01\x15', '\x04\x01\x15'].map(signatureOf),
  abilities: ['ask', 'report'],
  keyTypes: {
    ...BYTES,
    int8: { encoding: 'int8-in-64le' },
    int16: { encoding: 'int16-in-64le' },
    int32: { encoding: 'int32-in-64le' },
    int64: { encoding: 'int64le' },
    uint8: { encoding: 'uint8-in-64le' },
    uint16: { encoding: 'uint16-in-64le' },
    uint32: { encoding: 'uint32-in-64le' },
    uint64: { encoding: 'uint64le' },
    // As in C++; in Java -0 is another number than 0.
    float: { encoding: 'float32-in-64le-one-zero' },
    double: { encoding: 'float64le-one-zero' },
  },
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + bits / 8,
  open,
};

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, EMPTY_BYTES);
  const isEmpty = (head.getUint8(3) & IS_EMPTY) !== 0;
  if (isEmpty !== (head.getUint8(0) === EMPTY_BYTES / 8)) throw damaged(name, 'its flags and its preamble disagree');
  const [k, seed, words] = [head.getUint16(4, true), head.getBigUint64(8, true), head.getUint32(16, true)];
  requireProbes(name, words, k);
  const bits = 64 * words;
  const offset = isEmpty ? EMPTY_BYTES : HEADER_BYTES;
  if (!isEmpty) await readHead(source, name, HEADER_BYTES, head);
  return flatFile(source, {
    name,
    description: {
      format: datasketches,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'xxh64-128', seed, ignoreCase: false, trim: false },
      target: undefined,
      inserted: isEmpty ? 0 : undefined,
    },
    // The bit behind them is that of empty keys. Of no bits none are held, however many there could be.
    array: { bits: (isEmpty ? 64 : bits) + 1, k, rule: 'datasketches', order: 'bytes' },
    offset,
    bytes: isEmpty ? 0 : bits / 8,
    mayHaveMore: false,
  });
}
