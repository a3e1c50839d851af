import { BloomError } from '../errors.ts';
import type { CaseRule } from '../formats/description.ts';
import type { KeyType } from '../formats/key-types.ts';
import { KEY_HASH_TEXTS, type KeyHash } from '../hashes/key-hashes.ts';
import type { HashName } from '../hashes/registry.ts';
import type { SizingFlags } from '../options/sizing.ts';

/** The flags that define a new filter. */
export interface DesignFlags extends SizingFlags {
  readonly format?: string;
  readonly keyType?: KeyType;
  readonly kind?: string;
  readonly hash?: HashName;
  readonly seed?: bigint | 'random';
  readonly ignoreCase?: Exclude<CaseRule, false>;
  readonly trim?: true;
  readonly suffixes?: true;
  readonly prefixes?: true;
  readonly keyHash?: KeyHash;
  readonly hashed?: true;
  readonly like?: string;
}

/** The known facts about a new filter besides its flags. */
export interface DesignFacts {
  /** Protected keys. Undefined if the filter has none. */
  readonly protectedKeys?: number | undefined;
  /** The protected keys are a universe, members included. */
  readonly isUniverse?: boolean | undefined;
}

/** The flags that determine the size of a filter, not its keys. */
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

/** The hash of the keys. Throws a `usage` error for digests of an unknown hash. */
export function keyHashOf({ keyHash, hashed }: Pick<DesignFlags, 'keyHash' | 'hashed'>): KeyHash | undefined {
  if (!hashed) return keyHash;
  if (keyHash !== undefined) return { ...keyHash, areGiven: true };
  throw new BloomError(
    'usage',
    '--hashed reads digests, and nothing states of which hash',
    `add --key-hash ${KEY_HASH_TEXTS[0]}, or another hash`,
  );
}
