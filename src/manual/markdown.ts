import { posix } from 'node:path';
import { bold, display, filled, italic, literal, section, subsection } from './roff.ts';

/**
 * Converts the Markdown of the project's documents to lines of a manual page. It supports three levels of headings,
 * paragraphs, two levels of lists, code, and tables, whose first column becomes terms. Links are relative to `folder`.
 */
export function fromMarkdown(text: string, folder: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  const nest = (to: number) => {
    for (; depth < to; depth++) if (depth > 0) lines.push('.RS 2');
    for (; depth > to; depth--) if (depth > 1) lines.push('.RE');
  };
  for (const block of blocksOf(text)) {
    const [, hashes, heading = ''] = /^(#+) (.*)$/.exec(block) ?? [];
    const [, indent, item = ''] = /^( *)- (.*)$/s.exec(block) ?? [];
    nest(indent === undefined ? 0 : indent.length / 2 + 1);
    if (hashes !== undefined) lines.push(headed(hashes.length, heading.replaceAll('`', '')));
    else if (block.startsWith(FENCE)) lines.push(...display(block.split('\n').slice(1, -1)));
    else if (block.startsWith('|')) lines.push(...termsOf(block, folder));
    else if (indent !== undefined) lines.push('.IP \\(bu 2', ...filled(inline(item, folder)));
    else lines.push('.PP', ...filled(inline(block, folder)));
  }
  nest(0);
  return lines;
}

/** The rows of a table, each as a term and its other cells. */
function termsOf(table: string, folder: string): string[] {
  const [, , ...rows] = table.split('\n');
  return rows.flatMap((row) => {
    const [term = '', ...cells] = row.split(/ *(?<!\\)\| */).slice(1, -1);
    return ['.TP', inline(term, folder), ...filled(inline(cells.join('; '), folder))];
  });
}

/** Headings, paragraphs, list items, and code with its fences. */
function blocksOf(text: string): string[] {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    const block = blocks.at(-1) ?? [];
    const isCode = block[0]?.startsWith(FENCE) && (block.length === 1 || !block.at(-1)?.startsWith(FENCE));
    if (isCode) block.push(line);
    else if (line === '' || /^(#|```| *- )/.test(line)) blocks.push(line === '' ? [] : [line]);
    else block.push(line);
  }
  return blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
}

const FENCE = '```';

/** Headings below this level are subsections of a page. */
const SECTION_LEVEL = 2;

function headed(level: number, heading: string): string {
  return level > SECTION_LEVEL ? subsection(heading) : section(heading);
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;

/**
 * A paragraph. Code becomes bold, and the target of a link follows its text. A link within the document keeps only its
 * text.
 */
function inline(text: string, folder: string): string {
  const joined = text.replace(/\s*\n\s*/g, ' ');
  const parts: string[] = [];
  let end = 0;
  for (const { 0: all, 1: code, 2: strong, 3: stressed, 4: link, 5: target = '', index } of joined.matchAll(INLINE)) {
    parts.push(literal(joined.slice(end, index)));
    if (code !== undefined) parts.push(bold(code));
    else if (strong !== undefined) parts.push(bold(strong));
    else if (stressed !== undefined) parts.push(italic(stressed));
    else if (target.startsWith('#')) parts.push(literal(link ?? ''));
    else parts.push(literal(`${link} (${posix.join(folder, target)})`));
    end = index + all.length;
  }
  return [...parts, literal(joined.slice(end))].join('');
}
