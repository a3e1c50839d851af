import { type BloomError, harmless } from '../errors.ts';
import { STDERR } from '../io/descriptors.ts';
import { tell } from '../io/sink.ts';
import { type ColourSetting, palette } from './colour.ts';

/** Lines for people, on standard error. */
export interface Messenger {
  /** "bloom: what is wrong; what to do" */
  error(error: BloomError): void;
  /** "bloom: warning: what is wrong; what to do" */
  warning(text: string): void;
  /** As it stands, unless the user wants to hear of what is wrong only. */
  note(text: string): void;
  readonly isQuiet: boolean;
}

/** What speaks to the user on the standard error, in colour if that is wished for or fits. */
export async function messenger(constraints: ColourSetting | undefined, isQuiet = false): Promise<Messenger> {
  const colours = await palette(STDERR, constraints);
  return {
    error: ({ message, hint }) =>
      tell(`${colours.bad('bloom:')} ${harmless(`${message}${hint === undefined ? '' : `; ${hint}`}`)}`),
    warning: (text) => tell(`${colours.bad('bloom: warning:')} ${harmless(text)}`),
    note: isQuiet ? () => {} : (text) => tell(harmless(text)),
    isQuiet,
  };
}
