import type { KeyRanges } from '../../filters/key-ranges.ts';
import type { KeyRules } from '../../formats/description.ts';
import { hashNamed } from '../../hashes/registry.ts';
import type { Kernel, KeyRangesAddress } from '../../kernel/kernel.ts';

/** Hashes keys, given by their spans. */
export type HashKeys = (spans: number, count: number, digests: number) => void;

const WORD = 8;

/** Bytes per digest by some rules. */
export function digestBytesOf({ hash, words }: KeyRules): number {
  return WORD * (words ?? hashNamed(hash).words);
}

/** Makes the function that hashes keys by some rules, and configures the kernel for it. */
export function createHashing(kernel: Kernel, rules: KeyRules): HashKeys {
  const { exports: entries } = kernel;
  const { hash, seed, parameters: more = [], ranges } = rules;
  const { entry, scratchWords = 0 } = hashNamed(hash);
  const hashKeys = entries[entry];
  const scratch = Array.from({ length: scratchWords }, () => 0n);
  const parameters = placed(kernel, BigUint64Array.of(seed, ...scratch, ...more));
  if (ranges === undefined) return (spans, count, digests) => hashKeys(spans, count, digests, parameters);
  const table = placedRanges(kernel, ranges);
  return (spans, count, digests) => {
    hashKeys(spans, count, digests, parameters);
    entries.rangeKeys(spans, count, digests, table);
  };
}

/** Copies ranges to kernel memory, for the kernel's loop that finds the ranges of keys. */
function placedRanges(kernel: Kernel, { separators, bounds, parts, isBehind, order }: KeyRanges): KeyRangesAddress {
  const numbers = [
    bounds.length - 1,
    placed(kernel, separators),
    placed(kernel, bounds),
    placed(kernel, parts),
    isBehind ? 1 : 0,
    order === 'cells' ? 1 : 0,
  ];
  return placed(kernel, BigUint64Array.from(numbers, BigInt)) as KeyRangesAddress;
}

/** Copies numbers to kernel memory, for the life of the kernel; returns their address. */
function placed(kernel: Kernel, { buffer, byteOffset, byteLength }: ArrayBufferView): number {
  const address = kernel.reserve(byteLength);
  kernel.bytes(address, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
  return address;
}
