import { type HashName, hashNamed } from '../../src/hashes/registry.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';

/** The kernel's digest of the bytes at an address, computed as for the scanner. */
export type DigestAt = (hash: HashName, address: number, length: number, seed: bigint) => bigint;

/** Digests of single keys. A kernel has memory for one such key at a time. */
export function singleDigests({ reserve, exports, memory }: Kernel): DigestAt {
  const at = reserve(24);
  return (hash, address, length, seed) => {
    new Uint32Array(memory.buffer, at, 2).set([address, length]);
    new BigUint64Array(memory.buffer, at + 8, 1).set([seed]);
    exports[hashNamed(hash).entry](at, 1, at + 16, at + 8);
    return new BigUint64Array(memory.buffer, at + 16, 1)[0] ?? 0n;
  };
}
