import type { FormatVariant } from '../mark.ts';

/** Tables whose hash takes the last bytes of keys for signed numbers; nothing in a file says so. */
export const SIGNED: FormatVariant = {
  name: 'leveldb-1.17',
  purpose: 'tables of LevelDB itself up to 1.17, on x86, where keys may end in bytes above 0x7f',
};

/** Tables of goleveldb, which say no more than those do. */
export const GOLEVELDB: FormatVariant = { name: 'goleveldb', purpose: 'tables of goleveldb, as those of geth' };
