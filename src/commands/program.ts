import { Argument, Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addHelp } from '../options/help.ts';
import type { Named } from '../options/purposes.ts';
import { type ExitCode, PROGRAM_NAMES } from './command.ts';
import { COMMANDS, HELP_GROUP } from './registry.ts';

/** The meaning of the exit statuses of all commands. */
export const STATUSES: readonly Named[] = [
  { name: '0', purpose: 'success; query selected a record' },
  { name: '1', purpose: 'query selected no record; stats --check found an unhealthy filter' },
  { name: '2', purpose: 'an error' },
  { name: '3', purpose: 'another process changed a file meanwhile; nothing was written' },
];

/** The explanation of the program. */
export const EXPLANATION: Explanation = {
  most: [],
  notes: 'Counts: 10k, 1M, 1e6, 1_000_000. Rates: 1%, 0.01, 1e-3. Sizes: 12MB, 12MiB, 96Mbit.',
  lists: [{ title: 'Exit status', items: STATUSES }],
  examples: [['bloom build words.txt -o words.bloom'], ['bloom query words.bloom -e walk']],
};

/** Further topics of `bloom help`. */
const TOPICS = ['json'];

/** The program without its commands. */
export function createProgram(): Command {
  const program = new Command(PROGRAM_NAMES[0])
    .description('Approximate set membership: "definitely not in the set" or "probably in it".')
    // -h after a command belongs to the command.
    .enablePositionalOptions()
    .optionsGroup('General:')
    .version(packageFile.version, '-V, --version', 'print the version')
    .addHelpCommand(
      new Command('help')
        .description('show the whole help of a command')
        .helpGroup(HELP_GROUP)
        .addArgument(new Argument('[command]').choices([...Object.keys(COMMANDS), ...TOPICS])),
    );
  addHelp(program, EXPLANATION);
  return program;
}

/** Adds a command. Its arguments and flags are added only if there is a `finish`, because loading them takes time. */
export async function addCommand(program: Command, name: string, finish?: (code: ExitCode) => void): Promise<void> {
  const { group, summary, load } = COMMANDS[name] as (typeof COMMANDS)[string];
  const command = program.command(name).description(summary).helpGroup(group);
  if (finish !== undefined) {
    const { define, explanation } = await load();
    define(command, finish, wholeProgram);
    addHelp(command, explanation);
  }
  command.addOption(flags.color()).addOption(flags.noColor());
}

/** The program with all commands and their flags. This loads all commands. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  for (const name of Object.keys(COMMANDS)) await addCommand(program, name, () => {});
  return program;
}
