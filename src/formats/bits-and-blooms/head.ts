export const HEADER_BYTES = 24;

/** No file has this many bits. A larger number belongs to another format or byte order. */
export const LENGTH_LIMIT = 2n ** 48n;

export const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);

/**
 * Whether this many bits may be missing. A file has only the words up to the last set bit. The limit bounds the memory.
 */
export const mayLack = (bits: number) => bits <= 2 ** 23;

/**
 * The fields of a file. `size` is undefined if it is unknown, and `stored` if no stored number of bits fits the file.
 */
export function fieldsOf(head: DataView, size: number | undefined) {
  const m = head.getBigUint64(0);
  const lengths = [
    { order: 'be64', length: head.getBigUint64(16) },
    { order: 'bytes', length: head.getBigUint64(16, true) },
  ] as const;
  const stored =
    size === undefined
      ? (lengths.find(({ length }) => length === m) ?? lengths.find(({ length }) => length < LENGTH_LIMIT))
      : lengths.find(({ length }) => size === HEADER_BYTES + bitBytes(Number(length)));
  return { m, k: head.getBigUint64(8), stored };
}
