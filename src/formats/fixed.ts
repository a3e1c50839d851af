import type { FlatFile } from './format.ts';

/** Why a filter is refused where others of its format are not, as the end of a message. */
export function because({ fixedAs }: Pick<FlatFile, 'fixedAs'>): string {
  return fixedAs === undefined ? '' : `: ${fixedAs}`;
}
