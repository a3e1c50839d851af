/** Where a line may be broken: at a blank, but not between a number and its unit, or a flag and its value. */
const BREAK = /(?<!-n) (?!%|[kMGTP]?B\b)/;

/** Text in lines of so many columns at most; what cannot be broken has a line of its own, however long. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
