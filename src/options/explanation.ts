import type { Named } from './purposes.ts';

/** A command line, and what it is good for where it does not tell. */
export type Example = readonly [line: string, purpose?: string];

/** What is said of a command beside its flags. */
export interface Explanation {
  /** Paragraphs. */
  readonly notes?: string;
  /** What values of flags are for. */
  readonly lists?: readonly { readonly title: string; readonly items: readonly Named[] }[];
  /** The help has the first two, the manual all. */
  readonly examples: readonly [Example, Example, ...Example[]];
}
