// From a key to its digest, after FORMAT.md and nothing else.

import { murmur3 } from './murmur3.ts';
import { xxh3 } from './xxh3.ts';
import { xxh64 } from './xxh64.ts';

const HASHES = { xxh64, xxh3, murmur3 };

/** The fields of a header that fix the digest of a key. */
export interface DigestRules {
  readonly hash: keyof typeof HASHES;
  readonly seed: bigint;
  readonly ignoreCase: boolean;
  readonly trim: boolean;
}

const SPACE = 0x20;
const TAB = 0x09;

/** A key after trim and ignore-case, in this order. */
export function normalise(key: Uint8Array, rules: Pick<DigestRules, 'ignoreCase' | 'trim'>): Uint8Array {
  let normal = [...key];
  if (rules.trim) {
    const isBlank = (byte: number) => byte === SPACE || byte === TAB;
    const first = normal.findIndex((byte) => !isBlank(byte));
    const last = normal.findLastIndex((byte) => !isBlank(byte));
    normal = first < 0 ? [] : normal.slice(first, last + 1);
  }
  if (rules.ignoreCase) normal = normal.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
  return Uint8Array.from(normal);
}

/** The hash of a key. */
export function hashOf(key: Uint8Array, rules: DigestRules): bigint {
  return HASHES[rules.hash](normalise(key, rules), rules.seed);
}

/** Digests that were worked out, by the rules and the key, which must not change. */
const known = new Map<string, WeakMap<Uint8Array, bigint>>();

/** The digest of a key. */
export function digestOf(key: Uint8Array, rules: DigestRules): bigint {
  const name = `${rules.hash} ${rules.seed} ${rules.ignoreCase} ${rules.trim}`;
  const digests = known.get(name) ?? new WeakMap<Uint8Array, bigint>();
  known.set(name, digests);
  const hash = digests.get(key) ?? hashOf(key, rules);
  digests.set(key, hash);
  return rules.hash === 'murmur3' ? hash ^ 0x9e3779b97f4a7c15n : hash;
}
