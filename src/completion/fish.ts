import type { DescribedCommand, DescribedFlag, Value } from '../options/described.ts';
import { briefly, type Completed, flagsOf } from './completed.ts';

/** A script for fish 3.0 and later. */
export function fishScript({ names, program, commands }: Completed): string {
  const [name, ...others] = names;
  const first = `complete -c ${name} -n __${name}_has_no_command`;
  return `# Completes ${names.join(' and ')} in fish. Made by: ${name} completion fish

function __${name}_has_no_command
    test (count (commandline -opc)) -eq 1
end

function __${name}_runs
    set -l typed (commandline -opc)
    test (count $typed) -gt 1; and test $typed[2] = $argv[1]
end

complete -c ${name} -n __${name}_has_no_command -f
${flagsOf(program)
  .map((flag) => `${first} ${flagParts(flag)}`)
  .join('\n')}
${commands.map((command) => `${first} -a ${command.name} -d ${quotedInFish(command.summary)}`).join('\n')}

${commands.map((command) => linesOf(command, name).join('\n')).join('\n\n')}

${others.map((other) => `complete -c ${other} -w ${name}`).join('\n')}
`;
}

/** The flags of a command, and its arguments. */
function linesOf(command: DescribedCommand, name: string): string[] {
  const start = `complete -c ${name} -n '__${name}_runs ${command.name}'`;
  const values = command.args.map(({ value }) => value);
  const first = values.find(({ holds }) => holds === 'filter') ?? values[0];
  return [
    `${start} ${first === undefined ? '-f' : valueParts(first)}`,
    ...flagsOf(command).map((flag) => `${start} ${flagParts(flag)}`),
  ];
}

function flagParts({ names, value, description }: DescribedFlag): string {
  const parts = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (value !== undefined) parts.push('-r', valueParts(value));
  return [...parts, '-d', quotedInFish(briefly(description))].join(' ');
}

/** The completion of a value. Files with a filter's ending come first, other files after them. */
function valueParts({ holds, words }: Value): string {
  if (holds === 'file') return '-F';
  if (holds === 'filter') return `-k -f -a '(__fish_complete_suffix .bloom)'`;
  return words.length > 0 ? `-f -a ${quotedInFish(words.join(' '))}` : '-f';
}

function quotedInFish(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
