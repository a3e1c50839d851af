// Commands and flags as completions and manual pages need them, from their definitions.

import type { Argument, Command } from 'commander';
import { type Flag, GROUPS } from './flags/define.ts';

/** An argument of a command, or the value of a flag. */
export interface Value {
  readonly name: string;
  /** The name of a file, the name of a filter, one of `words`, or something else. */
  readonly holds: 'file' | 'filter' | 'words' | 'other';
  readonly words: readonly string[];
}

export interface DescribedFlag {
  /** For example -o and --output. */
  readonly names: readonly string[];
  readonly value: Value | undefined;
  readonly isRepeatable: boolean;
  readonly description: string;
  /** Sentences for the manual, or an empty text. */
  readonly details: string;
}

export interface DescribedArgument {
  readonly value: Value;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  readonly description: string;
}

export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly args: readonly DescribedArgument[];
  /** By the headings of the help, in the order of the help. */
  readonly groups: readonly { readonly heading: string; readonly flags: readonly DescribedFlag[] }[];
}

/** A command with its arguments and flags. */
export function describe(command: Command): DescribedCommand {
  // The flag for help belongs to the help, not to the command. `flagsOf` created every flag except the one for the
  // version.
  const flags = command.createHelp().visibleOptions(command) as Flag[];
  const groups = GROUPS.map((heading) => ({
    heading,
    flags: flags.filter(({ helpGroupHeading }) => helpGroupHeading === `${heading}:`).map(describeFlag),
  }));
  return {
    name: command.name(),
    summary: command.description(),
    args: command.registeredArguments.map(describeArgument),
    groups: groups.filter((group) => group.flags.length > 0),
  };
}

function describeFlag(flag: Flag): DescribedFlag {
  const { short, long, flags, words = [], isRepeatable = false, description, details = '' } = flag;
  const [, valueName] = /<(.*)>$/.exec(flags) ?? [];
  return {
    names: [short, long].filter((name) => typeof name === 'string'),
    value: valueName === undefined ? undefined : valueNamed(valueName, words),
    isRepeatable,
    description,
    details,
  };
}

function describeArgument(argument: Argument): DescribedArgument {
  return {
    value: valueNamed(argument.name(), argument.argChoices ?? []),
    isRequired: argument.required,
    isVariadic: argument.variadic,
    description: argument.description,
  };
}

function valueNamed(name: string, words: readonly string[]): Value {
  const holds = words.length > 0 ? 'words' : name === 'file' || name === 'filter' ? name : 'other';
  return { name, holds, words };
}
