/** What a terminal is told before parts of a line, as "01;31" (ECMA-48, SGR); nothing where that is empty. */
export interface LineColours {
  /** A key that matched. */
  readonly match: string;
  readonly file: string;
  readonly line: string;
  readonly separator: string;
  /** The rest of the screen's line is cleared in the colour, as a background may reach it. */
  readonly clears: boolean;
}

const ERASE = '\x1b[K';

/** What stands before and behind text of some colour, as grep has it. */
export function around(colour: string, { clears }: LineColours): readonly [string, string] {
  if (colour === '') return ['', ''];
  const erase = clears ? ERASE : '';
  return [`\x1b[${colour}m${erase}`, `\x1b[m${erase}`];
}

/** Text in some colour; as it is without colours. */
export function inColour(text: string, part: 'file' | 'line' | 'separator', colours: LineColours | undefined): string {
  if (colours === undefined) return text;
  const [before, behind] = around(colours[part], colours);
  return before + text + behind;
}

/** Such text before a record, and what separates the two: a NUL is none of its colour. */
export function leading(
  text: string,
  part: 'file' | 'line',
  colours: LineColours | undefined,
  behind: ':' | '\0' = ':',
): string {
  return inColour(text, part, colours) + (behind === ':' ? inColour(':', 'separator', colours) : behind);
}
