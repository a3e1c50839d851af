/** Bytes before the words in versions 1 and 2. */
export const HEADER_BYTES = { 1: 12, 2: 16 } as const;

export function versionOf(head: DataView): 1 | 2 | undefined {
  const version = head.getInt32(0);
  return version === 1 || version === 2 ? version : undefined;
}

/** The fields of a head. */
export function fieldsOf(head: DataView, version: 1 | 2) {
  return {
    k: head.getInt32(4),
    seed: version === 1 ? 0 : head.getInt32(8),
    words: head.getInt32(HEADER_BYTES[version] - 4),
  };
}
