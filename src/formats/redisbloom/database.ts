import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/** The possible bytes after the head. No text has such bytes there. */
const OPCODES = ['\xf4', '\xf5', '\xf7', '\xfa', '\xfe', '\xff'];

/**
 * A database file of Redis, such as dump.rdb or the base of its append-only files, with a filter of BF.* or CF.*
 * under a key: "REDIS" and a version, keys with their values, and CRC-64 of all bytes.
 */
export const redisDatabase: Format = {
  name: 'redis-rdb',
  system: 'Redis (RDB)',
  purpose: 'Redis servers with RedisBloom',
  signatures: OPCODES.map((opcode) => signatureOf(`REDIS????${opcode}`)),
  abilities: ['query', 'report'],
  keyTypes: BYTES,
  integrity: 'the checksum matches',
  limits: ['one filter is queried: if a file has several, state its key with --column'],
  refusal: () => ({
    what: 'a database file of Redis',
    hint: 'write the key to a file with redis-cli --raw DUMP KEY > FILE; that can be changed and merged',
  }),
  open: async (source, _, opening) => (await import('./database-file.ts')).open(source, opening, redisDatabase),
  openColumns: async (source) => (await import('./database-file.ts')).openEach(source, redisDatabase),
};
