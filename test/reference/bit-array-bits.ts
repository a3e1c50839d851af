// Bit arrays in which a probe can be anywhere. The arithmetic follows the definitions, in integers of any size.

const WORD = 2n ** 64n;

export interface BitArrayRules {
  readonly bits: number;
  readonly k: number;
  readonly order: 'bytes' | 'be64';
}

/** The two words of a digest. */
export type TwoWords = readonly [bigint, bigint];

/** The bytes of an array by index, without those that are 0. */
export type BitArrayBytes = Map<number, number>;

/** Positions by double hashing: (h1 + i h2 mod 2^64) mod m. */
export function doublePositions([h1, h2]: TwoWords, { bits, k }: Pick<BitArrayRules, 'bits' | 'k'>): number[] {
  return Array.from({ length: k }, (_, i) => Number(((h1 + BigInt(i) * h2) % WORD) % BigInt(bits)));
}

/** The byte and the bit of a position. In a big-endian word the lowest bits are in the last byte. */
export function placeOf(position: number, order: BitArrayRules['order']): { byte: number; mask: number } {
  const byte = Math.floor(position / 8);
  const inWord = byte % 8;
  return { byte: order === 'bytes' ? byte : byte - inWord + 7 - inWord, mask: 1 << (position % 8) };
}

export function hasPosition(bytes: BitArrayBytes, position: number, { order }: BitArrayRules): boolean {
  const { byte, mask } = placeOf(position, order);
  return ((bytes.get(byte) ?? 0) & mask) !== 0;
}

/** Sets a position and returns whether it was 0. */
export function setPosition(bytes: BitArrayBytes, position: number, { order }: BitArrayRules): boolean {
  const { byte, mask } = placeOf(position, order);
  const before = bytes.get(byte) ?? 0;
  bytes.set(byte, before | mask);
  return (before & mask) === 0;
}

/** Adds digests in order; returns how many of them set a bit that was 0. */
export function addDigests(bytes: BitArrayBytes, digests: readonly TwoWords[], rules: BitArrayRules): number {
  const changes = digests.filter(
    (digest) => doublePositions(digest, rules).filter((position) => setPosition(bytes, position, rules)).length > 0,
  );
  return changes.length;
}

/** Returns whether all positions of a digest are set. */
export function hasDigest(bytes: BitArrayBytes, digest: TwoWords, rules: BitArrayRules): boolean {
  return doublePositions(digest, rules).every((position) => hasPosition(bytes, position, rules));
}

/** Counts the bits that are set. */
export function onesOf(bytes: BitArrayBytes): number {
  let ones = 0;
  for (const value of bytes.values()) for (let rest = value; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
}
