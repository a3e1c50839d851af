import { Argument, Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addHelp } from '../options/help.ts';
import type { Named } from '../options/purposes.ts';
import { type ExitCode, PROGRAM_NAMES } from './command.ts';
import { COMMANDS } from './registry.ts';

/** What the exit statuses of all commands mean. */
export const STATUSES: readonly Named[] = [
  { name: '0', purpose: 'success; query: a record was selected' },
  { name: '1', purpose: 'query: no record was selected; stats --check: a filter is unhealthy' },
  { name: '2', purpose: 'an error' },
  { name: '3', purpose: 'somebody else changed a file meanwhile: nothing was written' },
];

/** What is said of all commands. */
export const EXPLANATION: Explanation = {
  notes: 'Counts: 10k, 1M, 1e6, 1_000_000. Rates: 1%, 0.01, 1e-3. Sizes: 12MB, 12MiB, 96Mbit.',
  lists: [{ title: 'Exit status', items: STATUSES }],
  examples: [['bloom build words.txt -o words.bloom'], ['tail -f app.log | bloom query words.bloom -f 3']],
};

/** The program without its commands. */
export function createProgram(): Command {
  const program = new Command(PROGRAM_NAMES[0])
    .description(
      'Approximate set membership: "definitely not in the set" or "probably in it", in a fraction of its memory.',
    )
    .optionsGroup('General:')
    .version(packageFile.version, '-V, --version', 'print the version')
    .addHelpCommand(
      new Command('help')
        .description('show the help of a command')
        .addArgument(new Argument('[command]').choices(Object.keys(COMMANDS))),
    );
  addHelp(program, EXPLANATION);
  return program;
}

/** Adds a command; with arguments and flags if there is something to finish, as to load it takes time. */
export async function addCommand(program: Command, name: string, finish?: (code: ExitCode) => void): Promise<void> {
  const { summary, load } = COMMANDS[name] as (typeof COMMANDS)[string];
  const command = program.command(name).description(summary);
  if (finish !== undefined) {
    const { define, explanation } = await load();
    define(command, finish, wholeProgram);
    addHelp(command, explanation);
  }
  command.addOption(flags.color());
}

/** The program with all that its commands take, which loads them all. */
export async function wholeProgram(): Promise<Command> {
  const program = createProgram();
  for (const name of Object.keys(COMMANDS)) await addCommand(program, name, () => {});
  return program;
}
