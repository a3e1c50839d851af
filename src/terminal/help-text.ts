import { wrap } from './wrap.ts';

/** A line that stands for itself: its indentation and, in two columns, a term and what is said of it. */
const INDENTED = /^( +)(?:(\S.*?) {2,})?(\S.*)$/;

/** Columns that what is said of a term needs beside it; with less it stands below. */
const LEAST_BESIDE = 28;
const BELOW = '    ';

/**
 * A help text in lines of so many columns: lines of a paragraph are filled anew; an indented line keeps to itself, and goes
 * on below its second column, if it has one.
 */
export function fold(text: string, columns: number): string {
  return paragraphsOf(text)
    .flatMap((line) => folded(line, columns))
    .join('\n');
}

/** The lines of a text, those of a paragraph put together. */
function paragraphsOf(text: string): string[] {
  const isText = (line: string | undefined) => line !== undefined && /^\S/.test(line);
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (isText(line) && isText(lines.at(-1))) lines[lines.length - 1] += ` ${line}`;
    else lines.push(line);
  }
  return lines;
}

function folded(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const [, indent = '', term, rest = line] = INDENTED.exec(line) ?? [];
  const besideTerm = line.length - rest.length;
  if (term === undefined) return hung(rest, indent, indent === '' ? '' : `${indent}${BELOW}`, columns);
  const below = `${indent}${BELOW}`;
  return columns - besideTerm < LEAST_BESIDE
    ? [...folded(`${indent}${term}`, columns), ...hung(rest, below, below, columns)]
    : hung(rest, line.slice(0, besideTerm), ' '.repeat(besideTerm), columns);
}

/** Text in lines that begin with an indentation, the first with another, which is no longer. */
function hung(text: string, first: string, others: string, columns: number): string[] {
  return wrap(text, columns - others.length).map((line, i) => `${i === 0 ? first : others}${line}`);
}
