import type { Format } from '../format.ts';
import { binaryFooter, fileBytesOf, textFooter } from './footer.ts';
import { VARIANTS } from './versions.ts';

/** What `export` and `export_hex` of pyprobables write: the bits, and a footer of u64 n, u64 keys, f32 p. k and m follow from these. */
export const pyprobables: Format = {
  name: 'pyprobables',
  system: 'pyprobables',
  purpose: 'programs in Python with pyprobables',
  ends(tail, size, head) {
    const [first, last] = [head, tail].map((view) => new Uint8Array(view.buffer, view.byteOffset, 64));
    return (
      (last && binaryFooter(last, size)) !== undefined || (first && last && textFooter(first, last, size)) !== undefined
    );
  },
  abilities: ['ask', 'report'],
  keyTypes: { text: { hash: 'fnv1a-text' }, hex: { encoding: 'hex', hash: 'fnv1a-bytes' } },
  integrity: undefined,
  variants: VARIANTS,
  limits: ['its files do not say by which version they were made: --format does'],
  fileBytes: ({ bits }) => fileBytesOf(bits),
  open: async (source, _, { format }) => (await import('./file.ts')).open(source, pyprobables, format),
};
