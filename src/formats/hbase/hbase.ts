import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { CELLS } from './keys.ts';

/**
 * An HFile, version 3: a store file of HBase. Its filter is in chunks, each of which has the keys from its first one on up to the
 * first of the next.
 */
export const hbase: Format = {
  name: 'hbase',
  system: 'HBase',
  purpose: 'HBase, whose store files are HFiles',
  signatures: [signatureOf('DATABLK*'), signatureOf('DATABLKE')],
  abilities: ['ask', 'report'],
  keyTypes: { ...BYTES, ...CELLS },
  integrity: 'every checksum of its filter matches',
  limits: ['HFiles that are encrypted, of version 2, or compressed but with GZ are not read'],
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, kernel) => (await import('./filter.ts')).open(source, hbase, kernel),
};
