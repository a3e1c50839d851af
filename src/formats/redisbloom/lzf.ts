/** Bytes that one byte of LZF stands for, at most: three are 264. */
export const LZF_RATIO = 88n;

/**
 * Decompresses LZF (Marc Lehmann's liblzf): a byte below 32 is followed by one literal more than it says; any other is the length
 * and the upper bits of the distance of bytes that came before. Undefined if that does not make so many bytes.
 */
export function fromLzf(packed: Uint8Array, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (let next = 0; next < packed.length; ) {
    const control = packed[next++] ?? 0;
    if (control < 32) {
      const literals = packed.subarray(next, next + control + 1);
      if (literals.length <= control || end + literals.length > length) return undefined;
      bytes.set(literals, end);
      next += literals.length;
      end += literals.length;
      continue;
    }
    const count = 2 + (control < 224 ? control >> 5 : 7 + (packed[next++] ?? 0));
    const from = end - 1 - (((control & 31) << 8) | (packed[next++] ?? 0));
    if (from < 0 || next > packed.length || end + count > length) return undefined;
    // A byte at a time: what is copied may be among them.
    for (let i = 0; i < count; i++) bytes[end + i] = bytes[from + i] ?? 0;
    end += count;
  }
  return end === length ? bytes : undefined;
}
