// From a key to its digest, after FORMAT.md and nothing else.

import { foldedBytes } from './case-folding.ts';
import { farm64 } from './farm64.ts';
import { murmur3 } from './murmur3.ts';
import { xxh3 } from './xxh3.ts';
import { xxh64 } from './xxh64.ts';

/** In the order of their numbers in files. */
const HASHES = { xxh64, xxh3, murmur3, farm64 };

type HashName = keyof typeof HASHES;

const HASH_NAMES = Object.keys(HASHES) as HashName[];

/** The number of a hash in a header. */
export function hashNumber(name: HashName): number {
  return 1 + HASH_NAMES.indexOf(name);
}

export function hashWithNumber(number: number): HashName | undefined {
  return HASH_NAMES[number - 1];
}

/** The fields of a header that fix the digest of a key. */
export interface DigestRules {
  readonly hash: HashName;
  readonly seed: bigint;
  readonly ignoreCase: boolean | 'unicode';
  readonly trim: boolean;
}

const SPACE = 0x20;
const TAB = 0x09;

/** A key after trim and ignore-case, in this order. */
export function normalise(key: Uint8Array, rules: Pick<DigestRules, 'ignoreCase' | 'trim'>): Uint8Array {
  let normal = key;
  if (rules.trim) {
    const isBlank = (byte: number) => byte === SPACE || byte === TAB;
    const first = normal.findIndex((byte) => !isBlank(byte));
    const last = normal.findLastIndex((byte) => !isBlank(byte));
    normal = first < 0 ? new Uint8Array() : normal.subarray(first, last + 1);
  }
  if (rules.ignoreCase === 'unicode') return foldedBytes(normal);
  if (rules.ignoreCase) normal = normal.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
  return normal;
}

/** Digests computed so far, by the rules and the key. */
const known = new Map<string, WeakMap<Uint8Array, bigint>>();

/** The digest of a key. The bytes of the key must not change afterwards, because digests are cached. */
export function digestOf(key: Uint8Array, rules: DigestRules): bigint {
  const name = `${rules.hash} ${rules.seed} ${rules.ignoreCase} ${rules.trim}`;
  const digests = known.get(name) ?? new WeakMap<Uint8Array, bigint>();
  known.set(name, digests);
  const digest = digests.get(key) ?? HASHES[rules.hash](normalise(key, rules), rules.seed);
  digests.set(key, digest);
  return digest;
}
