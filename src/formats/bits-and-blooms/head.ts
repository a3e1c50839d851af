export const HEADER_BYTES = 24;

/** No file has so many bits: a number that is larger was meant otherwise. */
export const LENGTH_LIMIT = 2n ** 48n;

export const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);

/** Whether so many bits may be missing: words are added when a bit of them is set. No memory is taken for many more. */
export const mayLack = (bits: number) => bits <= 2 ** 23;

/** Of a file of this length, or of one that nobody knows; `stored` is undefined where no number of bits can be that of the file. */
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
