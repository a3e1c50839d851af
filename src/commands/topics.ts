// The texts of `bloom help TOPIC`, besides the helps of commands.

import { inColumns } from '../options/purposes.ts';
import json from './JSON.md';

/** The documents by their topics. */
const DOCUMENTS: Readonly<Record<string, string>> = { json };

/** The text of a topic. Undefined if there is no such topic. */
export function topicText(topic: string): string | undefined {
  const document = Object.hasOwn(DOCUMENTS, topic) ? DOCUMENTS[topic] : undefined;
  return document === undefined ? undefined : plainText(document);
}

/** Markdown as help text. Tables become terms with descriptions, code is indented, and links become their texts. */
function plainText(markdown: string): string {
  const blocks = markdown.trim().split(/\n{2,}/);
  return `${blocks.map(plainBlock).join('\n\n')}\n`;
}

function plainBlock(block: string): string {
  const lines = block.split('\n');
  if (block.startsWith('```'))
    return lines
      .slice(1, -1)
      .map((line) => `  ${line}`)
      .join('\n');
  if (!block.startsWith('|')) return withoutMarks(block.replace(/^#+ /, ''));
  // The first two lines are the head of the table.
  const rows = lines.slice(2).map((line) =>
    line
      .split(/ *(?<!\\)\| */)
      .slice(1, -1)
      .map(withoutMarks),
  );
  return inColumns(rows.map(([term = '', ...cells]) => [term, cells.join('; ')]));
}

function withoutMarks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/`|\*\*|\\(?=\|)/g, '');
}
