import { PROBES_LIMIT } from '../../filters/position-rules.ts';
import { BITS_AND_BLOOMS_SIZING } from '../../sizing/systems/bits-and-blooms.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { GOB_SIGNATURES } from './gob.ts';
import { bitBytes, fieldsOf, HEADER_BYTES, LENGTH_LIMIT, mayLack } from './head.ts';
import { isJson } from './json.ts';

/**
 * The output of `WriteTo` of bits-and-blooms, big-endian: u64 m, u64 k, u64 number of stored bits, and the words of 8
 * bytes. After `bitset.LittleEndian()`, the bits and their number are little-endian. gob adds a few bytes before it,
 * and JSON stores it as text.
 */
export const bitsAndBlooms: Format = {
  name: 'bits-and-blooms',
  system: 'bits-and-blooms',
  purpose: 'Go programs with bits-and-blooms',
  signatures: GOB_SIGNATURES,
  fits(head, size) {
    if (isJson(head, size)) return true;
    const { m, k, stored } = fieldsOf(head, size);
    if (k === 0n || stored === undefined) return false;
    if (size !== undefined) return k < 2n ** 32n;
    // In a pipe, numbers that differ widely are those of another format, such as Cassandra's.
    return k <= PROBES_LIMIT && m < LENGTH_LIMIT && mayLack(Math.abs(Number(m) - Number(stored.length)));
  },
  promises(head) {
    const { stored } = fieldsOf(head, undefined);
    return stored === undefined || isJson(head, undefined) ? undefined : HEADER_BYTES + bitBytes(Number(stored.length));
  },
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  open: async (source) => (await import('./file.ts')).open(source, bitsAndBlooms),
  makings: [
    {
      name: 'bits-and-blooms',
      purpose: 'files for Go programs with bits-and-blooms',
      sizing: BITS_AND_BLOOMS_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, bitsAndBlooms),
    },
  ],
};
