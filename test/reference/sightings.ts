// The exact memory of `bloom dedup`. Its filters may know more keys than this memory, but never fewer.

/** The limits of a memory. */
export interface Memory {
  /** The most sightings per key. One suffices to tell a repeated record from a first one. */
  readonly sightings: number;
  /** The number of further windows for which a sighting is remembered; without it, for ever. */
  readonly windows?: number;
}

/** A record: its key, undefined if it has none, and the number of its window. */
export interface Arrival {
  readonly key: string | undefined;
  readonly window: number;
}

/**
 * Returns how many earlier sightings of a record's key are remembered. A sighting is noted in its window, and only if the key
 * has fewer than the most. A key that occurs again and again therefore expires like any other.
 */
export function createSightings({
  sightings,
  windows = Number.POSITIVE_INFINITY,
}: Memory): (arrival: Arrival) => number {
  const noted = new Map<string, number[]>();
  return ({ key, window }) => {
    if (key === undefined) return 0;
    const remembered = (noted.get(key) ?? []).filter((seen) => window - seen <= windows);
    noted.set(key, remembered.length < sightings ? [...remembered, window] : remembered);
    return remembered.length;
  };
}

/** Returns how many of `levels` memories of one sighting know a record's key. A memory gets only keys that the previous one knew. */
export function createLevels(levels: number, windows?: number): (arrival: Arrival) => number {
  const memories = Array.from({ length: levels }, () =>
    createSightings({ sightings: 1, ...(windows !== undefined && { windows }) }),
  );
  return (arrival) => {
    const first = memories.findIndex((memory) => memory(arrival) === 0);
    return first < 0 ? levels : first;
  };
}

/** The windows of records, with `length` records in each. */
export function windowsOfRecords(length: number): (record: number) => number {
  return (record) => Math.floor(record / length);
}

/** The windows of records that arrive at given times. A clock that is set back does not return to an earlier window. */
export function windowsOfTimes(length: number): (time: number) => number {
  let latest = 0;
  return (time) => {
    latest = Math.max(latest, Math.floor(time / length));
    return latest;
  };
}
