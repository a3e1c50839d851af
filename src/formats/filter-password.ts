import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './mark.ts';

/** A filter of FilterPassword: it begins with 1,234,567. */
export const filterPassword: FormatMark = {
  system: 'FilterPassword',
  purpose: 'FilterPassword',
  signatures: [signatureOf('\x87\xd6\x12\0\0\0\0\0')],
};
