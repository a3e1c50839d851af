import type { BitArrayFile } from './format.ts';

/** Why this filter of its format does not support an operation, as the end of a message. */
export function because({ fixedAs }: Pick<BitArrayFile, 'fixedAs'>): string {
  return fixedAs === undefined ? '' : `: ${fixedAs}`;
}
