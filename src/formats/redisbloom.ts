import { signatureOf } from '../io/signature.ts';
import type { FormatMark } from './format.ts';

/** RedisBloom's BF.* as commands that load it, or as what DUMP gives. */
export const redisBloom: FormatMark = {
  system: 'RedisBloom',
  purpose: 'a server of Redis',
  signatures: ['*4\r\n$12\r\nBF.LOADCHUNK', '\x07\x81\x30\x16\xe5\xa2\x89\xbe'].map(signatureOf),
};
