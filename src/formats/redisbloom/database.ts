import { signatureOf } from '../../io/signature.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';

/** What may follow the head: no text has such bytes behind it. */
const OPCODES = ['\xf4', '\xf5', '\xf7', '\xfa', '\xfe', '\xff'];

/**
 * A database file of Redis, such as dump.rdb or the base of its append-only files, of which one key is a filter of BF.* or CF.*:
 * "REDIS" and a version, keys with their values, and CRC-64 of all of it.
 */
export const redisDatabase: Format = {
  name: 'redis-rdb',
  system: 'Redis (RDB)',
  purpose: 'a server of Redis with RedisBloom',
  signatures: OPCODES.map((opcode) => signatureOf(`REDIS????${opcode}`)),
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: 'it matches its checksum',
  limits: ['one filter is asked: where a file has several, --column says of which key'],
  refusal: () => ({
    what: 'a database file of Redis',
    hint: 'give what redis-cli --raw DUMP prints of a key: that can be changed and merged',
  }),
  fileBytes: ({ bits }) => bits / 8,
  open: async (source, _, opening) => (await import('./database-file.ts')).open(source, opening, redisDatabase),
  openColumns: async (source) => (await import('./database-file.ts')).openEach(source, redisDatabase),
};
