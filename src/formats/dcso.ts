import { bloom } from '../filters/bloom.ts';
import { displayName } from '../io/look.ts';
import { signatureOf } from '../io/signature.ts';
import type { ByteSource } from '../io/source.ts';
import { DCSO_SIZING } from '../sizing/systems/dcso.ts';
import { statedKeys, statedTarget } from './description.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { type Headed, headedDraft, headedMerging, restOf } from './headed-draft.ts';
import { BYTES } from './key-types.ts';

const HEADER_BYTES = 48;
const COUNT_AT = 40;

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
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  comesCompressed: true,
  fileBytes: ({ bits }) => HEADER_BYTES + bitBytes(bits),
  open,
  makings: [
    {
      name: 'dcso',
      purpose: "files for DCSO's bloom, flor and fleur",
      sizing: DCSO_SIZING,
      draft: async ({ items, fpr, k, bits }) => headedDraft(headed(headOf([1, items, 0, k, bits, 0].map(BigInt), fpr))),
    },
  ],
};

const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);

/** A head of these words, of which the third is the rate. */
function headOf(words: readonly bigint[], fpr: number): DataView {
  const head = new DataView(BigUint64Array.from(words).buffer);
  head.setFloat64(16, fpr, true);
  return head;
}

/** What a head says, which must be of a possible filter. */
function headed(head: DataView): Headed {
  const [, capacity = 0n, , k = 0n, bits = 0n, inserted = 0n] = new BigUint64Array(head.buffer, 0, HEADER_BYTES / 8);
  const shape = { bits: Number(bits), segments: 1, segmentBits: Number(bits), k: Number(k) };
  return {
    head: new Uint8Array(head.buffer, 0, HEADER_BYTES),
    description: {
      format: dcso,
      kind: bloom,
      shape,
      rules: { hash: 'fnv1', seed: 0n, ignoreCase: false, trim: false },
      target: statedTarget(capacity, head.getFloat64(16, true)),
      inserted: statedKeys(inserted),
    },
    array: { bits: shape.bits, k: shape.k, rule: 'dcso', order: 'bytes' },
    bytes: bitBytes(shape.bits),
    countAt: COUNT_AT,
  };
}

/** The same head of a filter without keys. */
function emptied(head: DataView): DataView {
  const copy = new DataView(head.buffer.slice(0));
  copy.setBigUint64(COUNT_AT, 0n, true);
  return copy;
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  requireProbes(name, head.getBigUint64(32, true), head.getBigUint64(24, true));
  const known = headed(head);
  const { description, array, bytes } = known;
  const rest = restOf(source, HEADER_BYTES + bytes);
  return flatFile(source, {
    name,
    description,
    array,
    offset: HEADER_BYTES,
    bytes,
    mayHaveMore: true,
    draft: headedDraft(known, rest),
    like: () => headedDraft(headed(emptied(head))),
    merging: headedMerging(known, { n: Number(head.getBigUint64(8, true)), p: head.getFloat64(16, true) }, rest),
  });
}
