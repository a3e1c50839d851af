import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './format.ts';

/** Version 1 of DCSO's bloom, and of flor, fleur and poppy: a u64 of flags, of which only the version is set. */
export const dcso: FormatMark = {
  system: 'DCSO bloom',
  purpose: "DCSO's bloom, flor, fleur and poppy",
  signatures: [signatureOf('\x01\0\0\0\0\0\0\0')],
};
