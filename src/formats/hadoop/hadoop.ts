import { bears, signatureOf } from '../../io/signature.ts';
import { HADOOP_SIZING, HUDI_SIZING } from '../../sizing/systems/hudi.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

export const HEADER_BYTES = 13;

/** The hashes, as they are numbered. */
export const HASHES = ['lookup3-chain', 'murmur2-chain'] as const;

/** Positions of a key that are taken for possible: each is a hash. */
const K_LIMIT = 1024;

/** The version, -1, and it in base64. */
const BINARY = signatureOf('\xff\xff\xff\xff');
const TEXT = signatureOf('/////w');

/**
 * What `write` of Hadoop's BloomFilter gives, big-endian: i32 -1, i32 k, u8 hash, i32 m, and the bits. That of a
 * DynamicBloomFilter has, in the place of the bits, i32 keys of a row, i32 keys in the last, i32 rows, and these, each as a
 * BloomFilter. `relatives.ts` has what CountingBloomFilter and RetouchedBloomFilter write. Hudi keeps either as base64. Keys are bytes, of record keys UTF-8.
 */
export const hadoop: Format = {
  name: 'hadoop',
  system: 'Hadoop',
  purpose: 'Apache Hadoop and Hudi',
  fits: (head) => isHeader(isText(bytesOf(head)) ? decodedStart(head) : head),
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + Math.ceil(bits / 8),
  open: async (source) => (await import('./file.ts')).open(source),
  makings: [
    {
      name: 'hadoop',
      purpose: "files for Hadoop's BloomFilter, sized as Hudi does",
      sizing: HADOOP_SIZING,
      draft: async (plan) => (await import('./file.ts')).newDraft(plan),
    },
    {
      name: 'hudi',
      purpose: 'the same as base64, as Hudi has it in the footers of base files',
      sizing: HUDI_SIZING,
      draft: async (plan) => (await import('./file.ts')).newDraft(plan, true),
    },
  ],
};

export const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
/** Whether a file begins as base64 of a filter does. */
export const isText = (head: Uint8Array) => bears(head, TEXT);

export function isHeader(head: DataView): boolean {
  const { k, m } = fieldsOf(head);
  return bears(bytesOf(head), BINARY) && k > 0 && k <= K_LIMIT && head.getUint8(8) < HASHES.length && m > 0;
}

/** What the first 24 letters of base64 stand for. */
function decodedStart(head: DataView): DataView {
  const bytes = new Uint8Array(18);
  bytes.set(Buffer.from(Buffer.from(bytesOf(head).subarray(0, 24)).toString('latin1'), 'base64').subarray(0, 18));
  return new DataView(bytes.buffer);
}

/** What a header says. */
export function fieldsOf(head: DataView) {
  return { k: head.getInt32(4), hash: HASHES[head.getUint8(8)], m: head.getInt32(9) };
}
