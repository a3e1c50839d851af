import type { Named } from './purposes.ts';

/** A command line, and what it is good for where it does not tell. */
export type Example = readonly [line: string, purpose?: string];

/** What is said of a command beside its flags. */
export interface Explanation {
  /** The long names of the flags that the short help lists, in its order: at most ten. */
  readonly most: readonly string[];
  /** Paragraphs. */
  readonly notes?: string;
  /** What values of flags are for. */
  readonly lists?: readonly { readonly title: string; readonly items: readonly Named[] }[];
  /** The help shows the first two, the manual all of them. */
  readonly examples: readonly [Example, Example, ...Example[]];
}
