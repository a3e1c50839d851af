import type { Command } from 'commander';
import { GROUPS } from './flags/define.ts';
import { flags } from './flags.ts';

/** Gives a command its --help, in which the flags stand in their groups. */
export function addHelp(command: Command): void {
  command.addHelpOption(flags.help()).configureHelp({
    groupItems(items, visible, headingOf) {
      const headings = [...new Set(items.map(headingOf))].sort((one, other) => placeOf(one) - placeOf(other));
      return new Map(headings.map((heading) => [heading, visible.filter((item) => headingOf(item) === heading)]));
    },
  });
}

/** The place of a heading among those of flags; what is none comes first. */
function placeOf(heading: string): number {
  return GROUPS.findIndex((group) => heading === `${group}:`);
}
