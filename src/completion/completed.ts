import type { DescribedCommand, DescribedFlag } from '../options/described.ts';

/** The input of the completion scripts: the names of the program, and its commands. */
export interface Completed {
  readonly names: readonly [string, ...string[]];
  /** The program without a command. */
  readonly program: DescribedCommand;
  readonly commands: readonly DescribedCommand[];
}

/** All flags of a command. */
export function flagsOf({ groups }: DescribedCommand): readonly DescribedFlag[] {
  return groups.flatMap(({ flags }) => flags);
}

/** The beginning of a description, for a line of a menu. */
export function briefly(description: string): string {
  return description.split(/; | \(/)[0] ?? '';
}
