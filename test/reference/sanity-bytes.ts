/** The bytes that the sanity check of the reference implementation hashes (xxHash, cli/xsum_sanity_check.c). */
export function sanityBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let generator = 2654435761n;
  for (let i = 0; i < length; i++) {
    bytes[i] = Number(generator >> 56n);
    generator = BigInt.asUintN(64, generator * 11400714785074694797n);
  }
  return bytes;
}
