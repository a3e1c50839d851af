import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './format.ts';

/** An object that Java has serialised, such as a filter of Guava or Spark. */
export const java: FormatMark = {
  system: 'Java',
  purpose: 'the program that serialised it',
  signatures: [signatureOf('\xac\xed\0\x05')],
};
