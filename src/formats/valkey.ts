import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './mark.ts';

/** A filter of valkey-bloom: the command that restores it, or what DUMP gives of it, of its module "bloomfltr". */
export const valkey: FormatMark = {
  system: 'Valkey',
  purpose: 'a server of Valkey',
  signatures: ['*3\r\n$7\r\nBF.LOAD\r\n', '\x07\x81\x6e\x5a\x28\x99\xf9\x6d\xac'].map(signatureOf),
};
