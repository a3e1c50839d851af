import { type Command, CommanderError, type Option } from 'commander';
import type { Explanation } from './explanation.ts';
import { GROUPS } from './flags/define.ts';
import { flags } from './flags.ts';
import { inColumns, purposes } from './purposes.ts';

/** The number of examples in a help. */
const EXAMPLES = 2;

/** Adds two helps to a command: -h shows the most used flags, --help shows all flags in their groups. */
export function addHelp(command: Command, explanation: Explanation): void {
  command
    .usage(usageOf(command))
    .addOption(flags.shortHelp())
    .on('option:h', () => {
      command.configureOutput().writeOut?.(shortHelp(command, explanation));
      throw new CommanderError(0, 'commander.helpDisplayed', '');
    })
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

/** The rest of the usage after the name of a command: its required flags, then its arguments. */
function usageOf({ parent, options, registeredArguments }: Command): string {
  if (parent === null) return '<command> [flags] [arguments]';
  const needed = options
    .filter(({ mandatory }) => mandatory)
    .map(({ short, flags }) => `${short} ${flags.split(' ').at(-1)}`);
  const args = registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [...needed, '[flags]', ...args].join(' ');
}

/** The help of -h, at most 30 lines of 80 columns: the commands in their groups, or the most used flags. */
export function shortHelp(command: Command, { most, examples }: Explanation): string {
  const help = command.createHelp();
  const lines = command.registeredArguments.map((argument) => [argument.name(), argument.description] as const);
  const parts = [
    `Usage: ${help.commandUsage(command)}`,
    ...(lines.length > 0 ? [inColumns(lines)] : []),
    ...(command.parent === null ? commandLists(command) : []),
    ...(most.length > 0 ? [inColumns(most.map((name) => lineOf(command, name)))] : []),
    `Examples:\n${inColumns(examples.slice(0, EXAMPLES))}`,
    whereMoreIs(command, help.visibleOptions(command)),
  ];
  return `${command.description()}\n\n${parts.join('\n\n')}\n`;
}

/** The commands with their purposes, group by group. */
function commandLists(program: Command): string[] {
  const commands = program.createHelp().visibleCommands(program);
  const width = Math.max(...commands.map((command) => command.name().length));
  const headings = [...new Set(commands.map((command) => command.helpGroup()))];
  return headings.map((heading) => {
    const group = commands.filter((command) => command.helpGroup() === heading);
    return `${heading}\n${inColumns(group.map((command) => [command.name().padEnd(width), command.description()]))}`;
  });
}

/** A flag and its description. */
function lineOf(command: Command, long: string): readonly [string, string] {
  const flag = command.options.find((option) => option.long === long);
  if (flag === undefined) throw new Error(`${command.name()} has no ${long}`);
  return [flag.flags, flag.description];
}

function whereMoreIs(command: Command, all: readonly Option[]): string {
  if (command.parent === null) return 'bloom COMMAND -h shows the most used flags of a command, --help all of them.';
  return `--help shows all ${all.length} flags, man ${manualPage(command)} their details.`;
}

/** The description of a flag with its possible words. */
export function withWords(description: string, words: readonly string[] = []): string {
  return words.length === 0 ? description : `${description}; one of: ${words.join(', ')}`;
}

/** The name of a command's manual page, such as bloom-query. */
export function manualPage(command: Command): string {
  return command.parent === null ? command.name() : `${manualPage(command.parent)}-${command.name()}`;
}

/** The index of a heading among the groups of flags. Other headings come first. */
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
