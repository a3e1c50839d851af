/** A line can be broken at a space, but not between a number and its unit, or between -n and its value. */
const BREAK = /(?<!-n) (?!%|[kMGTP]?B\b)/;

/** Wraps a text to lines of at most `columns` columns. A longer word has its own line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
