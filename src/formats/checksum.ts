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
  return (bytes) => checksumOf(kernel, bytes);
}

/** Where each kernel takes bytes to: one place, as there may be thousands of files to check. */
const rooms = new WeakMap<Kernel, { readonly address: number; readonly bytes: number }>();

/** XXH64 of bytes that are brought into kernel memory for it. */
export function checksumOf(kernel: Kernel, bytes: Uint8Array, seed = 0n): bigint {
  let room = rooms.get(kernel);
  if (room === undefined || room.bytes < bytes.length) {
    // Twice what it takes, so that rooms that were too small come to no more than the last.
    const length = 2 * bytes.length;
    room = { address: kernel.reserve(length), bytes: length };
    rooms.set(kernel, room);
  }
  kernel.bytes(room.address, bytes.length).set(bytes);
  return checksumAt(kernel, room.address, bytes.length, seed);
}

/** XXH64 of bytes in kernel memory. */
export function checksumAt(kernel: Kernel, address: number, length: number, seed = 0n): bigint {
  return BigInt.asUintN(64, kernel.exports.xxh64(address, length, seed));
}
