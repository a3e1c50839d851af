import { type BloomError, harmless } from '../errors.ts';
import { STDERR } from '../io/descriptors.ts';
import { tell } from '../io/sink.ts';
import { isTerminal } from '../io/terminal.ts';
import { type ColourSetting, palette } from './colour.ts';
import { wrap } from './wrap.ts';

/** Messages for people, on the standard error. */
export interface Messenger {
  /** "bloom: what is wrong; what to do" */
  error(error: BloomError): void;
  /** "bloom: warning: what is wrong; what to do" */
  warning(text: string): void;
  /** The text itself. A quiet user does not get it. */
  note(text: string): void;
  readonly isQuiet: boolean;
}

/** Writes messages to the standard error, in colour if the user or the terminal wants colour. */
export async function messenger(constraints: ColourSetting | undefined, isQuiet = false): Promise<Messenger> {
  const colours = await palette(STDERR, constraints);
  const columns = (await isTerminal(STDERR)) ? process.stderr.columns : 0;
  const say = (text: string, begin = '', paint = (words: string) => words) =>
    tell(`${paint(begin)}${inLines(begin + harmless(text), columns).slice(begin.length)}`);
  return {
    error: ({ message, hint }) => say(`${message}${hint === undefined ? '' : `; ${hint}`}`, 'bloom: ', colours.bad),
    warning: (text) => say(text, 'bloom: warning: ', colours.bad),
    note: isQuiet ? () => {} : (text) => say(text),
    isQuiet,
  };
}

/** A command line for the user to copy. No newline may interrupt it. */
const LINE_TO_TYPE = /(?<=[;:,] )try .*$/s;

/**
 * Wraps a message at spaces to the columns of a terminal. If the number of columns is 0, the message stays one line.
 */
export function inLines(text: string, columns: number): string {
  if (!columns || text.length <= columns) return text;
  const [line] = LINE_TO_TYPE.exec(text) ?? [];
  const rest = line === undefined ? text : text.slice(0, -line.length).replace(/;? $/, '');
  return [...rest.split('\n').flatMap((part) => wrap(part, columns)), ...(line === undefined ? [] : [line])].join('\n');
}
