// Mutants that no test can notice, each with its reason; they are not drawn again.

import type { Mutant } from './mutants.ts';

interface Equivalent {
  readonly file: string;
  /** The line of the source, without the blanks around it. */
  readonly before: string;
  /** What it becomes; left out where no change of the line can be noticed. */
  readonly after?: string;
  readonly reason: string;
}

const EQUIVALENT: readonly Equivalent[] = [];

export function isEquivalent({ file, before, after }: Mutant): boolean {
  return EQUIVALENT.some(
    (known) => known.file === file && known.before === before && (known.after === undefined || known.after === after),
  );
}
