import type { FormatVariant } from '../mark.ts';

/** The versions that differ in their hashes. */
export const VARIANTS: readonly FormatVariant[] = [
  { name: 'pyprobables-0.5', purpose: '0.5.0 and newer: each hash begins with its own offset' },
  { name: 'pyprobables-0.4', purpose: 'up to 0.4.1: each hash is the hash of the hash before' },
];
