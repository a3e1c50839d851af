import type { Kernel } from '../kernel/kernel.ts';

/** XXH64 with seed 0 of a few bytes. */
export type Checksum = (bytes: Uint8Array) => bigint | Promise<bigint>;

/** For callers that read only headers and have no kernel. */
export const portableChecksum: Checksum = async (bytes) => {
  const { default: XXH } = await import('xxhashjs');
  // xxhashjs needs a Buffer, and writes numbers without leading zeros.
  return BigInt(`0x${XXH.h64(Buffer.from(bytes), 0).toString(16)}`);
};

/** For callers that have a kernel. Loading another implementation would take longer than a short query. */
export function kernelChecksum(kernel: Kernel): Checksum {
  return (bytes) => checksumOf(kernel, bytes);
}

/** The buffer in the memory of each kernel to which bytes are copied. There may be thousands of files to check. */
const buffers = new WeakMap<Kernel, { readonly address: number; readonly bytes: number; readonly releases: number }>();

/** XXH64 of bytes, which are copied into kernel memory first. */
export function checksumOf(kernel: Kernel, bytes: Uint8Array, seed = 0n): bigint {
  let buffer = buffers.get(kernel);
  const releases = kernel.releases();
  // A release may have freed the buffer.
  if (buffer === undefined || buffer.bytes < bytes.length || buffer.releases !== releases) {
    // Doubling keeps the sum of all outgrown buffers below the size of the last buffer.
    const length = 2 * bytes.length;
    buffer = { address: kernel.reserve(length), bytes: length, releases };
    buffers.set(kernel, buffer);
  }
  kernel.bytes(buffer.address, bytes.length).set(bytes);
  return checksumAt(kernel, buffer.address, bytes.length, seed);
}

/** XXH64 of bytes in kernel memory. */
export function checksumAt(kernel: Kernel, address: number, length: number, seed = 0n): bigint {
  return BigInt.asUintN(64, kernel.exports.xxh64(address, length, seed));
}
