import type { Kernel } from '../kernel/kernel.ts';

/** XXH64, seed 0, of a few bytes. */
export type Checksum = (bytes: Uint8Array) => bigint | Promise<bigint>;

/** For those who only look at headers and have no kernel. */
export const portableChecksum: Checksum = async (bytes) => {
  const { default: XXH } = await import('xxhashjs');
  // xxhashjs takes Buffers, and writes numbers without leading zeros.
  return BigInt(`0x${XXH.h64(Buffer.from(bytes), 0).toString(16)}`);
};

/** For those who have a kernel: loading another implementation would take longer than a short query. */
export function kernelChecksum(kernel: Kernel): Checksum {
  return (bytes) => {
    const address = kernel.reserve(bytes.length);
    kernel.bytes(address, bytes.length).set(bytes);
    return checksumAt(kernel, address, bytes.length);
  };
}

/** XXH64 of bytes in kernel memory. */
export function checksumAt(kernel: Kernel, address: number, length: number, seed = 0n): bigint {
  return BigInt.asUintN(64, kernel.exports.xxh64(address, length, seed));
}
