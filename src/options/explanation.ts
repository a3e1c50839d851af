import type { Named } from './purposes.ts';

/** A command line, and its purpose if the line does not show it. */
export type Example = readonly [line: string, purpose?: string];

/** The text of the help about a command, besides its flags. */
export interface Explanation {
  /** The long names of the flags of the short help, in their order. At most ten. */
  readonly most: readonly string[];
  /** Paragraphs. */
  readonly notes?: string;
  /** The purposes of values of flags. */
  readonly lists?: readonly { readonly title: string; readonly items: readonly Named[] }[];
  /** The help shows the first two, the manual all of them. */
  readonly examples: readonly [Example, Example, ...Example[]];
}
