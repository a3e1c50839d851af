// The reference page of the library, made from its declarations and their comments.

import { parseAst } from 'rolldown/parseAst';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name: string };
  readonly declaration?: Node;
  readonly body?: { readonly body: readonly Node[] };
  readonly key?: { readonly name: string };
  readonly optional?: boolean;
}

const HEAD = `# Library

Programs import it by \`import { openFilter } from 'bloomery'\` or \`require('bloomery')\`. It is the engine of the commands, with the same files
and answers. It runs in Node from 20.0 on, also in workers, each of which opens its own filter.

This page is made of the comments in the sources (\`npm test -- test/library/page.test.ts -u\`). The tests run its examples.
`;

/** The page for declarations, in their order, with functions first. */
export function libraryPage(declarations: string): string {
  const { body } = parseAst(declarations, { lang: 'dts' }) as unknown as { readonly body: readonly Node[] };
  const items = body.flatMap(({ start, declaration }) => (declaration === undefined ? [] : [{ start, declaration }]));
  const isFunction = ({ declaration: { type } }: { readonly declaration: Node }) => type === 'TSDeclareFunction';
  const ordered = [...items.filter(isFunction), ...items.filter((item) => !isFunction(item))];
  return [HEAD, ...ordered.map(({ start, declaration }) => section(declarations, start, declaration))].join('\n');
}

function section(text: string, start: number, declaration: Node): string {
  const name = declaration.id?.name ?? '';
  const comment = commentBefore(text, start);
  const [about = '', example] = comment.split('@example\n');
  const members = declaration.body?.body ?? [];
  const parts = [`## ${name}\n`];
  if (members.length === 0) parts.push(code('ts', text.slice(declaration.start, declaration.end)));
  parts.push(`${about.trim()}\n`);
  if (example !== undefined) parts.push(code('js', example));
  const areMethods = members.some(({ type }) => type === 'TSMethodSignature');
  if (members.length > 0) parts.push(areMethods ? methods(text, members) : properties(text, members));
  return parts.join('\n');
}

function methods(text: string, members: readonly Node[]): string {
  return members
    .map(
      (member) =>
        `### ${member.key?.name}\n\n${code('ts', sourceOf(text, member))}\n${commentBefore(text, member.start)}\n`,
    )
    .join('\n');
}

function properties(text: string, members: readonly Node[]): string {
  const rows = members.flatMap((member) => {
    if (member.type !== 'TSPropertySignature' && member.type !== 'PropertyDefinition') return [];
    const [, type = ''] = sourceOf(text, member).split(/\??: (.*);$/s);
    const about = commentBefore(text, member.start).replaceAll('\n', ' ');
    return [
      `| \`${member.key?.name}\`${member.optional ? ', optional' : ''} | \`${type.replaceAll('|', '\\|')}\` | ${about} |`,
    ];
  });
  return `${['| name | type | |', '|---|---|---|', ...rows].join('\n')}\n`;
}

/** A member on one line. */
function sourceOf(text: string, { start, end }: Node): string {
  const source = text.slice(start, end).replace(/^readonly /, '');
  return source.endsWith(';') ? source : `${source};`;
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim().replace(/^declare /, '')}\n\`\`\`\n`;
}

/** The comment that ends where a declaration begins, without its stars; empty if there is none. */
function commentBefore(text: string, start: number): string {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith('*/')) return '';
  return before
    .slice(before.lastIndexOf('/**') + '/**'.length, -'*/'.length)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}
