import { HADOOP_SIZING, HUDI_SIZING } from '../../sizing/systems/hudi.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { bytesOf, isHeader, isText } from './head.ts';

/**
 * The output of `write` of Hadoop's BloomFilter, big-endian: i32 -1, i32 k, u8 hash, i32 m, and the bits. A
 * DynamicBloomFilter has, instead of the bits, i32 keys per row, i32 keys in the last row, i32 rows, and the rows,
 * each as a BloomFilter. `relatives.ts` describes CountingBloomFilter and RetouchedBloomFilter. Hudi stores either as
 * base64. Keys are bytes; Hudi's record keys are UTF-8.
 */
export const hadoop: Format = {
  name: 'hadoop',
  system: 'Hadoop',
  purpose: 'Apache Hadoop and Hudi',
  fits: (head) => isHeader(isText(bytesOf(head)) ? decodedStart(head) : head),
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
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
      purpose: 'the same in base64, as in the footers of Hudi base files',
      sizing: HUDI_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, hadoop, true),
    },
  ],
};

/** The bytes of the first 24 letters of base64. */
function decodedStart(head: DataView): DataView {
  const bytes = new Uint8Array(18);
  bytes.set(Buffer.from(Buffer.from(bytesOf(head).subarray(0, 24)).toString('latin1'), 'base64').subarray(0, 18));
  return new DataView(bytes.buffer);
}
