import type { FormatVariant } from '../mark.ts';

/** The versions, as far as their hashes differ. */
export const VARIANTS: readonly FormatVariant[] = [
  { name: 'pyprobables-0.5', purpose: 'from 0.5.0 on: each hash has an offset of its own' },
  { name: 'pyprobables-0.4', purpose: 'up to 0.4.1: each hash is that of the one before' },
];
