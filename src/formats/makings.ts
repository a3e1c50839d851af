import type { Making } from './array-blueprint.ts';
import type { Format } from './format.ts';
import { FORMATS, KNOWN_FORMATS } from './registry.ts';

/** Every sort of filters of other systems that is made. */
export const MAKINGS: readonly Making[] = KNOWN_FORMATS.flatMap(({ makings = [] }) => makings);

/** What `--format` of new filters may be: the first is our own. */
export const NEW_FORMAT_NAMES: readonly string[] = [FORMATS[0].name, ...MAKINGS.map(({ name }) => name)];

/** The format of a sort of new filters of this name, and that sort; undefined for our own. */
export function makingNamed(name: string): { readonly format: Format; readonly making: Making } | undefined {
  for (const format of KNOWN_FORMATS) {
    const making = format.makings?.find((candidate) => candidate.name === name);
    if (making !== undefined) return { format, making };
  }
  return undefined;
}
