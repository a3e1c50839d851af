// The imports of the modules in src, read from their text.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SRC = fileURLToPath(new URL('../src', import.meta.url));

export interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
  /** import() loads the target when it is needed. */
  readonly isLate: boolean;
  /** Only types are imported, so the target is not loaded. */
  readonly isType: boolean;
}

/** A static import or export with its names, or an import(). */
const STATEMENT = /(?:^(?:import|export)\s+(type\s)?([^;'"]*?)\bfrom\s*|(import\(\s*))'([^']+)'/gm;

/** The imports of all modules except the kernel's sources. */
export function imports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('assembly'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return [...text.matchAll(STATEMENT)].map(({ index, 1: keyword, 2: names, 3: late, 4: target = '' }) => ({
      file,
      room: roomOf(file),
      target: target.startsWith('.') ? relative(SRC, join(SRC, dirname(file), target)) : target,
      isLate: late !== undefined,
      isType: keyword !== undefined || areTypes(names) || text.slice(0, index).endsWith('typeof '),
    }));
  });
}

/** Whether all names in braces are types. */
function areTypes(names = ''): boolean {
  const [, list] = /^\{(.*)\}\s*$/s.exec(names) ?? [];
  return list?.split(',').every((name) => /^\s*(type\s.*)?$/s.test(name)) ?? false;
}

export function roomOf(file: string): string {
  return (file.replace(/^\.\.\//, '').split('/')[0] ?? '').replace(/\.ts$/, '');
}
