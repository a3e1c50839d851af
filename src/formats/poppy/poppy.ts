import { type Optimisation, poppySizing } from '../../sizing/systems/poppy.ts';
import type { Making } from '../array-blueprint.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/**
 * Version 2 of poppy, little-endian: the version, one of four optimisations, and six NULs; u64 n, f64 p, u64 k, u64
 * keys that set a bit, u64 bits of the cache, the cache; u64 buckets, and the buckets of 4096 bytes each; then any
 * data of the user.
 */
export const poppy: Format = {
  name: 'poppy',
  system: 'poppy',
  purpose: 'poppy',
  signatures: [0, 1, 2, 3].map((option) => [2, option, 0, 0, 0, 0, 0, 0]),
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  open: async (source) => (await import('./file.ts')).open(source, poppy),
  makings: [
    making('poppy', 'none', 'files for poppy 0.2 and newer'),
    making('poppy-space', 'space', 'the same, optimised for space'),
    making('poppy-speed', 'speed', 'the same, optimised for speed: a cache, and 2^i buckets'),
    making('poppy-best', 'best', 'the same, with a cache'),
  ],
};

function making(name: string, optimisation: Optimisation, purpose: string): Making {
  return {
    name,
    purpose,
    sizing: poppySizing(name, optimisation),
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, poppy, optimisation),
  };
}
