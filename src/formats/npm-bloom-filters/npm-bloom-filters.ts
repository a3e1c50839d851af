import type { Format } from '../format.ts';
import { TEXT } from '../key-types.ts';

/** What the package exports besides Bloom filters. */
const OTHERS =
  'CountingBloomFilter|PartitionBloomFilter|PartitionedBloomFilter|ScalableBloomFilter|InvertibleBloomFilter|CuckooFilter|XorFilter';

const START = new RegExp(`^\\s*\\{\\s*"type"\\s*:\\s*"(BloomFilter|${OTHERS})"\\s*,\\s*"_`);

/** What `saveAsJSON` of npm's bloom-filters gives of a filter. Of the others only the type is read, to be refused. */
export const npmBloomFilters: Format = {
  name: 'npm-bloom-filters',
  system: "npm's bloom-filters",
  purpose: "programs with npm's bloom-filters",
  fits: (head) => START.test(Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')),
  abilities: ['ask', 'report'],
  keyTypes: TEXT,
  integrity: undefined,
  limits: ['filters of versions before 3.0, which are arrays of 0 and 1, are refused'],
  // Of what is JSON the description says how long it is.
  fileBytes: ({ bits }) => Math.ceil(bits / 6),
  open: async (source) => (await import('./file.ts')).open(source, npmBloomFilters),
};
