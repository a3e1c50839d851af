// The mutants of the sources: each is the source with one small mistake in it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { children, type Edit, editsOf, type Node } from './operators.ts';

export interface Mutant extends Edit {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line as it is, and as it becomes, without blanks around them. */
  readonly before: string;
  readonly after: string;
}

/** The source with the mistake. */
export function mutated(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** All mutants of one file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  // AssemblyScript has decorators where TypeScript has none.
  const parsable = source.replaceAll(/^@\w+/gm, (decorator) => ' '.repeat(decorator.length));
  const edits: Edit[] = [];
  const walk = (node: Node) => {
    edits.push(...editsOf(node, source));
    for (const child of children(node)) walk(child);
  };
  walk(parseAst(parsable, { lang: 'ts' }) as unknown as Node);
  const before = source.split('\n');
  return edits.map((edit) => {
    const number = source.slice(0, edit.start).split('\n').length;
    const start = source.lastIndexOf('\n', edit.start - 1) + 1;
    const [after = ''] = mutated(source, edit).slice(start).split('\n', 1);
    return { ...edit, file, line: number, before: before[number - 1]?.trim() ?? '', after: after.trim() };
  });
}

/** All mutants of all sources in a folder of the project, always in the same order. */
export function allMutants(root: string, folder = 'src'): Mutant[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => join(folder, name))
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}
