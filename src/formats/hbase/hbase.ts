import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { CELLS } from './keys.ts';

/**
 * An HFile of version 3, which is a store file of HBase. Its filter consists of chunks. A chunk has the keys from its
 * first key to the first key of the next chunk.
 */
export const hbase: Format = {
  name: 'hbase',
  system: 'HBase',
  purpose: 'HBase, whose store files are HFiles',
  signatures: [signatureOf('DATABLK*'), signatureOf('DATABLKE')],
  abilities: ['query', 'report'],
  keyTypes: { ...BYTES, ...CELLS },
  integrity: 'all checksums of its filter match',
  limits: ['encrypted HFiles, HFiles of version 2, and compressions other than GZ are not supported'],
  open: async (source, kernel) => (await import('./filter.ts')).open(source, hbase, kernel),
};
