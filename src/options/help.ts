import type { Command } from 'commander';
import type { Explanation } from './explanation.ts';
import { GROUPS } from './flags/define.ts';
import { flags } from './flags.ts';
import { inColumns, purposes } from './purposes.ts';

/** How many examples a help has. */
const EXAMPLES = 2;

/** Gives a command its --help: the flags stand in their groups, and behind them what is said beside them. */
export function addHelp(command: Command, explanation: Explanation): void {
  command
    .addHelpOption(flags.help())
    .addHelpText('after', () => epilogue(explanation, manualPage(command)))
    .configureHelp({
      subcommandTerm: (subcommand) => subcommand.name(),
      optionDescription: ({ description, argChoices }) => withWords(description, argChoices),
      groupItems(items, visible, headingOf) {
        const headings = [...new Set(items.map(headingOf))].sort((one, other) => placeOf(one) - placeOf(other));
        return new Map(headings.map((heading) => [heading, visible.filter((item) => headingOf(item) === heading)]));
      },
    });
}

/** What is said of a flag, with the words that its value may be. */
export function withWords(description: string, words: readonly string[] = []): string {
  return words.length === 0 ? description : `${description}; one of: ${words.join(', ')}`;
}

/** The name of a command's page in the manual, such as bloom-query. */
export function manualPage(command: Command): string {
  return command.parent === null ? command.name() : `${manualPage(command.parent)}-${command.name()}`;
}

/** The place of a heading among those of flags; what is none comes first. */
function placeOf(heading: string): number {
  return GROUPS.findIndex((group) => heading === `${group}:`);
}

function epilogue({ notes, lists = [], examples }: Explanation, page: string): string {
  const parts = [
    notes,
    ...lists.map(({ title, items }) => `${title}:\n${purposes(items)}`),
    `Examples:\n${inColumns(examples.slice(0, EXAMPLES))}`,
    `Manual: man ${page}`,
  ];
  return `\n${parts.join('\n\n')}`;
}
