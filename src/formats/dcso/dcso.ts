import { signatureOf } from '../../io/signature.ts';
import { DCSO_SIZING } from '../../sizing/systems/dcso.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/**
 * Version 1 of DCSO's bloom, and of flor, fleur and poppy, little-endian: a u64 of flags with only the version; u64
 * n, f64 p, u64 k, u64 m, u64 keys that set a bit; the bits in words of 8 bytes; then any data of the user. A digest
 * is FNV-1, and at most 2^64 - 59.
 */
export const dcso: Format = {
  name: 'dcso',
  system: 'DCSO bloom',
  purpose: "DCSO's bloom, flor, fleur and poppy",
  signatures: [signatureOf('\x01\0\0\0\0\0\0\0')],
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  comesCompressed: true,
  open: async (source) => (await import('./file.ts')).open(source, dcso),
  makings: [
    {
      name: 'dcso',
      purpose: "files for DCSO's bloom, flor and fleur",
      sizing: DCSO_SIZING,
      blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, dcso),
    },
  ],
};
