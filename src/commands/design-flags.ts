import type { KeyType } from '../formats/key-types.ts';
import type { HashName } from '../hashes/registry.ts';
import type { SizingFlags } from '../options/sizing.ts';

/** The flags that define a new filter. */
export interface DesignFlags extends SizingFlags {
  readonly format?: string;
  readonly keyType?: KeyType;
  readonly kind?: string;
  readonly hash?: HashName;
  readonly seed?: bigint | 'random';
  readonly ignoreCase?: true;
  readonly trim?: true;
  readonly like?: string;
}

/** Those of them that fix the size of a filter, and not its keys. */
export const OF_SIZE = [
  'items',
  'fpr',
  'bits',
  'memory',
  'hashes',
  'bitsPerKey',
  'headroom',
  'segmentSize',
  'growth',
  'tightening',
  'kind',
] as const;
