import { wrap } from './wrap.ts';

/** An indented line: its indentation, a term in the first column if it has two columns, and the description. */
const INDENTED = /^( +)(?:(\S.*?) {2,})?(\S.*)$/;

/** The fewest columns for a description beside its term. If fewer are left, the description moves below the term. */
const LEAST_BESIDE = 28;
const BELOW = '    ';

/**
 * Wraps a help text to `columns` columns. The lines of a paragraph are refilled. An indented line is wrapped by itself,
 * below its second column if it has one.
 */
export function fold(text: string, columns: number): string {
  return paragraphsOf(text)
    .flatMap((line) => folded(line, columns))
    .join('\n');
}

/** The lines of a text, with each paragraph joined into one line. */
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

/** Wraps a text. The first line begins with `first`, the other lines with `others`, which must not be shorter. */
function hung(text: string, first: string, others: string, columns: number): string[] {
  return wrap(text, columns - others.length).map((line, i) => `${i === 0 ? first : others}${line}`);
}
