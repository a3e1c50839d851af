import { Argument } from 'commander';
import { bashScript } from '../completion/bash.ts';
import type { Completed } from '../completion/completed.ts';
import { fishScript } from '../completion/fish.ts';
import { powershellScript } from '../completion/powershell.ts';
import { zshScript } from '../completion/zsh.ts';
import { print } from '../io/sink.ts';
import { describe } from '../options/described.ts';
import type { Explanation } from '../options/explanation.ts';
import { type CommandModule, EXIT, PROGRAM_NAMES } from './command.ts';

const SCRIPTS: Readonly<Record<string, (completed: Completed) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export const explanation: Explanation = {
  most: [],
  notes: `Prints a script that completes commands, flags, their values, filters and files. The script does not run bloom, so make it again after
an update. zsh reads it from a file _bloom in a folder of $fpath, fish from bloom.fish in ~/.config/fish/completions.
The script for PowerShell was checked by its grammar only, and never run.`,
  examples: [
    ['source <(bloom completion bash)', 'in ~/.bashrc'],
    ['bloom completion fish > ~/.config/fish/completions/bloom.fish'],
    ['bloom completion zsh > /usr/local/share/zsh/site-functions/_bloom'],
    ['bloom completion powershell >> $PROFILE', 'in PowerShell'],
  ],
};

export const define: CommandModule['define'] = (command, finish, wholeProgram) => {
  command
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(SCRIPTS)))
    .action(async (shell: string) => {
      const program = await wholeProgram();
      const commands = program.createHelp().visibleCommands(program);
      const completed = { names: PROGRAM_NAMES, program: describe(program), commands: commands.map(describe) };
      print(SCRIPTS[shell]?.(completed) ?? '');
      finish(EXIT.success);
    });
};
