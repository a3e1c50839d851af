import { lookAt } from '../io/look.ts';
import { type MistakenLine, newNamedAfter, tryLine } from './line.ts';
import { flagMeant } from './names.ts';

/** What to type where -o is missing: it has another name, stands for itself, or was forgotten. */
export function stepAfterOutput(_what: string, { argv, command, operands }: MistakenLine): string | undefined {
  const renamed = argv.map((argument) => (flagMeant(argument, ['--output']) === undefined ? argument : '-o'));
  if (renamed.includes('-o')) return tryLine(renamed);
  const last = operands.at(-1);
  if (last?.endsWith('.bloom') && lookAt(last) === undefined)
    return tryLine([...argv.filter((argument) => argument !== last), '-o', last]);
  const [first = '-'] = operands;
  return tryLine([...argv, '-o', command === 'digest' ? newNamedAfter(first, 'digests') : newNamedAfter(first)]);
}

/** What to type where there is more than a command takes. */
export function stepAfterOperands(_what: string, { argv, command, operands }: MistakenLine): string | undefined {
  if (command !== 'size') return undefined;
  const numbers = operands.flatMap((operand) => [flagOf(operand), operand]);
  const flags = argv.slice(1).filter((argument) => !operands.includes(argument));
  return tryLine([command, ...flags, ...numbers]);
}

/** The flag whose value a number may be. */
function flagOf(number: string): string {
  if (/%$|^0?\.|e-/.test(number)) return '-p';
  return /(B|bit)$/.test(number) ? '--memory' : '-n';
}
