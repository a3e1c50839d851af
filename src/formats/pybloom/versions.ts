import type { FormatVariant } from '../mark.ts';

export type Variant = 'pybloom-3' | 'pybloom-4';

/** The versions, as far as filters of few slices differ. */
export const VARIANTS: readonly (FormatVariant & { readonly name: Variant })[] = [
  { name: 'pybloom-3', purpose: 'pybloom, and pybloom_live up to 3.1: MD5 where there are few slices' },
  { name: 'pybloom-4', purpose: 'pybloom_live from 4.0 on: XXH3 there' },
];
