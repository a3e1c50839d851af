import { basename } from 'node:path';
import { addCommand, createProgram } from '../commands/program.ts';
import { COMMANDS } from '../commands/registry.ts';
import { lookAt, withoutSecrets } from '../io/look.ts';
import { describe } from '../options/described.ts';

/** A command line that failed, taken apart as far as that goes. */
export interface MistakenLine {
  readonly argv: readonly string[];
  /** Undefined where there is none of the name. */
  readonly command: string | undefined;
  /** The flags that the command has, by all of their names, and whether they have a value. */
  readonly known: ReadonlyMap<string, boolean>;
  /** What stands beside the flags and their values. */
  readonly operands: readonly string[];
}

/** Takes a command line apart, for which its command is loaded. */
export async function takenApart(argv: readonly string[]): Promise<MistakenLine> {
  const [name = ''] = argv;
  if (!Object.hasOwn(COMMANDS, name)) return { argv, command: undefined, known: new Map(), operands: [] };
  const program = createProgram();
  await addCommand(program, name, () => {});
  const flags = program.commands.flatMap((command) => describe(command).groups).flatMap((group) => group.flags);
  const known = new Map(flags.flatMap(({ names, value }) => names.map((flag) => [flag, value !== undefined] as const)));
  return { argv, command: name, known, operands: operandsIn(argv.slice(1), known) };
}

function operandsIn(args: readonly string[], known: MistakenLine['known']): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const isValue = (i: number) => known.get(before[i - 1] ?? '') === true;
  const isFlag = (argument: string) => argument.startsWith('-') && argument !== '-';
  return [...before.filter((argument, i) => !isFlag(argument) && !isValue(i)), ...args.slice(before.length + 1)];
}

/** A command line to type in a shell; undefined where it cannot be shown, or has a URL with a secret. */
export function tryLine(argv: readonly string[]): string | undefined {
  if (argv.some((argument) => withUrlsShown(argument, argv) !== argument)) return undefined;
  const line = ['bloom', ...argv].map(quoted).join(' ');
  return /[\p{Cc}\p{Cf}]/u.test(line) ? undefined : `try ${line}`;
}

/** A text with the URLs of a command line as they may stand in messages. */
export function withUrlsShown(text: string, argv: readonly string[]): string {
  return argv.reduce((shown, argument) => {
    // A URL may stand behind the name of a flag, or behind @.
    const url = argument.slice(Math.max(0, argument.search(/https?:\/\//i)));
    return shown.replaceAll(url, withoutSecrets(url));
  }, text);
}

/** The name that a filter of some records has, or its digests. */
export function namedAfter(file: string, extension = 'bloom'): string {
  return `${stemOf(file)}.${extension}`;
}

/** The same for what is to be made: none that there is. */
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

/** An argument, in quotes if it means something to shells. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
