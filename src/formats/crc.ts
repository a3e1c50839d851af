import type { Kernel } from '../kernel/kernel.ts';

/** Polynomials of CRCs with their highest bit last. */
export const CRC_POLYNOMIALS = { crc32: 0xedb88320, crc32c: 0x82f63b78 } as const;

export type CrcName = keyof typeof CRC_POLYNOMIALS;

const TABLES = 8;
const ENTRIES = 256;

/** The tables in the memory of each kernel. A release may have freed older tables. */
const kept = new WeakMap<Kernel, { readonly releases: number; readonly addresses: Map<CrcName, number> }>();

/** The CRC of bytes in kernel memory. */
export function crcAt(kernel: Kernel, name: CrcName, address: number, length: number): number {
  return kernel.exports.crc32(address, length, 0, tablesOf(kernel, name)) >>> 0;
}

/** The address of the tables of a CRC: src/kernel/assembly/hashes/crc32.ts. */
function tablesOf(kernel: Kernel, name: CrcName): number {
  const releases = kernel.releases();
  const before = kept.get(kernel);
  const addresses = before?.releases === releases ? before.addresses : new Map<CrcName, number>();
  kept.set(kernel, { releases, addresses });
  const existing = addresses.get(name);
  if (existing !== undefined) return existing;
  const address = kernel.reserve(4 * ENTRIES * TABLES);
  new Uint32Array(kernel.memory.buffer, address, ENTRIES * TABLES).set(crcTables(CRC_POLYNOMIALS[name]));
  addresses.set(name, address);
  return address;
}

/** Entry `b` of table i is the CRC of the byte b followed by i NULs. */
function crcTables(polynomial: number): Uint32Array {
  const tables = new Uint32Array(ENTRIES * TABLES);
  for (let byte = 0; byte < ENTRIES; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
    tables[byte] = crc;
  }
  for (let i = ENTRIES; i < tables.length; i++) {
    const before = tables[i - ENTRIES] ?? 0;
    tables[i] = (before >>> 8) ^ (tables[before & 0xff] ?? 0);
  }
  return tables;
}
