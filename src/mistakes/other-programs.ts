// Commands of Redis and of other programs with filters. Bloom has another name for them, or does not have them.

import { shellLine, tryLine } from '../commands/shell-line.ts';
import { lookAt } from '../io/look.ts';
import { newNamedAfter } from './line.ts';

/** What to type instead of such a command. `rest` has its arguments. */
export function stepAfterForeign(name: string, rest: readonly string[]): string | undefined {
  const [first = 'FILTER', ...others] = rest;
  switch (name.toLowerCase().replace(/^(bf|cf)\./, '')) {
    case 'reserve':
      return emptyFilter(name, rest);
    case 'add':
    case 'madd':
    case 'insert':
    case 'addnx':
    case 'insertnx':
    case 'sadd':
      return lookAt(filterNamed(first)) === undefined
        ? tryLine(['build', ...keys(others), '-o', filterNamed(first)])
        : tryLine(['add', filterNamed(first), ...keys(others)]);
    case 'exists':
    case 'mexists':
    case 'sismember':
    case 'smismember':
      return tryLine(['query', filterNamed(first), ...keys(others)]);
    case 'del':
    case 'srem':
      return tryLine(['remove', filterNamed(first), ...keys(others)]);
    case 'info':
    case 'card':
    case 'scard':
      return tryLine(['stats', filterNamed(first)]);
    case 'serve':
      return withReason('a query can stay open and answer line by line', ['query', first, '--line-buffered', '--tag']);
    case 'intersect':
    case 'intersection':
    case 'sinter':
      return withReason('no filter can be made of the common keys, but they can be counted', [
        'compare',
        first,
        ...others,
      ]);
    case 'diff':
    case 'sdiff':
    case 'jaccard':
    case 'overlap':
    case 'similarity':
      return tryLine(['compare', first, ...others]);
    case 'import':
      return lookAt(first)?.isFile() === true && !first.endsWith('.bloom')
        ? tryLine(['build', first, '-o', newNamedAfter(first)])
        : withReason('files of other systems need no import', ['stats', first]);
    case 'convert':
    case 'export':
      return withReason('a filter does not contain its keys; build one with --format from the records', ['formats']);
    default:
      return undefined;
  }
}

/** The file of a filter by its key in Redis. */
function filterNamed(key: string): string {
  return key.includes('.') || lookAt(key) !== undefined ? key : `${key}.bloom`;
}

function keys(values: readonly string[]): string[] {
  return values.flatMap((value) => ['-e', value]);
}

/** BF.RESERVE has the rate and then the capacity after the name. CF.RESERVE has only the capacity. */
function emptyFilter(name: string, [key = 'seen', ...numbers]: readonly string[]): string | undefined {
  const isCuckoo = /^cf\./i.test(name);
  const [capacity = '1M', rate] = isCuckoo ? numbers : [numbers[1], numbers[0]];
  const size = [...(isCuckoo ? ['--kind', 'cuckoo'] : []), '-n', capacity, ...(rate === undefined ? [] : ['-p', rate])];
  const line = tryLine(['build', ...size, '-o', newNamedAfter(key)]);
  return line && `${line} < /dev/null`;
}

function withReason(reason: string, argv: readonly string[]): string | undefined {
  const line = shellLine(argv);
  return line && `${reason}: try ${line}`;
}
