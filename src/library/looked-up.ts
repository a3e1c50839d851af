import { type Key, requireBytes } from '../engine/input/given-keys.ts';
import { createKeyBytes } from '../engine/input/key-bytes.ts';
import { createVariants, type KeyVariants, splitsNames } from '../engine/input/key-variants.ts';
import type { KeyRules } from '../formats/description.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Finds the keys that are looked up for a key. The key may be present if any of them may be. */
export type KeysOf = (key: Key) => readonly Key[];

/** The keys that some rules look up for a key. Undefined if they look up the key alone. */
export function lookedUpKeys(kernel: Kernel, rules: KeyRules): KeysOf | undefined {
  if (splitsNames(rules)) return parentNames;
  const variants = createVariants(kernel, rules);
  return variants?.areEncoded ? encodedKeys(kernel, variants) : undefined;
}

/** The rules that make digests of these keys. */
export function rulesOfLookedUp(rules: KeyRules): KeyRules {
  return rules.lookup === 'blocks' ? { ...rules, encoding: undefined } : rules;
}

const DOT = 46;

/** A domain name and its parent domains. */
function parentNames(key: Key): Key[] {
  const names: Key[] = [key];
  for (let at = 0; at < key.length; at++) {
    if (typeof key === 'string' ? key[at] === '.' : key[at] === DOT)
      names.push(typeof key === 'string' ? key.slice(at + 1) : key.subarray(at + 1));
  }
  return names;
}

const SPAN = 8;
const OWNER = 4;

/** The blocks around an address, as the bytes that are hashed. A text that is not an address has none. */
function encodedKeys(kernel: Kernel, { most, write }: KeyVariants): KeysOf {
  const span = kernel.reserve(SPAN);
  const place = new Uint32Array(kernel.memory.buffer, span, 2);
  const owner = kernel.reserve(OWNER);
  const spans = kernel.reserve(SPAN * most);
  const owners = kernel.reserve(OWNER * most);
  const found = new Uint32Array(kernel.memory.buffer, spans, 2 * most);
  const bytes = createKeyBytes(kernel, 0);
  return (key) => {
    bytes.clear();
    const length = typeof key === 'string' ? bytes.putText(key) : bytes.put(requireBytes(key));
    place.set([bytes.address(), length]);
    const count = write(span, owner, 1, spans, owners, bytes.total());
    return Array.from({ length: count }, (_, i) => kernel.bytes(found[2 * i] ?? 0, found[2 * i + 1] ?? 0).slice());
  };
}
