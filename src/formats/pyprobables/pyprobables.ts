import type { Format } from '../format.ts';
import { binaryFooter, textFooter } from './footer.ts';
import { VARIANTS } from './versions.ts';

/**
 * The output of `export` and `export_hex` of pyprobables: the bits, and a footer of u64 n, u64 keys, f32 p. k and m
 * follow from n and p.
 */
export const pyprobables: Format = {
  name: 'pyprobables',
  system: 'pyprobables',
  purpose: 'Python programs with pyprobables',
  ends(tail, size, head) {
    const [first, last] = [head, tail].map((view) => new Uint8Array(view.buffer, view.byteOffset, 64));
    return (
      (last && binaryFooter(last, size)) !== undefined || (first && last && textFooter(first, last, size)) !== undefined
    );
  },
  abilities: ['query', 'report'],
  keyTypes: { text: { hash: 'fnv1a-text' }, hex: { encoding: 'hex', hash: 'fnv1a-bytes' } },
  integrity: undefined,
  variants: VARIANTS,
  limits: ['its files do not show their version: state --format'],
  open: async (source, _, { format }) => (await import('./file.ts')).open(source, pyprobables, format),
};
