import { existsSync, readdirSync } from 'node:fs';
import { isUrl, lookAt } from './look.ts';
import { NAME_SEPARATOR, NAMES_IGNORE_CASE } from './system.ts';

const WILDCARD = /[*?[]/;

/** Whether a name has wildcards and no file has this name. The shell did not expand it. */
export function isPattern(name: string): boolean {
  return WILDCARD.test(name) && !isUrl(name) && !existsSync(name);
}

/** Whether a name stands for any number of files: a pattern or a folder. */
export function meansMany(name: string): boolean {
  return name !== '-' && (isPattern(name) || lookAt(name)?.isDirectory() === true);
}

/**
 * The names that match a pattern, sorted. `*`, `?` and `[...]` match any character but `/`, as in a shell. They do not
 * match a dot at the beginning of a name. The names have `/` between folders, also on Windows.
 */
export function namesLike(pattern: string): string[] {
  const parts = pattern.split(NAME_SEPARATOR);
  let found = [''];
  for (const [i, part] of parts.entries()) {
    const before = (name: string) => (i === 0 ? '' : `${name}/`);
    found = found.flatMap((name) => {
      const folder = before(name);
      if (!WILDCARD.test(part)) return [folder + part];
      return entriesOf(folder)
        .filter(matching(part))
        .sort()
        .map((entry) => folder + entry);
    });
  }
  return found.filter((name) => existsSync(name));
}

/** The names in a folder; none if it is not a folder or cannot be read. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder === '' ? '.' : folder);
  } catch {
    return [];
  }
}

/** Returns a function that tests a name against a pattern without slashes. */
function matching(pattern: string): (name: string) => boolean {
  const source = pattern.replace(
    /\[(!?)([^\]]+)\]|[\s\S]/g,
    (part, isNot: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${isNot ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`;
      if (part === '*') return '.*';
      return part === '?' ? '.' : part.replace(/[\\^$.|+(){}[\]]/, '\\$&');
    },
  );
  const expression = new RegExp(`^${source}$`, NAMES_IGNORE_CASE ? 'sui' : 'su');
  return (name) => name.startsWith('.') === pattern.startsWith('.') && expression.test(name);
}
