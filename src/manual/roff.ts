// Pages in the macros of man(7), which groff, mandoc and BSD's man read.

import { wrap } from '../terminal/wrap.ts';

/** Linters warn about longer lines of source. */
const COLUMNS = 79;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  // Escaped, so that it stays an ASCII hyphen.
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** A text with its special characters escaped. */
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

/** The source lines of an escaped text. A line must not begin with a dot, which starts a request of roff. */
export function filled(text: string): string[] {
  return wrap(text, COLUMNS).map((line) => (line.startsWith('.') ? `\\&${line}` : line));
}

/** Paragraphs of plain text, separated by blank lines. */
export function paragraphs(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => ['.PP', ...filled(literal(paragraph.replaceAll('\n', ' ')))]);
}

/** Lines that are not filled. */
export function display(lines: readonly string[]): string[] {
  return ['.PP', '.RS 4', '.nf', ...lines.map((line) => literal(line).replace(/^\./, '\\&.')), '.fi', '.RE'];
}

/** A term, already escaped, and its description. */
export function tagged(term: string, said: string): string[] {
  return ['.TP', term, ...filled(literal(said))];
}

export function section(title: string): string {
  return `.SH ${literal(title.toUpperCase())}`;
}

export function subsection(title: string): string {
  return `.SS ${literal(title)}`;
}
