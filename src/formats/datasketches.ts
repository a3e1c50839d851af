import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './format.ts';

/** A Bloom filter of Apache DataSketches: its preamble in 8-byte words, 3 or 4, then version 1 and family 21. */
export const datasketches: FormatMark = {
  system: 'Apache DataSketches',
  purpose: 'programs with its library',
  signatures: ['\x03\x01\x15', '\x04\x01\x15'].map(signatureOf),
};
