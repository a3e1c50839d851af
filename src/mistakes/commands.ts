import { COMMANDS } from '../commands/registry.ts';
import { lookAt } from '../io/look.ts';
import { type MistakenLine, newNamedAfter, tryLine } from './line.ts';
import { commandMeant } from './names.ts';

/** What to type in the place of a command that there is not. */
export function stepAfterCommand(_what: string, { argv }: MistakenLine): string | undefined {
  const [first = '', ...rest] = argv;
  const asked = first === 'help' ? (rest[0] ?? '') : first;
  if (asked === 'version') return 'did you mean --version?';
  const meant = commandMeant(asked);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return first === 'help' || lookAt(first)?.isFile() !== true ? undefined : stepWithFile(first, rest);
}

/** What can be done with a file, a filter by its name or records. */
function stepWithFile(file: string, [key, ...others]: readonly string[]): string | undefined {
  if (!file.endsWith('.bloom')) return tryLine(['build', file, '-o', newNamedAfter(file)]);
  if (key === undefined) return tryLine(['stats', file]);
  if (key.startsWith('-') || lookAt(key) !== undefined) return tryLine(['query', file, key, ...others]);
  return tryLine(['query', file, '-e', key]);
}

/** What to type in the place of a flag in front of the command, which may be meant as one. */
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
