import type { FlatFile } from './format.ts';

/** Why a filter is refused where others of its format are not, as the end of a message. */
export function because({ fixedAs }: FlatFile): string {
  return fixedAs === undefined ? '' : `: ${fixedAs}`;
}
