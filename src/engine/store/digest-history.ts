/** Digests that were noted, some of them perhaps more than once. */
export interface DigestHistory {
  note(digests: Uint8Array): void;
  digests(): BigUint64Array;
}

/** Digests that are noted before repetitions are dropped: a few times those that a first slice takes. */
const LIMIT = 2 ** 20;

export function createDigestHistory(): DigestHistory {
  let digests = new BigUint64Array(LIMIT);
  let count = 0;
  return {
    note(bytes) {
      if (count + bytes.length / 8 > digests.length) {
        const distinct = new Set(digests.subarray(0, count));
        digests = new BigUint64Array(distinct.size + LIMIT);
        count = 0;
        for (const digest of distinct) digests[count++] = digest;
      }
      new Uint8Array(digests.buffer).set(bytes, 8 * count);
      count += bytes.length / 8;
    },
    digests: () => digests.subarray(0, count),
  };
}
