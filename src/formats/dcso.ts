import { bloom } from '../filters/bloom.ts';
import { displayName } from '../io/look.ts';
import { signatureOf } from '../io/signature.ts';
import type { ByteSource } from '../io/source.ts';
import { statedKeys, statedTarget } from './description.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';

const HEADER_BYTES = 48;

/**
 * Version 1 of DCSO's bloom, and of flor, fleur and poppy, little-endian: a u64 of flags, of which only the version is set;
 * u64 n, f64 p, u64 k, u64 m, u64 keys that set a bit; the bits, in words of 8 bytes; then whatever their user put there.
 * A digest is FNV-1, which is no more than 2^64 - 59.
 */
export const dcso: Format = {
  name: 'dcso',
  system: 'DCSO bloom',
  purpose: "DCSO's bloom, flor, fleur and poppy",
  signatures: [signatureOf('\x01\0\0\0\0\0\0\0')],
  abilities: ['ask', 'report'],
  integrity: undefined,
  comesCompressed: true,
  fileBytes: ({ bits }) => HEADER_BYTES + bitBytes(bits),
  open,
};

const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const [, capacity = 0n, , k = 0n, bits = 0n, inserted = 0n] = new BigUint64Array(head.buffer.slice(0, HEADER_BYTES));
  const targetFpr = head.getFloat64(16, true);
  requireProbes(name, bits, k);
  const m = Number(bits);
  const shape = { bits: m, segments: 1, segmentBits: m, k: Number(k) };
  return flatFile(source, {
    name,
    description: {
      format: dcso,
      kind: bloom,
      shape,
      rules: { hash: 'fnv1', seed: 0n, ignoreCase: false, trim: false },
      target: statedTarget(capacity, targetFpr),
      inserted: statedKeys(inserted),
    },
    array: { bits: m, k: shape.k, rule: 'dcso', order: 'bytes' },
    offset: HEADER_BYTES,
    bytes: bitBytes(m),
    mayHaveMore: true,
  });
}
