import { basename } from 'node:path';
import { addCommand, createProgram } from '../commands/program.ts';
import { COMMANDS } from '../commands/registry.ts';
import { isUrl, lookAt } from '../io/look.ts';
import { meansMany } from '../io/patterns.ts';
import { describe } from '../options/described.ts';

/** A command line that failed, divided into its parts. */
export interface MistakenLine {
  readonly argv: readonly string[];
  /** Undefined if there is no such command. */
  readonly command: string | undefined;
  /** All names of the flags of the command, and whether the flag has a value. */
  readonly known: ReadonlyMap<string, boolean>;
  /** The words that a flag accepts, by the long name of the flag. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** The arguments that are not flags and not values of flags. */
  readonly operands: readonly string[];
}

/** Divides a command line into its parts. Loads its command. */
export async function dividedLine(argv: readonly string[]): Promise<MistakenLine> {
  const [name = ''] = argv;
  if (!Object.hasOwn(COMMANDS, name))
    return { argv, command: undefined, known: new Map(), words: new Map(), operands: [] };
  const flags = await flagsOf(name);
  const known = new Map(flags.flatMap(({ names, value }) => names.map((flag) => [flag, value !== undefined] as const)));
  const words = new Map(flags.map(({ names, value }) => [names.at(-1) ?? '', value?.words ?? []] as const));
  return { argv, command: name, known, words, operands: operandsIn(argv.slice(1), known) };
}

/** The flags of a command. Loads it. */
async function flagsOf(name: string) {
  const program = createProgram();
  await addCommand(program, name, () => {});
  return program.commands.flatMap((command) => describe(command).groups).flatMap((group) => group.flags);
}

/** The commands that have a flag. Loads all commands. */
export async function commandsWith(flag: string): Promise<string[]> {
  const names = Object.keys(COMMANDS);
  const flags = await Promise.all(names.map(flagsOf));
  return names.filter((_, i) => flags[i]?.some(({ names }) => names.includes(flag)));
}

function operandsIn(args: readonly string[], known: MistakenLine['known']): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const isValue = (i: number) => known.get(before[i - 1] ?? '') === true;
  const isFlag = (argument: string) => argument.startsWith('-') && argument !== '-';
  return [...before.filter((argument, i) => !isFlag(argument) && !isValue(i)), ...args.slice(before.length + 1)];
}

/** A command line with one argument replaced by another. A value may be attached, as in --name=value or -nvalue. */
export function withReplaced(argv: readonly string[], wrong: string, right: string): string[] {
  return argv.flatMap((argument) => {
    if (argument === wrong) return [right];
    if (wrong.startsWith('--') && argument.startsWith(`${wrong}=`)) return [right, argument.slice(wrong.length + 1)];
    const isAttached = /^-[^-]$/.test(wrong) && argument.startsWith(wrong);
    return isAttached ? [right, argument.slice(wrong.length)] : [argument];
  });
}

/**
 * A command line in which the arguments that name no file are keys, after its filter. Undefined if no argument has the
 * name of a filter, or all of them are files.
 */
export function withKeys(argv: readonly string[], operands: readonly string[]): string[] | undefined {
  const filter = operands.find((operand) => operand.endsWith('.bloom') && lookAt(operand)?.isFile());
  const keys = operands.filter((operand) => isKey(operand));
  if (filter === undefined || keys.length === 0) return undefined;
  const others = argv.flatMap((argument) => {
    if (argument === filter) return [];
    return keys.includes(argument) ? ['-e', argument] : [argument];
  });
  return others.toSpliced(argv.indexOf(operands[0] ?? ''), 0, filter);
}

function isKey(operand: string): boolean {
  return lookAt(operand) === undefined && !operand.endsWith('.bloom') && !meansMany(operand) && !isUrl(operand);
}

/** The name for a filter of some records, or for their digests. */
export function namedAfter(file: string, extension = 'bloom'): string {
  return `${stemOf(file)}.${extension}`;
}

/** The same for a new file: a name that no file has. */
export function newNamedAfter(file: string, extension?: string): string {
  for (let number = 1; ; number++) {
    const name = namedAfter(number === 1 ? file : `${stemOf(file)}-${number}`, extension);
    if (lookAt(name) === undefined) return name;
  }
}

/** The name of a file without its folder and its extensions. */
function stemOf(file: string): string {
  return basename(file === '-' ? 'records' : file).replace(/(?<=.)\..*$/, '');
}
