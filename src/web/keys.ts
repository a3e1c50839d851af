// From a key to the bytes that are hashed, by the rules of a filter, after FORMAT.md.

import { BloomError } from '../bloom-error.ts';
import type { Key, WebInfo, WebPart } from './filter.ts';

const SPACE = 0x20;
const TAB = 0x09;

const encoder = new TextEncoder();

export const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** The bytes without spaces and tabs at either end. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let [from, to] = [0, bytes.length];
  while (to > from && isBlank(bytes[to - 1])) to--;
  while (from < to && isBlank(bytes[from])) from++;
  return bytes.subarray(from, to);
}

/** The letters A to Z in lower case. */
export function lowered(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte > 0x40 && byte < 0x5b ? byte + 32 : byte));
}

/** What a query looks up for a key: the key may be in the set if any of the bytes may be. */
export type Forms = (key: Key) => readonly Uint8Array[];

/** The rules of keys. `lengths` are those of networks, as `WebHeader` has them. */
export interface WebRules {
  readonly info: Pick<WebInfo, 'trim' | 'ignoreCase' | 'keyHash' | 'keyType'>;
  readonly lengths: bigint;
}

/** The forms of keys. Throws a `usage` error if the rules of its keys need a part that was not given. */
export function formsOfKeys({ info, lengths }: WebRules, parts: WebPart): Forms {
  const { trim, ignoreCase, keyHash, keyType } = info;
  const fold = ignoreCase === 'unicode' ? required(parts, 'letters') : ignoreCase ? lowered : undefined;
  const hash = keyHash === null ? undefined : required(parts, 'keyHashes');
  const spread = keyType === 'text' ? undefined : required(parts, keyType);
  return (key) => {
    let bytes = typeof key === 'string' ? encoder.encode(key) : key;
    if (trim) bytes = trimmed(bytes);
    if (fold) bytes = fold(bytes);
    if (spread) return spread(bytes, lengths);
    return [hash && keyHash !== null ? hash(bytes, keyHash) : bytes];
  };
}

/** A part of the reader that a filter or an index needs. */
export function required<K extends keyof WebPart>(parts: WebPart, name: K): NonNullable<WebPart[K]> {
  const part = parts[name];
  if (part) return part;
  throw new BloomError('usage', `the part ${name} is needed`, `open it with { with: [${name}] }`);
}
