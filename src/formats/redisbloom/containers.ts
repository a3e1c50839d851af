import { signatureOf } from '../../io/signature.ts';

/** What commands begin with, and nothing else. */
export const COMMANDS_BEGIN = '*4\r\n$12\r\nBF.LOADCHUNK\r\n';

/** What an append-only file begins with. */
export const SELECT_BEGIN = '*2\r\n$6\r\nSELECT\r\n';

/** What DUMP gives begins with the type, the length of the id, and its upper 54 bits: "MBbloom--" in letters of 6 bits. Its last byte is the version's. */
export const DUMP_BEGIN = '\x07\x81\x30\x16\xe5\xa2\x89\xbe\xf8';

export const COMMANDS = signatureOf(COMMANDS_BEGIN);
export const SELECT = signatureOf(SELECT_BEGIN);
export const DUMP = signatureOf(DUMP_BEGIN);

/** What a new file makes of a filter. */
export type ContainerName = 'commands' | 'raw' | 'dumped';
