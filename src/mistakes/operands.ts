import { isOtherFile } from '../commands/filter-files.ts';
import { shellLine, tryLine } from '../commands/shell-line.ts';
import { lookAt } from '../io/look.ts';
import { stepWithForce, stepWithValue } from './flags.ts';
import { type MistakenLine, newNamedAfter } from './line.ts';
import { flagMeant } from './names.ts';

/** What to type if -o is missing: it became a value, it has another name, its file is an argument, or both are missing. */
export function stepAfterOutput(_what: string, line: MistakenLine): string | undefined {
  const { argv, command, operands, known } = line;
  const flag = argv.find((_, i) => known.get(argv[i] ?? '') === true && ['-o', '--output'].includes(argv[i + 1] ?? ''));
  if (flag !== undefined) return stepWithForce(flag, line) ?? stepWithValue(flag, '-o');
  const renamed = argv.map((argument) => (flagMeant(argument, ['--output']) === undefined ? argument : '-o'));
  if (renamed.includes('-o')) return tryLine(renamed);
  const last = operands.at(-1);
  if (last?.endsWith('.bloom')) {
    const line = shellLine([...argv.filter((argument) => argument !== last), '-o', last]);
    if (lookAt(last) === undefined) return line && `try ${line}`;
    if (operands.length > 1) return line && `to replace ${last}, try ${line} --force`;
  }
  const [first = '-'] = operands;
  if (command === 'index')
    return tryLine([...argv, ...(operands.length === 0 ? ['-r', '.'] : []), '-o', newNamedAfter('files', 'index')]);
  return tryLine([...argv, '-o', command === 'digest' ? newNamedAfter(first, 'digests') : newNamedAfter(first)]);
}

/** What to type if there are more arguments than a command has. */
export async function stepAfterOperands(_what: string, line: MistakenLine): Promise<string | undefined> {
  const { argv, command, operands } = line;
  if (command !== 'size') return undefined;
  const flags = argv.slice(1).filter((argument) => !operands.includes(argument));
  const [file] = operands.filter((operand) => lookAt(operand)?.isFile());
  if (file === undefined) return tryLine([command, ...flags, ...operands.flatMap((one) => [flagOf(one), one])]);
  if (!(await isOtherFile(file))) return tryLine(['stats', file]);
  const count = shellLine(['count', file]);
  const size = shellLine([command, ...flags]);
  return count && size && `try ${size} -n "$(${count})"`;
}

/** What to type if an argument is missing: the shell of a completion. */
export function stepAfterMissingOperand(_what: string, { argv, command }: MistakenLine): string | undefined {
  return command === 'completion' ? tryLine([...argv, 'bash']) : undefined;
}

/** The flag whose value a number may be. */
function flagOf(number: string): string {
  if (/%$|^0?\.|e-/.test(number)) return '-p';
  return /(B|bit)$/.test(number) ? '--memory' : '-n';
}
