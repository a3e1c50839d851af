import { type MistakenLine, quoted } from './line.ts';

/** What to type in the place of a value: commander names the flag, the value and, of words, what they may be. */
export function stepAfterValue(what: string, _line: MistakenLine): string | undefined {
  const [, flag = '', value = ''] = /^option '(?:-\S, )?(\S+).*?' argument '(.*?)' is invalid/.exec(what) ?? [];
  if (flag === '--fpr' && /^\d{1,2}$/.test(value) && Number(value) > 0) return `did you mean ${value}%?`;
  if (flag === '--bits' && /^\d+ ?[kMGT]?i?(B|bit)$/.test(value)) return `did you mean --memory ${value}?`;
  // A path as JSONPath has it.
  const [, path] = /^\$\.([^."[\]]+(?:\.[^."[\]]+)*)$/.exec(value) ?? [];
  if (flag === '--json-key' && path !== undefined) return `did you mean ${quoted(path)}?`;
  const [, list = ''] = /(?:Allowed choices are|expected (?:all or )?one of:?) (.*?)\.?$/.exec(what) ?? [];
  const meant = list.split(', ').find((word) => isNear(value, word));
  return meant && `did you mean ${meant}?`;
}

/** Whether a word is another one with a letter too many, too few or wrong, or two that have changed places. */
function isNear(one: string, other: string): boolean {
  if (other === '' || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < other.length && one[start] === other[start]) start++;
  const [left, right] = [one.slice(start), other.slice(start)];
  const isSwapped = left.slice(0, 2) === [...right.slice(0, 2)].reverse().join('') && left.slice(2) === right.slice(2);
  return isSwapped || [right, right.slice(1)].includes(left.slice(1)) || left === right.slice(1);
}
