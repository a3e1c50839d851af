import { HADOOP_SIZING, HUDI_SIZING } from '../../sizing/systems/hudi.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { bytesOf, HEADER_BYTES, isHeader, isText } from './head.ts';

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
  open: async (source) => (await import('./file.ts')).open(source, hadoop),
  makings: [
    {
      name: 'hadoop',
      purpose: "files for Hadoop's BloomFilter, sized as Hudi does",
      sizing: HADOOP_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, hadoop),
    },
    {
      name: 'hudi',
      purpose: 'the same as base64, as Hudi has it in the footers of base files',
      sizing: HUDI_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, hadoop, true),
    },
  ],
};

/** What the first 24 letters of base64 stand for. */
function decodedStart(head: DataView): DataView {
  const bytes = new Uint8Array(18);
  bytes.set(Buffer.from(Buffer.from(bytesOf(head).subarray(0, 24)).toString('latin1'), 'base64').subarray(0, 18));
  return new DataView(bytes.buffer);
}
