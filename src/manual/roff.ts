// Pages in the macros man(7), which groff, mandoc and BSD's man read.

import { wrap } from '../terminal/wrap.ts';

/** Longer lines of source are hard to read, as linters say. */
const COLUMNS = 79;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  // So it stays the character that is typed.
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** A text as it stands. */
export function literal(text: string): string {
  return text
    .replace(/[\\'"`^~-]/g, (character) => ESCAPES[character] ?? character)
    .replace(
      /[^\0-\x7f]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

export function bold(text: string): string {
  return `\\fB${literal(text)}\\fP`;
}

export function italic(text: string): string {
  return `\\fI${literal(text)}\\fP`;
}

/** Lines of source of a text that is already escaped; a request of roff begins with a dot. */
export function filled(text: string): string[] {
  return wrap(text, COLUMNS).map((line) => (line.startsWith('.') ? `\\&${line}` : line));
}

/** Paragraphs of plain text, which blank lines separate. */
export function paragraphs(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => ['.PP', ...filled(literal(paragraph.replaceAll('\n', ' ')))]);
}

/** Lines that are not filled. */
export function display(lines: readonly string[]): string[] {
  return ['.PP', '.RS 4', '.nf', ...lines.map((line) => literal(line).replace(/^\./, '\\&.')), '.fi', '.RE'];
}

/** A term, already escaped, and what is said of it. */
export function tagged(term: string, said: string): string[] {
  return ['.TP', term, ...filled(literal(said))];
}

export function section(title: string): string {
  return `.SH ${literal(title.toUpperCase())}`;
}

export function subsection(title: string): string {
  return `.SS ${literal(title)}`;
}
