import { tryLine } from '../commands/shell-line.ts';
import { stepAfterTakenFlag } from './flags.ts';
import { type MistakenLine, withReplaced } from './line.ts';

/** What to type instead of a value. Commander names the flag, the value and the allowed words, if there are some. */
export function stepAfterValue(what: string, line: MistakenLine): string | undefined {
  const { argv, known, words } = line;
  const [, flag = '', value = ''] = /^option '(?:-\S, )?(\S+).*?' argument '(.*?)' is invalid/.exec(what) ?? [];
  const withValue = (other: string) => tryLine(argv.map((argument) => valueReplaced(argument, value, other)));
  if (flag === '--fpr' && /^\d{1,2}$/.test(value) && Number(value) > 0) return withValue(`${value}%`);
  if (flag === '--bits' && /^\d+ ?[kMGT]?i?(B|bit)$/.test(value))
    return tryLine(['-m', '--bits'].reduce((line, name) => withReplaced(line, name, '--memory'), argv));
  if (flag === '--hashes' && words.get('--kind')?.includes(value) === true)
    return tryLine(withReplaced(argv, '-k', '--kind'));
  // A path in the syntax of JSONPath.
  const [, path] = /^\$\.([^."[\]]+(?:\.[^."[\]]+)*)$/.exec(value) ?? [];
  if (flag === '--json-key' && path !== undefined) return withValue(path);
  // --format json means the output.
  if (flag === '--format' && known.has(`--${value}`) && !known.get(`--${value}`))
    return tryLine(withoutPair(withReplaced(argv, flag, `--${value}`), `--${value}`, value));
  const taken = stepAfterTakenFlag(line, value);
  if (taken !== undefined) return taken;
  const allowed = words.get(flag) ?? [];
  const meant = allowed.find((word) => isNear(value, word)) ?? allowed.find((word) => isBegun(value, word));
  return meant && withValue(meant);
}

/** An argument that is the value, or has it attached to a flag, with another value. */
function valueReplaced(argument: string, value: string, other: string): string {
  const isAttached = argument.startsWith('-') && argument.endsWith(value);
  return argument === value || isAttached ? argument.slice(0, argument.length - value.length) + other : argument;
}

/** A command line without a flag and its value. */
function withoutPair(argv: readonly string[], flag: string, value: string): string[] {
  return argv.filter((argument, i) => !(argument === value && argv[i - 1] === flag));
}

const FEWEST_LETTERS = 3;

/** Whether a word is the beginning of another one. */
function isBegun(one: string, other: string): boolean {
  return one.length >= FEWEST_LETTERS && other.startsWith(one);
}

/** Whether two words differ by one inserted, missing or wrong letter, or by two swapped letters. */
export function isNear(one: string, other: string): boolean {
  if (other === '' || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < other.length && one[start] === other[start]) start++;
  const [left, right] = [one.slice(start), other.slice(start)];
  const isSwapped = left.slice(0, 2) === [...right.slice(0, 2)].reverse().join('') && left.slice(2) === right.slice(2);
  return isSwapped || [right, right.slice(1)].includes(left.slice(1)) || left === right.slice(1);
}
