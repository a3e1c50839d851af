import type { Format } from '../format.ts';
import { TEXT } from '../key-types.ts';

/** Other structures that the package exports. */
const OTHERS =
  'CountingBloomFilter|PartitionBloomFilter|PartitionedBloomFilter|ScalableBloomFilter|InvertibleBloomFilter|CuckooFilter|XorFilter';

const START = new RegExp(`^\\s*\\{\\s*"type"\\s*:\\s*"(BloomFilter|${OTHERS})"\\s*,\\s*"_`);

/**
 * The output of `saveAsJSON` of npm's bloom-filters for a Bloom filter. For other structures, only the type is read,
 * for the error.
 */
export const npmBloomFilters: Format = {
  name: 'npm-bloom-filters',
  system: "npm's bloom-filters",
  purpose: "programs with npm's bloom-filters",
  fits: (head) => START.test(Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')),
  abilities: ['query', 'report'],
  keyTypes: TEXT,
  integrity: undefined,
  limits: ['filters of versions before 3.0 are not supported'],
  // The description has the size of a JSON file. This is an estimate for a new one.
  open: async (source) => (await import('./file.ts')).open(source, npmBloomFilters),
};
