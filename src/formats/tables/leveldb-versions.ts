import type { FormatVariant } from '../mark.ts';

/** Tables whose hash treats the last bytes of keys as signed numbers. No file shows it. */
export const SIGNED: FormatVariant = {
  name: 'leveldb-1.17',
  purpose: 'tables of LevelDB up to 1.17 on x86, with keys that may end in bytes above 0x7f',
};

/** Tables of goleveldb. Their content looks the same. */
export const GOLEVELDB: FormatVariant = { name: 'goleveldb', purpose: 'tables of goleveldb, such as those of geth' };
