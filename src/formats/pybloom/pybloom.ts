import { pybloomSizing } from '../../sizing/systems/pybloom.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { isScalable, leastBytes } from './scalable-head.ts';
import { bytesOf, HEADER_BYTES, isHeader, slicesOf } from './slices.ts';
import { VARIANTS } from './versions.ts';

/** The output of `tofile` of pybloom and pybloom_live. Keys are strings in UTF-8. */
export const pybloom: Format = {
  name: 'pybloom',
  system: 'pybloom',
  purpose: 'Python programs with pybloom or pybloom_live',
  fits(head, size) {
    if (isScalable(head)) return size === undefined || size >= leastBytes(head);
    if (!isHeader(head)) return false;
    return size === undefined || size === HEADER_BYTES + bytesOf(slicesOf(head, ''));
  },
  promises: (head) => (isScalable(head) ? leastBytes(head) : HEADER_BYTES + bytesOf(slicesOf(head, ''))),
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  variants: VARIANTS,
  limits: ['filters of few slices do not show their version: state --format'],
  open: async (source, _, opening) => (await import('./file.ts')).open(source, pybloom, opening),
  makings: VARIANTS.map(({ name, purpose }) => ({
    name,
    purpose,
    sizing: pybloomSizing(name),
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, pybloom, name),
  })),
};
