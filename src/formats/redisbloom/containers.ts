import { signatureOf } from '../../io/signature.ts';

/** The first bytes of commands. No other file begins with them. */
export const COMMANDS_BEGIN = '*4\r\n$12\r\nBF.LOADCHUNK\r\n';

/** The first bytes of an append-only file. */
export const SELECT_BEGIN = '*2\r\n$6\r\nSELECT\r\n';

/**
 * The first bytes of the output of DUMP: the type, the length of the id, and its upper 54 bits, which are "MBbloom--"
 * in letters of 6 bits. The lowest 10 bits of the id are the version.
 */
export const DUMP_BEGIN = '\x07\x81\x30\x16\xe5\xa2\x89\xbe\xf8';

export const COMMANDS = signatureOf(COMMANDS_BEGIN);
export const SELECT = signatureOf(SELECT_BEGIN);
export const DUMP = signatureOf(DUMP_BEGIN);

/** The containers of a new filter. */
export type ContainerName = 'commands' | 'raw' | 'dumped';
