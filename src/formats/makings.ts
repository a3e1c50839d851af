import type { Making } from './array-blueprint.ts';
import type { Format } from './format.ts';
import { FORMATS, KNOWN_FORMATS } from './registry.ts';

/** All filters of other systems that bloom can make. */
export const MAKINGS: readonly Making[] = KNOWN_FORMATS.flatMap(({ makings = [] }) => makings);

/** The values of `--format` for new filters. The first is bloomery's own format. */
export const NEW_FORMAT_NAMES: readonly string[] = [FORMATS[0].name, ...MAKINGS.map(({ name }) => name)];

/** The format and the variant with this name. Undefined for bloomery's own format. */
export function makingNamed(name: string): { readonly format: Format; readonly making: Making } | undefined {
  for (const format of KNOWN_FORMATS) {
    const making = format.makings?.find((candidate) => candidate.name === name);
    if (making !== undefined) return { format, making };
  }
  return undefined;
}
