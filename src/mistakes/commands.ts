import { COMMANDS } from '../commands/registry.ts';
import { tryLine } from '../commands/shell-line.ts';
import { lookAt } from '../io/look.ts';
import { type MistakenLine, newNamedAfter, withKeys } from './line.ts';
import { commandMeant } from './names.ts';
import { stepAfterForeign } from './other-programs.ts';

/** What to type instead of a command that does not exist. */
export function stepAfterCommand(_what: string, { argv }: MistakenLine): string | undefined {
  const [first = '', ...rest] = argv;
  const isHelp = first === 'help';
  const word = isHelp ? (rest[0] ?? '') : first;
  if (word === 'version') return tryLine(['--version']);
  const meant = commandMeant(word);
  if (meant !== undefined) return isHelp ? tryLine(['help', meant]) : stepWithCommand(meant, rest);
  if (isHelp) return undefined;
  return stepAfterForeign(word, rest) ?? (lookAt(first)?.isFile() === true ? stepWithFile(first, rest) : undefined);
}

/** The line with the command that was meant. Keys need -e, and a filter to build needs -o. */
function stepWithCommand(command: string, rest: readonly string[]): string | undefined {
  const argv = [command, ...rest];
  if (rest.some((argument) => argument.startsWith('-'))) return tryLine(argv);
  const last = rest.at(-1);
  if (command === 'build' && last?.endsWith('.bloom') && lookAt(last) === undefined)
    return rest.length === 1 ? stepAfterForeign('reserve', rest) : tryLine(['build', ...rest.slice(0, -1), '-o', last]);
  const acceptsKeys = ['query', 'add', 'remove'].includes(command);
  return tryLine((acceptsKeys ? withKeys(argv, rest) : undefined) ?? argv);
}

/** What to type after `bloom` and a file: the command depends on whether the name is that of a filter. */
function stepWithFile(file: string, [key, ...others]: readonly string[]): string | undefined {
  if (!file.endsWith('.bloom')) return tryLine(['build', file, '-o', newNamedAfter(file)]);
  if (key === undefined) return tryLine(['stats', file]);
  if (key.startsWith('-') || lookAt(key) !== undefined) return tryLine(['query', file, key, ...others]);
  return tryLine(['query', file, '-e', key]);
}

/** What to type instead of a flag before the command, or of a flag that is meant as a command. */
export function stepBeforeCommand({ argv }: MistakenLine): string | undefined {
  const [flag = '', ...rest] = argv;
  if (flag === '-v') return tryLine(['--version']);
  const name = flag.replace(/^-+/, '');
  const meant = Object.hasOwn(COMMANDS, name) ? name : commandMeant(name);
  if (meant !== undefined) return tryLine([meant, ...rest]);
  const at = rest.findIndex((argument) => Object.hasOwn(COMMANDS, argument));
  return at < 0
    ? 'flags follow the command: see bloom --help'
    : tryLine([...rest.slice(at), flag, ...rest.slice(0, at)]);
}
