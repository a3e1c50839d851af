// The mutants of the sources. Each is a source with one small mistake.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { children, type Edit, editsOf, type Node } from './operators.ts';

export interface Mutant extends Edit {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line before and after the change, without surrounding blanks. */
  readonly before: string;
  readonly after: string;
}

/** The source with the mistake. */
export function mutated(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** The nodes of a source that can run, each before its children. */
export function nodesOf(source: string): Node[] {
  // AssemblyScript has decorators where TypeScript does not allow them.
  const parsable = source.replaceAll(/^@\w+/gm, (decorator) => ' '.repeat(decorator.length));
  const nodes: Node[] = [];
  const walk = (node: Node) => {
    nodes.push(node);
    for (const child of children(node)) walk(child);
  };
  walk(parseAst(parsable, { lang: 'ts' }) as unknown as Node);
  return nodes;
}

/** All mutants of one file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const edits = nodesOf(source).flatMap((node) => editsOf(node, source));
  const before = source.split('\n');
  return edits.map((edit) => {
    const number = source.slice(0, edit.start).split('\n').length;
    const start = source.lastIndexOf('\n', edit.start - 1) + 1;
    const [after = ''] = mutated(source, edit).slice(start).split('\n', 1);
    return { ...edit, file, line: number, before: before[number - 1]?.trim() ?? '', after: after.trim() };
  });
}

/** The sources in a folder of the project, always in the same order. */
export function sourcesIn(root: string, folder = 'src'): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => join(folder, name));
}

/** All mutants of all sources in a folder of the project, always in the same order. */
export function allMutants(root: string, folder = 'src'): Mutant[] {
  return sourcesIn(root, folder).flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}

export function isOfKernel(file: string): boolean {
  return file.startsWith(join('src', 'kernel', 'assembly'));
}
