/** Codes for parts of a line, such as "01;31" (ECMA-48, SGR). An empty code means no colour. */
export interface LineColours {
  /** A key that matched. */
  readonly match: string;
  readonly file: string;
  readonly line: string;
  readonly separator: string;
  /** The rest of the line is erased in the colour, because the background may reach it. */
  readonly clears: boolean;
}

const ERASE = '\x1b[K';

/** The text before and after coloured text, as grep prints it. */
export function around(colour: string, { clears }: LineColours): readonly [string, string] {
  if (colour === '') return ['', ''];
  const erase = clears ? ERASE : '';
  return [`\x1b[${colour}m${erase}`, `\x1b[m${erase}`];
}

/** The text in the colour of a part; unchanged without colours. */
export function inColour(text: string, part: 'file' | 'line' | 'separator', colours: LineColours | undefined): string {
  if (colours === undefined) return text;
  const [before, after] = around(colours[part], colours);
  return before + text + after;
}

/** Coloured text before a record, and the separator. A NUL is not coloured. */
export function leading(
  text: string,
  part: 'file' | 'line',
  colours: LineColours | undefined,
  after: ':' | '\0' = ':',
): string {
  return inColour(text, part, colours) + (after === ':' ? inColour(':', 'separator', colours) : after);
}
