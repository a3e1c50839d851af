import type { FormatVariant } from '../mark.ts';

export type Variant = 'pybloom-3' | 'pybloom-4';

/** The versions that differ in filters of few slices. */
export const VARIANTS: readonly (FormatVariant & { readonly name: Variant })[] = [
  { name: 'pybloom-3', purpose: 'pybloom, and pybloom_live up to 3.1: MD5 if there are few slices' },
  { name: 'pybloom-4', purpose: 'pybloom_live 4.0 and newer: XXH3 if there are few slices' },
];
